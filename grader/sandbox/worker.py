"""A worker: the grader's side of the processes that serve submissions, one after another or side by side."""

import contextlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from types import TracebackType
from typing import Self

from grader.sandbox.launch import Child, Launcher, launcher
from grader.sandbox.session import Session
from grader.sandbox.terms import Limits, Rung, SandboxFault


class Worker:
    """Runs submissions on one rung under the same limits. A context manager, for the thread that enters it."""

    def __init__(self, rung: Rung, limits: Limits) -> None:
        self.rung = rung
        self.limits = limits
        self._is_open = False
        self._launcher: Launcher | None = None

    def __enter__(self) -> Self:
        """Start. Raises ``SandboxFault`` when the rung does not work here."""
        self._is_open = True
        self._launcher = launcher(self.rung, self.limits)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_open = False
        if self._launcher is not None:
            self._launcher.close()
            self._launcher = None

    def open(self, files: Mapping[str, bytes], modules: Mapping[str, str]) -> Session:
        """A session with one submission.

        ``files`` maps relative POSIX paths to contents, ``modules`` the name of a lesson to the path of its file.
        Raises ``ValueError`` for a path that leads out of the submission or to no file, and ``SandboxFault`` when no
        process starts.
        """
        for path in files:
            parts = PurePosixPath(path).parts
            if not parts or path.startswith("/") or ".." in parts or "\0" in path or "\\" in path:
                raise ValueError(f"{path!r} is no path inside a submission")
        if strays := set(modules.values()) - set(files):
            raise ValueError(f"{min(strays)!r} is not among the files")
        return Session(self._child, self.limits, files, modules)

    def _child(self) -> Child:
        """A fresh child; when the warm parent fails, from a new one."""
        if not self._is_open:
            raise SandboxFault("The worker is closed.")
        if self._launcher is not None:
            try:
                return self._launcher.child()
            except SandboxFault:
                with contextlib.suppress(OSError):
                    self._launcher.close()
                self._launcher = None
        self._launcher = launcher(self.rung, self.limits)
        return self._launcher.child()
