"""The course file: read whole, and errors that say what to change."""

from fractions import Fraction
from pathlib import Path

import pytest

from grader.checks import all_checks
from grader.contract import all_lessons
from grader.course import Course, CourseError, read_course
from grader.grading import contract_functions
from grader.kit import COURSE

SHIPPED = COURSE.read_text(encoding="utf-8")


def course(tmp_path: Path, text: str) -> Course:
    path = tmp_path / "course.toml"
    path.write_text(text, encoding="utf-8")
    return read_course(path)


def test_the_shipped_course_names_the_contract_in_its_order() -> None:
    shipped = read_course()
    assert [f.name for f in contract_functions(shipped)] == [name for _, name in shipped.functions]
    assert tuple(shipped.lessons) == all_lessons()
    assert [name for lesson, name in shipped.functions if lesson != "self_check"] == [
        *("softmax", "scaled_scores", "attention"),
        *("causal_mask", "padding_mask", "combine_masks"),
        *("sinusoidal_pe", "shift_matrix", "offset_similarity"),
        *("rnn_states", "rnn_gradient_norms"),
        *("split_heads", "merge_heads", "multi_head_attention", "layer_norm", "feed_forward"),
        *("encoder_block", "decoder_block"),
        *("attention_params", "feed_forward_params", "layer_norm_params", "encoder_block_params"),
        *("decoder_block_params", "transformer_params", "dense_flops", "attention_flops", "crossover_length"),
    ]


def test_every_function_of_the_course_has_a_check() -> None:
    assert {name for _, name in read_course().functions} == {check.function for check in all_checks()}


def test_points_are_exact_fractions(tmp_path: Path) -> None:
    changed = course(
        tmp_path, SHIPPED.replace("scaled_scores = 1", 'scaled_scores = "1/3"').replace("softmax = 2", "softmax = 0.1")
    )
    assert changed.points("attention", "scaled_scores") == Fraction(1, 3)
    assert changed.points("attention", "softmax") == Fraction(1, 10)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("softmax = 2", "softmax = -1", "negative"),
        ("softmax = 2", "softmax = true", "points are a number"),
        ("softmax = 2", 'softmax = "two"', "points are a number"),
        ("softmax = 2", 'softmax = "1/0"', "points are a number"),
        ("softmax = 2", 'softmax = "1e400"', "nor more than"),
        ("[lessons.attention]", "[lessons]\nmasking = 3\n[lessons.attention]", "not valid TOML"),
        ("seconds_per_call = 5", "seconds_per_call = 0", "from 1 up"),
        ("seconds_per_submission = 120", "seconds_per_submission = 1e7", "up to 1000000"),
        ("memory_mb = 1024", 'memory_mb = "much"', "from 256 up"),
        ("memory_mb = 1024", "memory_mb = 1", "from 256 up"),
        ('show = "property"', 'show = "everything"', "'property' or 'counterexample'"),
        ('secret = "sample course: change me"', 'secret = ""', "secret is empty"),
        ('secret = "sample course: change me"', "", "'secret' is missing"),
        ("resubmissions = false", "resubmissions = 0", "must be a bool"),
        ("[limits]", "[limits", "not valid TOML"),
    ],
)
def test_what_makes_no_sense_is_said(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SHIPPED
    with pytest.raises(CourseError, match=said):
        course(tmp_path, SHIPPED.replace(old, new))


def test_a_lesson_that_is_no_table_is_said(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="must be a dict"):
        course(tmp_path, SHIPPED[: SHIPPED.index("[lessons.attention]")] + "[lessons]\nattention = 3\n")


def test_a_folder_is_no_course(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="cannot be read"):
        read_course(tmp_path)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="--course"):
        read_course(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("softmax = 2\n", "", "softmax"),
        ("softmax = 2", "softmax = 2\nsotfmax = 2", "sotfmax"),
        ("[lessons.masking]", "[lessons.mask]", "'mask'"),
    ],
)
def test_a_course_that_the_contract_does_not_know_is_said(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(CourseError, match=said):
        contract_functions(course(tmp_path, SHIPPED.replace(old, new)))


def test_inputs_are_salted_where_students_may_hand_in_again(tmp_path: Path) -> None:
    assert read_course().salt("digest") == ""
    assert course(tmp_path, SHIPPED.replace("resubmissions = false", "resubmissions = true")).salt("digest") == "digest"


def test_the_fingerprint_covers_what_a_grade_depends_on(tmp_path: Path) -> None:
    changes = [
        ("softmax = 2", "softmax = 3"),
        ("change me", "changed"),
        ("per_call = 5", "per_call = 6"),
        ("false", "true"),
    ]
    prints = {course(tmp_path, SHIPPED.replace(old, new)).fingerprint for old, new in [("", ""), *changes]}
    assert len(prints) == len(changes) + 1
