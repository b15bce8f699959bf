"""How an answer to a question is read. Its form is free within reason: what is meant counts, not how it is written."""

import hashlib
import re

import numpy as np

# True and False, fractions, complex numbers and the like are none: whoever reads an answer must read the same.
NUMBERS = frozenset({int, float, *(np.dtype(code).type for code in "bhilqBHILQefd")})

BLOCK_WORDS = ("model", "block", "layer", "stack")


class Unreadable(Exception):
    """The answer cannot be read; the message says in one sentence what form is wanted."""


def read_choice(value):
    """The letter of a choice, whether it is written a, A, 'a', (a) or a)."""
    letter = re.fullmatch(r"[(\['\"\s]*([a-e])[)\]'\"\s.:,]*", _text(value))
    if not letter:
        raise Unreadable("The answer must be one letter from a to e, in quotes.")
    return letter[1]


def read_blocks(value):
    """The kind of block: encoder, decoder or both; "encoder and decoder", a list of the two, "encoder only" will do."""
    words = {re.sub(rf"(er|{'|'.join(BLOCK_WORDS)})s$", r"\1", word) for word in _words(value)}
    kinds = words & {"encoder", "decoder", "both"}
    if not kinds or words - kinds - {"a", "an", "the", "only", "and", "of", "them", *BLOCK_WORDS}:
        raise Unreadable('The answer must be "encoder", "decoder" or "both".')
    return kinds.pop() if len(kinds) == 1 else "both"


def read_shape(value):
    """A shape as its names in order, as one text or as a tuple or list of names; brackets and a leading ... may stand.

    Between the names may stand a comma, a space, a sign for "times" or "by".
    """
    items = _items(value)
    text = _text(value) if items is None else ", ".join(map(_text, items))
    text = re.sub(r"['\"$]", "", text).strip("()[] .…,")
    names = re.split(r"\s*(?:[,×*·]|\\times\b|\b(?:x|by)\b|\s)\s*", text)
    if not all(re.fullmatch(r"[a-z]_[a-z]", name) for name in names):
        raise Unreadable('The answer must be a shape in quotes, of the letters in the question, such as "(d_k, d_v)".')
    return tuple(names)


def read_names(value):
    """Names of models in no particular order, as a list, a tuple or one text; [] or "none" for none."""
    words = set(_words(value)) - {"only", "and"}
    nothing = words == {"none"} or _items(value) == [] or _text(value) in ("[]", "()")
    if not nothing and not (words and words <= {"bert", "gpt", "t5"}):
        raise Unreadable('The answer must be a list of names out of "BERT", "GPT" and "T5".')
    return frozenset() if nothing else frozenset(words)


def read_number(value):
    """A number; in quotes it is one too."""
    numbers = _floats(value)
    if numbers is None or numbers.size != 1:
        raise Unreadable("The answer must be a number.")
    return numbers.reshape(())


def read_table(rows, columns):
    """How to read a table of numbers: a list of rows, or an array."""

    def read(value):
        numbers = _floats(value)
        if numbers is None or numbers.shape != (rows, columns):
            raise Unreadable(f"The answer must be a list of {rows} rows with {columns} numbers each.")
        return numbers

    return read


QUESTIONS = {
    "SCORES_SHAPE": read_shape,
    "OUTPUT_SHAPE": read_shape,
    "HAND_SCORES": read_table(2, 3),
    "HAND_WEIGHTS": read_table(2, 3),
    "HAND_OUTPUT": read_table(2, 2),
    "DOT_PRODUCT_VARIANCE": read_number,
    "SHUFFLED_TOKENS": read_choice,
    "CAUSAL_MASK_HIDES": read_choice,
    "BERT": read_blocks,
    "GPT": read_blocks,
    "T5": read_blocks,
    "CROSS_ATTENTION": read_names,
    "CROSSOVER_LENGTH": read_number,
}


def same(this, that):
    """Whether two answers to one question, both read, are the same: numbers up to one unit in the third decimal."""
    if isinstance(this, np.ndarray):
        return bool(np.all(np.abs(_thousandths(this) - _thousandths(that)) <= 1))
    return this == that


def digests(question, answer):
    """What is kept of the right answer, once it is read: enough to know it again, too little to read it off.

    A table gives a digest for each of its numbers, anything else a single one.
    """
    if isinstance(answer, np.ndarray):
        return [_digest(question, place, number) for place, number in enumerate(_thousandths(answer).flat)]
    return [_digest(question, 0, sorted(answer) if isinstance(answer, frozenset) else answer)]


def fits(question, answer, kept):
    """Whether an answer that was read is, in the sense of ``same``, the one of which these digests were kept."""
    if not isinstance(answer, np.ndarray):
        return digests(question, answer) == kept
    numbers = enumerate(_thousandths(answer).flat)
    return all(
        right in [_digest(question, place, number + step) for step in (-1, 0, 1)]
        for (place, number), right in zip(numbers, kept, strict=True)
    )


def _digest(question, place, what):
    return hashlib.sha256(f"{question} {place} {what}".encode()).hexdigest()[:16]


def _thousandths(numbers):
    return np.rint(numbers * 1000) + 0.0  # never -0.0


def _items(value):
    """What a list or a tuple holds; None for anything else."""
    return list(value) if type(value) is list or isinstance(value, tuple) else None


def _text(value):
    """A text in small letters without space around it; for anything else, a text that answers nothing."""
    return (value.strip().lower() if type(value) is str else "") or "?"


def _words(value):
    """The words in a text, or in a list of texts; a word that answers nothing where there is anything else in it."""
    items = _items(value)
    text = _text(value) if items is None else " ".join(map(_text, items))
    return ["?"] if re.search(r"[^\w\s()\[\]'\".,:;/&+–-]", text) else re.findall(r"\w+", text)


def _floats(value):
    """The numbers in a number, a list or an array; None when there is anything else in it."""
    try:
        numbers = np.asarray(_nested(value), dtype=float)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return None
    return numbers if np.all(np.isfinite(numbers)) else None


def _nested(value):
    """The same with floats for all numbers. Raises ``ValueError`` for what is no number, ``TypeError`` for its kind."""
    items = _items(value)
    if items is not None:
        return [_nested(item) for item in items]
    if type(value) is np.ndarray and value.dtype.type in NUMBERS:
        return value.astype(float)
    if type(value) is str and re.fullmatch(r"\s*[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?\s*", value):
        return float(value.replace(",", ""))
    if type(value) is str and re.fullmatch(r"\s*[+-]?0,\d+\s*", value):  # no thousands: a decimal comma
        return float(value.replace(",", "."))
    if type(value) is str or type(value) in NUMBERS:
        return float(value)
    raise TypeError(type(value).__name__)
