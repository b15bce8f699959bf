"""Imports the submission's lesson files by their lesson's name, whatever the files are called."""

import builtins
import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any

_compile, _exec, _import = compile, exec, importlib.import_module


class Lessons(MetaPathFinder, Loader):
    """The finder and loader of the lessons.

    ``folder`` is where the submission lies, ``files`` its content by relative path, ``modules`` maps a lesson's name
    to the path of its file. A lesson that failed to load fails in the same way each time that it is imported.
    """

    def __init__(self, folder: str, files: dict[str, bytes], modules: dict[str, str]) -> None:
        self._folder = folder
        self._files = files
        self._modules = modules
        self._builtins = ModuleType("builtins")
        vars(self._builtins).update(vars(builtins))
        self._failed: dict[str, tuple[BaseException, TracebackType | None]] = {}
        self.loaded: dict[str, ModuleType] = {}

    def install(self) -> None:
        """Serve the lessons before any other module, and the submission's other modules after all others.

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
        self._failed[name] = (ImportError(f"{name} does not load: {reason}", name=name), None)

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
        """The lesson's spec; None for every other module."""
        if fullname not in self._modules:
            return None
        spec = ModuleSpec(fullname, self, origin=str(Path(self._folder, self._modules[fullname])))
        spec.has_location = True
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """The import system's own kind of module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the lesson's file in the module. Raises whatever it raises."""
        name = module.__name__
        if name in self._failed:
            error, traceback = self._failed[name]
            raise error.with_traceback(traceback)
        vars(module)["__builtins__"] = vars(self._builtins)
        try:
            _exec(self._code(name), vars(module))
        except BaseException as error:
            self._failed[name] = (error, error.__traceback__)
            raise
        self.loaded[name] = module

    def get_source(self, name: str) -> str | None:
        """The lesson's text, as tracebacks ask for it."""
        return self._files[self._modules[name]].decode("utf-8", "replace")

    def _code(self, name: str) -> CodeType:
        file = self._modules[name]
        code: Any = _compile(self._files[file], str(Path(self._folder, file)), "exec", dont_inherit=True)
        assert isinstance(code, CodeType)
        return code
