"""Imports the submission's lesson files by their lesson's name, whatever the files are called.

A file that is several lessons is one module under several names, so that what stands in for a function of one lesson
does so for all that is in the file.
"""

import builtins
import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any

from .cells import Cells, Loss
from .notebooks import NOTEBOOK, NotebookError, cell_file, code_cells

_compile, _exec, _import = compile, exec, importlib.import_module
_find, _frame = PathFinder.find_spec, sys._getframe
_IMPORTLIB = ("<frozen importlib", _import.__code__.co_filename)
"""How the names of the files begin that the import system's own code is from."""


class Lessons(MetaPathFinder, Loader):
    """The finder and loader of the lessons.

    ``folder`` is where the submission lies, ``files`` its content by relative path, ``modules`` maps a lesson's name
    to the path of its file, ``before_cell`` is told the lesson and the number of each notebook cell that is about to
    run. A lesson that failed to load fails in the same way each time that it is imported.

    ``texts`` is what can stand in a traceback: the files, and each cell under a name of its own.
    """

    def __init__(
        self, folder: str, files: dict[str, bytes], modules: dict[str, str], before_cell: Callable[[str, int], None]
    ) -> None:
        self._folder = folder
        self._files = files
        self._modules = modules
        self._before_cell = before_cell
        self._skipped: dict[str, set[int]] = {}
        self._shared: dict[str, ModuleType] = {}
        self.texts = dict(files)
        self._losses: dict[str, list[Loss]] = {}
        self._builtins = ModuleType("builtins")
        vars(self._builtins).update(vars(builtins))
        self._failed: dict[str, tuple[BaseException, TracebackType | None]] = {}
        self.loaded: dict[str, ModuleType] = {}

    def install(self) -> None:
        """Serve the lessons before any other module, and the submission's other modules after all others.

        For imports that the submission itself makes, all of its modules come before those of the same name that are not
        loaded yet: its ``test.py`` or ``code.py`` is what its author means. For imports that NumPy or the standard
        library make they do not, so a ``secrets.py`` breaks neither.

        The submission gets builtins of its own: it may patch them without breaking what serves it.
        """
        sys.modules["builtins"] = self._builtins
        sys.meta_path.insert(0, self)
        sys.path.append(self._folder)

    def load(self, name: str) -> ModuleType:
        """Import a lesson. Raises ``ModuleNotFoundError`` when it has no file, and whatever its own code raises."""
        if name not in self._modules:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        _import(name)
        return self.loaded[name]

    def bar(self, name: str, reason: str) -> None:
        """Have every import of this lesson fail: it ended an earlier process and would end this one."""
        self._failed[self._modules[name]] = (ImportError(f"{name} does not load: {reason}", name=name), None)

    def skip(self, name: str, cell: int) -> None:
        """Leave out a cell of a lesson's notebook: it ended an earlier process and would end this one."""
        self._skipped.setdefault(self._modules[name], set()).add(cell)

    def lost(self, name: str) -> list[Loss]:
        """What the failed cells of a lesson's file cost."""
        return self._losses.get(self._modules[name], [])

    def of_submission(self) -> list[ModuleType]:
        """Every module that came from the submission's folder and is loaded, or half loaded, by now."""
        return [module for module in list(sys.modules.values()) if self._is_own(module)]

    def _is_own(self, module: object) -> bool:
        if type(module) is not ModuleType:
            return False
        file = vars(module).get("__file__")
        return type(file) is str and file.startswith(self._folder)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a lesson, or of another module of the submission if that asks for it; None for all others."""
        if fullname not in self._modules:
            return self._own_spec(fullname) if path is None and self._is_own_import() else None
        spec = ModuleSpec(fullname, self, origin=str(Path(self._folder, self._modules[fullname])))
        spec.has_location = True
        return spec

    def _own_spec(self, name: str) -> ModuleSpec | None:
        spec = _find(name, [self._folder])
        return (
            spec if spec is not None and spec.origin is not None else None
        )  # a mere folder comes last, as it always does

    def _is_own_import(self) -> bool:
        frame: FrameType | None = _frame(1)
        while frame is not None and (
            frame.f_code.co_filename.startswith(_IMPORTLIB) or frame.f_code.co_filename == __file__
        ):
            frame = frame.f_back
        return frame is not None and frame.f_code.co_filename.startswith(self._folder)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """The import system's own kind of module, or the one that the same file is already."""
        return self._shared.get(self._modules[spec.name])

    def exec_module(self, module: ModuleType) -> None:
        """Run the lesson's file in the module. Raises whatever it raises, but for a notebook's cells."""
        spec = module.__spec__
        assert spec is not None
        name, file = spec.name, self._modules[spec.name]
        if file in self._failed:
            error, traceback = self._failed[file]
            raise error.with_traceback(traceback)
        if file not in self._shared:
            self._shared[file] = module
            vars(module)["__builtins__"] = vars(self._builtins)
            try:
                self._run(name, file, vars(module))
            except BaseException as error:
                self._failed[file] = (error, error.__traceback__)
                del self._shared[file]
                raise
        self.loaded[name] = module

    def get_source(self, name: str) -> str | None:
        """The lesson's text, as tracebacks ask for it."""
        return self._files[self._modules[name]].decode("utf-8", "replace")

    def _run(self, name: str, file: str, names: dict[str, Any]) -> None:
        place = str(Path(self._folder, file))
        if not file.lower().endswith(NOTEBOOK):
            code: Any = _compile(self._files[file], place, "exec", dont_inherit=True)
            assert isinstance(code, CodeType)
            _exec(code, names)
            return
        try:
            cells = code_cells(self._files[file])
        except NotebookError as error:
            raise ImportError(f"{file} is no notebook that can be read: {error}", name=name) from None
        for cell in cells:
            self.texts[cell_file(file, cell.number)] = cell.source.encode("utf-8", "replace")
        runner = Cells(
            cells,
            lambda number: cell_file(place, number),
            lambda number: self._before_cell(name, number),
            lambda imported: self._modules_beside(file, imported),
            self._skipped.get(file, set()),
        )
        self._losses[file] = runner.run(names)

    @contextmanager
    def _modules_beside(self, file: str, imported: list[str]) -> Iterator[None]:
        """Let a notebook that imports its own name get the module of that name beside it, as it does in Jupyter."""
        own = [name for name in imported if self._modules.get(name) == file and f"{name}.py" in self._files]
        aside = {name: sys.modules.pop(name) for name in own if name in sys.modules}
        for name in own:
            del self._modules[name]
            if beside := sys.modules.get(f"{name}.py"):
                sys.modules[name] = beside
        try:
            yield
        finally:
            for name in own:
                self._modules[name] = file
                if beside := sys.modules.pop(name, None):
                    sys.modules[f"{name}.py"] = beside
            sys.modules.update(aside)
