"""A class as it arrives: folders, archives, a download from Canvas, Moodle or Gradescope, or some of each."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grader.submissions import platforms
from grader.submissions.archives import ZIP, archive, archive_on_disk, is_archive
from grader.submissions.gather import gather, is_code
from grader.submissions.modules import find_modules
from grader.submissions.platforms import Upload
from grader.submissions.submission import Submission, SubmissionError
from grader.submissions.tree import (
    DiskError,
    File,
    Folder,
    Listing,
    UnreadableError,
    file_on_disk,
    on_disk,
    shown,
    sort_key,
)

ALIKE = "Another submission has the same name. Both were graded."
MOST_UNREAD = 100
"""Files that could not be read and are named in a report."""


@dataclass(frozen=True)
class Source:
    """One student's submission, found and not yet read. ``apart`` tells it from others under the same name."""

    student: str
    open: Callable[[], Folder]
    apart: str = ""
    remarks: tuple[str, ...] = ()

    def read(self, lessons: Sequence[str]) -> Submission:
        """Read it. What cannot be read is said in the submission."""
        try:
            return self._read(lessons)
        except DiskError as error:
            return Submission(self.student, {}, {}, self.remarks, fault=f"{self.apart or self.student} {error}.")

    def _read(self, lessons: Sequence[str]) -> Submission:
        """Raises ``DiskError``."""
        try:
            folder = self.open()
        except DiskError:
            raise
        except UnreadableError as error:
            name = shown(self.apart or self.student)
            reason = f"{name} {error}."
            return Submission(self.student, {}, {}, (*self.remarks, reason), dict.fromkeys(lessons, reason))
        gathered = gather(folder)
        found = find_modules(gathered, lessons)
        odd = [f"{name} {reason}." for name, reason in gathered.unread.items()]
        if len(odd) > MOST_UNREAD:
            odd = [*odd[:MOST_UNREAD], f"So it is with {len(odd) - MOST_UNREAD:,} more files."]
        nothing = () if gathered.files or gathered.unread else ("There are no files in it.",)
        remarks = (*self.remarks, *gathered.remarks, *odd, *found.remarks, *nothing)
        return Submission(self.student, gathered.files, found.modules, remarks, found.unread)


def source_at(path: Path, student: str | None = None) -> Source:
    """The submission in a folder, an archive, a notebook or a module. Raises ``SubmissionError`` when it is none."""
    if path.is_dir():
        return Source(shown(student or path.resolve().name), lambda: on_disk(path))
    if path.is_file() and is_archive(path.name):
        return Source(shown(student or path.stem), lambda: _archive_at(path), path.name)
    if path.is_file() and is_code(path.name):
        alone = Listing((file_on_disk(path),))
        return Source(shown(student or path.stem), lambda: Folder(path.name, lambda: alone), path.name)
    raise SubmissionError(
        f"{path} is not a folder, a {ZIP} file, a notebook or a module. Give the folder that holds the modules."
    )


def find_submissions(path: Path, besides: Path | None = None) -> tuple[list[Source], list[str]]:
    """The submissions of a class in a folder or an archive, by the students' names, and what was left out and why.

    ``besides`` is a folder that holds no submission: the one for the results. Raises ``SubmissionError`` when there is
    no submission.
    """
    if not path.is_dir() and not (path.is_file() and path.name.lower().endswith(ZIP)):
        raise SubmissionError(
            f"{path} is not a folder or a {ZIP} file. Give the folder that holds one folder for each student."
        )
    try:
        listing = on_disk(path).list() if path.is_dir() else _innermost(archive_on_disk(path))
        listing = _unwrapped(listing)
    except UnreadableError as error:
        raise SubmissionError(f"{path} {error}.") from None
    if besides is not None and besides.resolve().parent == path.resolve():
        kept = (folder for folder in listing.folders if folder.name != besides.resolve().name)
        listing = replace(listing, folders=tuple(kept))
    sources, left_out = _sources(listing)
    if not sources:
        raise SubmissionError(
            f"{path} holds no folders or {ZIP} files. It should hold one for each student; "
            f"for a single submission use: grader check {path}"
        )
    return sorted(_told_apart(sources), key=lambda source: source.student), left_out


def _itself(folder: Folder) -> Folder:
    return folder


def _archive_at(path: Path) -> Folder:
    return archive_on_disk(path) if path.name.lower().endswith(ZIP) else archive(file_on_disk(path))


def _innermost(folder: Folder) -> Listing:
    """What is in an archive of a class: programs often put all of it into one folder."""
    listing = folder.list()
    if len(listing.folders) == 1 and not listing.files:
        inner = listing.folders[0].list()
        if not any(is_code(file.name) for file in inner.files) or _is_download(inner):
            return inner
    return listing


def _unwrapped(listing: Listing) -> Listing:
    """What a download holds, where it is the one thing in the folder."""
    if len(listing.folders) == 1 and not listing.files and _is_download(inner := listing.folders[0].list()):
        return inner
    return listing


def _is_download(listing: Listing) -> bool:
    names = [*(file.name for file in listing.files), *(folder.name for folder in listing.folders)]
    return any(
        name == platforms.GRADESCOPE_LIST or platforms.from_moodle(name) or platforms.from_canvas(name)
        for name in names
    )


