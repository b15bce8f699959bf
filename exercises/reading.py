"""How an answer to a question is read. Its form is free within reason: what is meant counts, not how it is written."""

import hashlib
import re

import numpy as np


class Unreadable(Exception):
    """The answer cannot be read; the message says in one sentence what form is wanted."""


def read_choice(value):
    """The letter of a choice, whether it is written a, A, (a) or a)."""
    letter = re.fullmatch(r"[(\[]?\s*([a-e])\s*[)\].:]*", _text(value))
    if not letter:
        raise Unreadable("The answer must be one letter from a to e, in quotes.")
    return letter[1]


def read_blocks(value):
    """The kind of block: encoder, decoder or both; "encoder and decoder" or "encoder only" will do."""
    words = set(re.findall(r"[a-z]+", _text(value)))
    kinds = words & {"encoder", "decoder", "both"}
    if not kinds or words - kinds - {"a", "an", "the", "only", "and", "block", "blocks"}:
        raise Unreadable('The answer must be "encoder", "decoder" or "both".')
    return kinds.pop() if len(kinds) == 1 else "both"


def read_shape(value):
    """A shape as its names in order, with or without brackets, as one text or as a tuple or list of names."""
    text = " ".join(map(_text, value)) if isinstance(value, tuple | list) else _text(value)
    names = re.findall(r"[a-z]_[a-z]", text)
    if not names or re.sub(r"[a-z]_[a-z]|[\s()\[\],.x×*'\"]", "", text):
        raise Unreadable('The answer must be a shape in quotes, such as "(d_k, d_v)".')
    return tuple(names)


def read_names(value):
    """Names of models in no particular order, as a list, a tuple or one text with commas; [] for none."""
    parts = value if isinstance(value, tuple | list) else re.split(r",|\band\b", _text(value).strip("()[] ,"))
    names = {_text(part).strip("()[] '\"") for part in parts} - {"", "none"}
    if not names <= {"bert", "gpt", "t5"}:
        raise Unreadable('The answer must be a list of names out of "BERT", "GPT" and "T5".')
    return frozenset(names)


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


def _text(value):
    """A text in small letters without space around it; for anything else, a text that answers nothing."""
    return (value.strip().lower() if type(value) is str else "") or "?"


def _floats(value):
    """The numbers in a number, a list or an array; None when there is anything else in it."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        numbers = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None
    return numbers if np.all(np.isfinite(numbers)) else None
