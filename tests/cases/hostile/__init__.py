"""Submissions that try to gain a point, to read what they may not, to hang the run or to hurt others."""

from tests.cases import Case
from tests.cases.hostile.answers import ANSWERS
from tests.cases.hostile.endings import ENDINGS
from tests.cases.hostile.files import FILES
from tests.cases.hostile.patches import PATCHES
from tests.cases.hostile.reaching import REACHING
from tests.cases.hostile.resources import RESOURCES
from tests.cases.hostile.values import VALUES
from tests.cases.hostile.wire import WIRE
from tests.cases.hostile.words import WORDS
from tests.cases.hostile.zips import ZIPS

HOSTILE: dict[str, tuple[Case, ...]] = {
    "Patching what might be graded with": PATCHES,
    "Looking for the answers": ANSWERS,
    "Values that lie": VALUES,
    "Ending the process, or never ending": ENDINGS,
    "Using up the machine": RESOURCES,
    "Reaching out of the sandbox": REACHING,
    "Writing to the grader in the function's place": WIRE,
    "Files beside the lessons": FILES,
    "Zip files": ZIPS,
    "Names and messages": WORDS,
}
"""The cases by the heading under which the docs list them."""
