"""The best rung that works is taken, and why another does not is said."""

from collections.abc import Iterator

import pytest

from grader.sandbox import Rung, SandboxFault, Worker, best_rung, launch, rungs, why_not

from .conftest import LIMITS


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """No answer of one test may be remembered in another."""
    rungs.best_rung.cache_clear()
    rungs.why_not.cache_clear()
    yield
    rungs.best_rung.cache_clear()
    rungs.why_not.cache_clear()


def test_the_best_is_the_first_that_works() -> None:
    assert best_rung() is next(rung for rung in Rung if why_not(rung) is None)


def test_without_bubblewrap_the_next_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_bubblewrap", lambda limits: ["no-such-program"])
    assert best_rung() is not Rung.BUBBLEWRAP
    assert "no-such-program" in (why_not(Rung.BUBBLEWRAP) or "")


def test_a_jail_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "print('no user namespaces', file=__import__('sys').stderr)"
    monkeypatch.setattr(launch, "_bubblewrap", lambda limits: [str(launch._INTERPRETER), "-c", words])
    with pytest.raises(SandboxFault, match="no user namespaces"), Worker(Rung.BUBBLEWRAP, LIMITS):
        pass


def test_a_cage_that_does_not_close_is_no_rung(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_seccomp(entry: str, kit: object, packages: object, told: object) -> list[str]:
        command = original(entry, kit, packages, told)  # type: ignore[arg-type]
        at = command.index("-c") + 1
        refuse = "inside.seccomp.restrict = lambda program: 1 / 0; "
        command[at] = command[at].replace("main()", f"import inside.seccomp; {refuse}main()")
        return command

    original = launch._python
    monkeypatch.setattr(launch, "_python", without_seccomp)
    if why_not(Rung.PLAIN) is None:
        for rung in (Rung.BUBBLEWRAP, Rung.LANDLOCK):
            assert why_not(rung) is not None
        assert best_rung() is Rung.PLAIN


def test_each_rung_says_what_it_is() -> None:
    assert all(rung.label.endswith(".") for rung in Rung)
    assert "not a sandbox" in Rung.PLAIN.label
    assert "not a sandbox" not in Rung.BUBBLEWRAP.label + Rung.LANDLOCK.label
