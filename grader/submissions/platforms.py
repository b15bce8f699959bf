"""How Canvas, Moodle and Gradescope name what they hand to a teacher.

Canvas puts all files side by side: the student's name without spaces, ``LATE`` where it was, the number of the user,
the number of the upload and the file's own name. To a name that the student has used before it appends ``-1`` and so
on. Moodle makes a folder for each student, or puts the same in front of each file's name. Gradescope makes a folder
for each submission and a list of who handed it in.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import yaml

from grader.submissions.archives import is_archive
from grader.submissions.gather import is_code
from grader.submissions.tree import LONGEST_NAME

GRADESCOPE_LIST = "submission_metadata.yml"
LARGEST_LIST = 8 * 2**20
_CANVAS = re.compile(
    r"(?:(?P<name>\w+?)_)?(?P<late>LATE_)?(?P<user>\d+|anon_\w+?)_"
    r"(?:(?P<upload>\d+)_(?P<original>.+)|(?P<text>text|link)\.html)"
)
_AGAIN = re.compile(r"-(\d+)(?=\.\w+$)")
_MOODLE_FOLDER = re.compile(r"(?P<name>.+)_(?P<user>\d+)_assignsubmission_(?P<kind>file|onlinetext)_?", re.DOTALL)
_MOODLE_FILE = re.compile(
    r"(?P<name>.+?)_(?P<user>\d+)_assignsubmission_(?P<kind>file|onlinetext)_?(?P<original>.*)", re.DOTALL
)


@dataclass(frozen=True)
class Upload:
    """What a platform's name says: whose it is, the file's own name, and the number of the upload where it has one.

    ``is_text`` is for what was typed into the platform instead of handed in as a file.
    """

    student: str
    user: str
    original: str
    number: int = 0
    is_late: bool = False
    is_text: bool = False


def from_canvas(name: str) -> Upload | None:
    """The upload that Canvas gave this name to. None for a name of another kind."""
    match = _CANVAS.fullmatch(name) if len(name) <= LONGEST_NAME else None
    if match is None:
        return None
    student = match["name"] or match["user"]
    return Upload(
        student,
        match["user"],
        match["original"] or name,
        int(match["upload"] or 0),
        bool(match["late"]),
        bool(match["text"]),
    )


def before_canvas(name: str, together: Collection[str]) -> str:
    """The name that the student gave a module, notebook or archive, before Canvas made it unlike an earlier one.

    ``together`` are the names of all that the student uploaded. Canvas makes a first ``hw.py`` no other name, so where
    ``hw-1.py`` and ``hw-2.py`` come without one, the numbers are the student's own.
    """
    bare = _bare(name)
    return bare if bare in together or all(_bare(other) != bare for other in together if other != name) else name


def _bare(name: str) -> str:
    return _AGAIN.sub("", name) if is_code(name) or is_archive(name) else name


def from_moodle(name: str, of_folder: bool = False) -> Upload | None:
    """The upload, or with no original name the folder, that Moodle gave this name to. None for another name.

    People choose the name in front and files' names behind, and either may look like what Moodle writes between them:
    in a folder's name the last such mark is Moodle's own, in a file's the first.
    """
    form = _MOODLE_FOLDER if of_folder else _MOODLE_FILE
    match = form.fullmatch(name) if len(name) <= LONGEST_NAME else None
    if match is None:
        return None
    original = "" if of_folder else match["original"]
    return Upload(match["name"], match["user"], original, is_text=match["kind"] == "onlinetext")


def from_gradescope(content: bytes) -> Mapping[str, tuple[Upload, ...]]:
    """Who handed in what, by the name of the folder. What is not in Gradescope's form is left out.

    People's names become names of files, so they have no slashes.
    """
    try:
        entries = yaml.load(content, yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader)
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError):
        return {}
    if not isinstance(entries, dict):
        return {}
    found = {folder: _submitters(entry) for folder, entry in entries.items() if isinstance(folder, str)}
    return {folder: uploads for folder, uploads in found.items() if uploads}


def _submitters(entry: object) -> tuple[Upload, ...]:
    people = entry.get(":submitters") if isinstance(entry, dict) else None
    uploads = []
    for person in people if isinstance(people, list) else ():
        if isinstance(person, dict) and isinstance(name := person.get(":name"), str) and name.strip():
            user = person.get(":sid") or person.get(":email") or ""
            uploads.append(Upload(re.sub(r"[/\\]", "-", name.strip()), user if isinstance(user, str) else "", ""))
    return tuple(uploads)
