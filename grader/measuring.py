"""What the figures are drawn from: the data of all of them, measured while others are drawn.

Measuring and drawing take about as long. The reference is measured by a process of its own, which begins before what
drawing needs is even imported; it needs NumPy alone, and so does this module.
"""

import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from grader.kit import FIGURES
from grader.processes import Pool

if TYPE_CHECKING:
    from figures.functions import Functions

Coming = Mapping[str, Future[Any]]
"""The data of each figure by its name, in the order in which they come.

The exception is ``Unusable`` where a function gave nothing that can be drawn.
"""

SLOWEST = "fig02_recurrence"
"""Its thousands of singular values are found while the others are drawn."""


def find_figures() -> None:
    """Make ``figures`` importable from among the kit's files; a folder of the user's may have the same name."""
    if "figures" in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(
        "figures", FIGURES / "__init__.py", submodule_search_locations=[str(FIGURES)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{FIGURES} cannot be imported")
    package = importlib.util.module_from_spec(spec)
    sys.modules["figures"] = package
    spec.loader.exec_module(package)


def figure_names() -> tuple[str, ...]:
    """The names of all figures, in the order of the lessons."""
    find_figures()
    from figures import NAMES  # noqa: PLC0415

    return tuple(NAMES)


def measure(name: str, functions: "Functions") -> Any:
    """What one figure is drawn from. Raises ``Unusable``."""
    find_figures()
    from figures.drawing import module  # noqa: PLC0415

    return module(name).data(functions)


@contextmanager
def reference_data() -> Iterator[Coming]:
    """The data of all figures, from the kit's own functions."""
    with measured_ahead(Pool(1), _of_the_reference) as coming:
        yield coming


@contextmanager
def measured_ahead(executor: Executor, of: Callable[[str], Any]) -> Iterator[Coming]:
    """The data of all figures, by a function of a figure's name and the only worker that an executor has.

    Whoever stops looking waits for the figure that is being measured and for no more.
    """
    order = sorted(figure_names(), key=lambda name: name == SLOWEST)
    try:
        yield {name: executor.submit(of, name) for name in order}
    finally:
        executor.shutdown(cancel_futures=True)


def reference_functions() -> "Functions":
    """The kit's own functions, called in this process."""
    find_figures()
    from figures.functions import Reference  # noqa: PLC0415

    return Reference()


def _of_the_reference(name: str) -> Any:
    return measure(name, reference_functions())
