"""What the hostile cases are made of: a ``softmax``, wrong or right, that attacks; the rest of the file is right."""

from textwrap import dedent, indent

from tests.cases import all_of, lesson

TOOLS = '''
import os, sys

def tried(action, *args, **kwargs):
    """What an action comes to: its value, or the name of the exception."""
    try:
        return action(*args, **kwargs)
    except BaseException as error:
        return type(error).__name__

def refused(*actions):
    """Whether every action ended in an OSError or found nothing to work with."""
    def is_refused(action):
        try:
            action()
        except (OSError, ImportError, LookupError, ValueError):
            return True
    return all([is_refused(action) for action in actions])
'''

LOST = {"softmax": "fail"}
ENDED = {"softmax": "error"}
UNLOADABLE = all_of("error", "softmax", "scaled_scores", "attention")

NOT_RIGHT = r"(?m)^The answer is not right\."
FOUND_NOTHING = r"LookupError in line \d+: found nothing\."

Files = dict[str, str | bytes | None]


def wrong(attack: str, first: str = "") -> Files:
    """``attention.py`` with a ``softmax`` that gives zeros after its attack; ``first`` runs when the file is loaded."""
    return _attention(attack, first, "np.zeros(np.shape(x))")


def well(attack: str, first: str = "") -> Files:
    """``attention.py`` with a ``softmax`` that is right, and attacks."""
    return _attention(attack, first, "right(x, axis)")


def looks(attack: str, first: str = "") -> Files:
    """``attention.py`` with a ``softmax`` that tells in an exception what its attack has put into ``found``."""
    return _attention(
        f"found = []\n{dedent(attack).strip()}\nraise LookupError(f'found {{found}}' if found else 'found nothing')",
        first,
        "None",
    )


def loads(source: str) -> Files:
    """``attention.py`` that is the reference's with something before it."""
    return {"attention.py": dedent(source) + "\n" + lesson("attention")}


def _attention(attack: str, first: str, value: str) -> Files:
    body = indent(f"{dedent(attack).strip()}\nreturn {value}\n", "    ")
    text = lesson("attention", f"{TOOLS}\n{dedent(first)}\n\ndef softmax(x, axis=-1):\n{body}")
    return {"attention.py": text.replace("def softmax(", "def right(", 1)}
