"""The contract read from the reference: functions, signatures, summaries, and the reference's own functions."""

import sys
from pathlib import Path

import numpy as np
import pytest

from grader.contract import Function, lesson_functions, reference
from grader.kit import COURSE, SOLUTIONS


def test_the_kit_knows_where_its_files_are() -> None:
    assert COURSE.is_file()
    assert (SOLUTIONS / "attention.py").is_file()


def test_functions_come_in_the_order_of_the_file() -> None:
    assert [function.name for function in lesson_functions("attention")] == ["softmax", "scaled_scores", "attention"]
    assert [function.name for function in lesson_functions("masking")] == [
        "causal_mask",
        "padding_mask",
        "combine_masks",
    ]


@pytest.mark.parametrize(
    ("lesson", "name", "signature"),
    [
        ("attention", "softmax", "(x, axis=-1)"),
        ("attention", "scaled_scores", "(q, k)"),
        ("attention", "attention", "(q, k, v, mask=None)"),
        ("masking", "causal_mask", "(n)"),
        ("masking", "padding_mask", "(lengths, n)"),
        ("masking", "combine_masks", "(*masks)"),
        ("positional_encoding", "sinusoidal_pe", "(n, d)"),
        ("positional_encoding", "shift_matrix", "(k, d)"),
        ("positional_encoding", "offset_similarity", "(k, d)"),
        ("recurrence", "rnn_states", "(w_h, w_x, inputs, h_0)"),
        ("recurrence", "rnn_gradient_norms", "(w_h, w_x, inputs, h_0)"),
        ("transformer", "split_heads", "(x, n_heads)"),
        ("transformer", "merge_heads", "(x)"),
        ("transformer", "multi_head_attention", "(x, params, n_heads, mask=None, memory=None)"),
        ("transformer", "layer_norm", "(x, gain, bias, eps=1e-05)"),
        ("transformer", "feed_forward", "(x, params)"),
        ("transformer", "encoder_block", "(x, params, n_heads, mask=None, norm_first=False)"),
        (
            *("transformer", "decoder_block"),
            "(x, memory, params, n_heads, mask=None, memory_mask=None, norm_first=False)",
        ),
        ("counters", "attention_params", "(d)"),
        ("counters", "feed_forward_params", "(d, d_ff=None)"),
        ("counters", "layer_norm_params", "(d)"),
        ("counters", "encoder_block_params", "(d, d_ff=None)"),
        ("counters", "decoder_block_params", "(d, d_ff=None)"),
        ("counters", "transformer_params", "(vocab, d, n_encoder, n_decoder, d_ff=None)"),
        ("counters", "dense_flops", "(n, d, d_ff=None)"),
        ("counters", "attention_flops", "(n, d)"),
        ("counters", "crossover_length", "(d, d_ff=None)"),
    ],
)
def test_signatures_are_those_of_the_contract(lesson: str, name: str, signature: str) -> None:
    found = {function.name: function for function in lesson_functions(lesson)}[name]
    assert str(found.signature) == signature
    assert found.lesson == lesson
    assert found.summary.endswith((".", ":"))


def write_lesson(folder: Path, lesson: str, source: str) -> None:
    (folder / f"{lesson}.py").write_text(source, encoding="utf-8")
    (folder / f"test_{lesson}.py").touch()


def test_reading_a_lesson_does_not_run_it(tmp_path: Path) -> None:
    write_lesson(
        tmp_path,
        "one",
        'def first(a, /, b=(1, 2), *, c=None, **rest):\n    """Say.\n\n    More.\n    """\n\n'
        "def _private():\n    pass\n\nraise SystemExit\n",
    )
    (function,) = lesson_functions("one", tmp_path)
    assert isinstance(function, Function)
    assert (function.name, function.summary) == ("first", "Say.")
    assert str(function.signature) == "(a, /, b=(1, 2), *, c=None, **rest)"


def test_a_lesson_without_functions_asks_for_constants(tmp_path: Path) -> None:
    write_lesson(tmp_path, "answers", "import math\n\nSHAPE = '(n,)'\n_OWN = 1\nhelper = 2\nWIDTH = [math.pi]\n")
    found = lesson_functions("answers", tmp_path)
    assert [(answer.name, answer.is_constant, answer.heading) for answer in found] == [
        ("SHAPE", True, "SHAPE"),
        ("WIDTH", True, "WIDTH"),
    ]
    assert reference("SHAPE", tmp_path)() == "(n,)"


def test_a_lesson_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        lesson_functions("nowhere", tmp_path)
    with pytest.raises(LookupError, match=r"no lesson in .* defines nothing"):
        reference("nothing", tmp_path)


def test_the_reference_answers() -> None:
    assert np.allclose(reference("softmax")(np.zeros(4)), 0.25)
    assert reference("causal_mask")(2).tolist() == [[True, False], [True, True]]


def test_lessons_import_each_other_without_a_trace(tmp_path: Path) -> None:
    write_lesson(tmp_path, "early", "def double(x):\n    return 2 * x\n")
    write_lesson(
        tmp_path,
        "late",
        "import math\n\nfrom early import double\n\n\n"
        "def quadruple(x):\n    import early\n\n    return early.double(double(math.floor(x)))\n",
    )
    modules, path = set(sys.modules), list(sys.path)
    assert reference("quadruple", tmp_path)(3) == 12
    assert not {"early", "late"} & (set(sys.modules) - modules)
    assert sys.path == path


def test_softmax_of_nothing_but_minus_infinity_is_zero() -> None:
    """Open in the contract; the reference's attention builds on it."""
    assert reference("softmax")(np.array([[-np.inf, -np.inf], [0.0, -np.inf]])).tolist() == [[0, 0], [1, 0]]


def test_masks_given_stay_as_they_were_and_are_not_handed_back() -> None:
    mask = np.array([[True, False]])
    combined = reference("combine_masks")(mask)
    combined[:] = True
    assert mask.tolist() == [[True, False]]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_softmax_accepts_every_integer_type(dtype: str) -> None:
    x = np.array([[0, 100, 100], [7, 7, 7]], dtype=dtype)
    assert np.allclose(reference("softmax")(x), [[0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3]])
    assert reference("softmax")(x).dtype == np.float64
