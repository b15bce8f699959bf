"""How a module was saved: what Python makes of its bytes, and what is said where it cannot make anything of them."""

import ast
import codecs
import io
import tokenize

from grader.sandbox.inside.definitions import definitions

LARGEST_PARSED = 2**17
"""Bytes of a file in which functions are looked for: parsing happens outside the sandbox, and takes its time."""
_UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PLAIN_CODINGS = {"utf-8", "utf-8-sig", "iso-8859-1", "iso-8859-15", "cp1252", "ascii", "mac-roman"}
"""Codings that decode quickly and the same everywhere. What is in another is left to Python, in the sandbox."""


def repaired(name: str, content: bytes) -> tuple[bytes, str]:
    """The module as Python reads it, and what is said of it: UTF-16 is unambiguous and becomes UTF-8."""
    if not content.strip():
        return content, f"{name} is empty."
    coding = "UTF-32" if content.startswith(_UTF_32) else "UTF-16" if content.startswith(_UTF_16) else ""
    if not coding:
        return content, ""
    try:
        text = content.decode(coding)
    except UnicodeDecodeError:
        return content, ""
    return text.encode(), f"{name} is saved as {coding}, which Python does not run. It was read as if saved as UTF-8."


def problem(name: str, content: bytes) -> str:
    """Why nobody can tell what the text says; empty when Python reads it, or says so itself."""
    if content.startswith(_UTF_16):
        return f"{name} cannot be read: it begins like UTF-16, but is not; save it as UTF-8."
    if _coding(content) not in ("utf-8", "utf-8-sig"):
        return ""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"0x{content[error.start]:02x}"
        return f"{name} cannot be read: line {line} has a byte that is not UTF-8 ({byte}); save it as UTF-8."
    return ""


def defined(content: bytes) -> dict[str, bool]:
    """The names that a module defines, and whether each is untouched. Nothing where it cannot be parsed."""
    coding = _coding(content)
    if coding not in _PLAIN_CODINGS:
        return {}
    try:
        return parsed(content.decode(coding))
    except UnicodeDecodeError:
        return {}


def parsed(source: str) -> dict[str, bool]:
    """The names that source defines, and whether each is untouched. Nothing where it cannot be parsed."""
    try:
        return definitions(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}


def _coding(content: bytes) -> str:
    try:
        return tokenize.detect_encoding(io.BytesIO(content).readline)[0].lower()
    except (SyntaxError, UnicodeError):
        # Not UTF-8 within the first two lines, or a coding that Python does not know.
        return "utf-8" if b"coding" not in b"".join(content.splitlines()[:2]) else ""