def _sources(listing: Listing) -> tuple[list[Source], list[str]]:
    people = _gradescope(listing)
    canvas = _canvas(listing)
    uploads: dict[tuple[str, str, str], list[tuple[Upload, File | Folder]]] = {}
    sources: list[Source] = []
    left_out = [f"{name} {reason}" for name, reason in listing.remarks]
    for folder in listing.folders:
        if upload := platforms.from_moodle(folder.name, of_folder=True):
            uploads.setdefault(("moodle", upload.user, upload.student), []).append((upload, folder))
        elif together := people.get(folder.name):
            sources += _handed_in_together(folder, together)
        else:
            sources.append(Source(shown(folder.name), partial(_itself, folder)))
    for file in listing.files:
        if upload := platforms.from_moodle(file.name):
            uploads.setdefault(("moodle", upload.user, upload.student), []).append((upload, file))
        elif upload := canvas.get(file.name):
            uploads.setdefault(("canvas", upload.user, upload.student), []).append((upload, file))
        elif is_archive(file.name):
            name = file.name[: file.name.rindex(".")]
            sources.append(Source(shown(name), partial(archive, file), file.name))
        elif file.name != platforms.GRADESCOPE_LIST:
            told = "is in no student's folder" if is_code(file.name) else "is not a folder or an archive"
            left_out.append(f"{shown(file.name)} {told}")
    return sources + [_of_uploads(own) for own in uploads.values()], left_out


def _canvas(listing: Listing) -> dict[str, Upload]:
    """The uploads by the names that Canvas gave them.

    A number that several names share is no user's but part of a name like ``smith_2026_01_homework.zip``: such an
    archive is a submission of its own. Other files are none, so they stay with the name in front.
    """
    found = {file.name: upload for file in listing.files if (upload := platforms.from_canvas(file.name))}
    names: dict[str, set[str]] = {}
    for upload in found.values():
        names.setdefault(upload.user, set()).add(upload.student)
    return {name: upload for name, upload in found.items() if len(names[upload.user]) == 1 or not is_archive(name)}


def _gradescope(listing: Listing) -> "dict[str, tuple[Upload, ...]]":
    for file in listing.files:
        if file.name == platforms.GRADESCOPE_LIST:
            try:
                return dict(platforms.from_gradescope(file.read(platforms.LARGEST_LIST)))
            except UnreadableError:
                return {}
    return {}


def _handed_in_together(folder: Folder, people: Sequence[Upload]) -> list[Source]:
    """A submission of several people counts for each of them."""
    names = [shown(person.student) for person in people]
    return [
        Source(
            name,
            lambda: folder,
            person.user or folder.name,
            tuple(f"Handed in together with {other}." for other in names if other != name),
        )
        for name, person in zip(names, people, strict=True)
    ]


def _of_uploads(uploads: Sequence[tuple[Upload, File | Folder]]) -> Source:
    """What one student uploaded, as one submission. Of files that the student gave the same name the latest counts."""
    first = uploads[0][0]
    remarks: list[str] = []
    files: dict[str, tuple[int, File]] = {}
    folders: list[Folder] = []
    together = {upload.original for upload, _ in uploads}
    for upload, found in sorted(uploads, key=lambda pair: (pair[0].number, sort_key(pair[1].name))):
        if upload.is_text:
            remarks.append(f"{shown(found.name)} was typed into the platform and not read: files are graded.")
        elif isinstance(found, Folder):
            folders.append(found)
        else:
            name = platforms.before_canvas(upload.original, together) if upload.number else upload.original
            if name in files:
                remarks.append(f"{shown(name)} was handed in more than once. The latest was read: {shown(found.name)}.")
            files[name] = upload.number, File(name, found.read)
    if any(upload.is_late for upload, _ in uploads):
        remarks.append("Canvas marks this submission as late.")
    if len(folders) == 1 and not files:
        return Source(shown(first.student), lambda: folders[0], first.user, tuple(remarks))
    listing = Listing(tuple(file for _, file in files.values()), tuple(folders))
    return Source(shown(first.student), lambda: Folder(first.student, lambda: listing), first.user, tuple(remarks))


def _told_apart(sources: Sequence[Source]) -> list[Source]:
    """The sources under names that no two share, also where a system sees no difference: case, and forms of Unicode."""
    alike: dict[str, list[Source]] = {}
    for source in sources:
        alike.setdefault(_folded(source.student), []).append(source)
    taken = set(alike)
    apart: list[Source] = []
    for same in alike.values():
        if len(same) == 1:
            apart += same
            continue
        for place, source in enumerate(sorted(same, key=lambda source: (source.apart, sort_key(source.student)))):
            marks = (source.apart or str(place + 1), *map(str, range(2, len(sources) + 2)))
            names = (source.student, *(f"{source.student} ({shown(mark)})" for mark in marks))
            name = (
                names[0] if place == 0 and not source.apart else next(n for n in names[1:] if _folded(n) not in taken)
            )
            taken.add(_folded(name))
            apart.append(replace(source, student=name, remarks=(*source.remarks, ALIKE)))
    return apart


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
