"""Makes the texts of students harmless to whoever looks at them.

nbgrader's pages show a text cell with whatever HTML is in it, and formgrader does so with the rights of the teacher who
is logged in there. So each text is rendered here as it will be there. Where the result holds anything that Markdown
alone does not make, the text is taken apart, only as far as it has to be, with a sign that nobody sees.
"""

import base64
import binascii
import re
from collections.abc import Collection, Iterable
from html import unescape
from typing import Any
from urllib.parse import quote, unquote

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode

from grader.nbgrader_plugin.cells import Pictures, new_cell

LONGEST_TEXT = 10_000
"""Characters of one text cell. Some texts take a time that grows with the square of their length."""
LONGEST_TEXTS = 60_000
"""Characters of all text cells of a notebook."""
LARGEST_PICTURES = 8 * 2**20
"""Bytes of all pictures in the text cells of a notebook."""
UNSEEN = "\N{WORD JOINER}"
_KINDS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
"""How the files begin that count as pictures."""
_INLINE = re.compile(r"(!\[[^\]\n]{0,200}\])\(data:image/\w+;base64,([A-Za-z0-9+/=]++)\)")
"""A picture within a text, as Colab puts it there."""
_PLAIN_TAG = re.compile(r"\s*</?(?:b|br|i|sub|sup|u)\s*/?>\s*")
_WEB = re.compile(r"https?://[^/\\?#]|mailto:|#", re.IGNORECASE)
_BESIDE = re.compile(r"\w(?!.*\.\.)[^:\\]*", re.DOTALL)
"""Where a picture's file lies that was handed in with the notebook."""
_MACRO = re.compile(r"\\(?:class|cssId|href|require|style)(?![A-Za-z])")
"""What MathJax makes links and the like of. In nbgrader's pages it is told not to, in others it may not be."""


def make_harmless(cells: Iterable[NotebookNode], ours: Collection[str], names: Collection[str]) -> list[str]:
    """Make the text cells among a notebook's mended cells harmless, and say what that took.

    ``ours`` are the teacher's texts, and ``names`` the ids by which nbgrader's pages find what belongs to a cell.
    """
    texts = _Texts({name + end for name in names for end in ("", "-comment", "_extra_credit")})
    for cell in cells:
        is_ours = cell.source in ours and "attachment:" not in cell.source
        if cell.cell_type != "code" and not cell.metadata.get("nbgrader", {}).get("locked") and not is_ours:
            texts.make_harmless(cell)
    return list(dict.fromkeys(texts.remarks))


class _Texts:
    """The texts of one notebook, one after the other, until their bounds are reached."""

    def __init__(self, ids: Collection[str]) -> None:
        self.remarks: list[str] = []
        self._ids = ids
        self._letters_left = LONGEST_TEXTS
        self._bytes_left = LARGEST_PICTURES

    def make_harmless(self, cell: NotebookNode) -> None:
        """Change a cell where it has to be."""
        pictures = self._checked(cell.get("attachments", {}))
        text = self._short(self._with_pictures_apart(cell.source, pictures))
        # A raw cell goes into the page as it is; as it was written it can be shown in a text cell alone.
        text = _as_written(text) if cell.cell_type == "raw" and text.strip() else self._apart(text, pictures)
        cell.pop("attachments", None)
        cell.update(new_cell("markdown", text, cell.metadata, pictures))

    def _checked(self, pictures: Pictures) -> Pictures:
        """Those that are what they claim to be, under the names by which nbconvert looks for them."""
        kept: Pictures = {}
        for name, forms in pictures.items():
            if picture := next(filter(None, map(self._picture, forms.values())), None):
                kept[quote(name, safe="/:?#@!$&()*+,;=", errors="replace")] = picture
        return kept

    def _picture(self, code: str) -> dict[str, str]:
        """A picture by its kind; nothing when it is none, or when there are too many."""
        try:
            content = base64.b64decode("".join(code.split()), validate=True)
        except (binascii.Error, ValueError):
            content = b""
        kind = next((kind for begin, kind in _KINDS.items() if content.startswith(begin)), "")
        if not kind:
            self.remarks.append("A picture in a text cell is neither PNG nor JPEG nor GIF, and was left out.")
            return {}
        if len(content) > self._bytes_left:
            limit = LARGEST_PICTURES >> 20
            self.remarks.append(f"The pictures in the text cells are larger than {limit} MB; some were left out.")
            return {}
        self._bytes_left -= len(content)
        return {kind: base64.b64encode(content).decode("ascii")}

    def _with_pictures_apart(self, text: str, pictures: Pictures) -> str:
        """The text with the pictures that are written out in it among those of the cell."""

        def put(found: re.Match[str]) -> str:
            name = f"written-{len(pictures) + 1}"
            if picture := self._picture(found[2]):
                pictures[name] = picture
            return f"{found[1]}(attachment:{name})"

        return _INLINE.sub(put, text)

    def _short(self, text: str) -> str:
        """As much of a text as is shown."""
        limit = min(LONGEST_TEXT, self._letters_left)
        self._letters_left -= min(len(text), limit)
        if len(text) <= limit:
            return text
        self.remarks.append(
            f"Of the text cells only the beginning is shown: of each {LONGEST_TEXT:,} characters, of all "
            f"{LONGEST_TEXTS:,}."
        )
        return f"{text[:limit]}\n\n..."

    def _apart(self, text: str, pictures: Pictures) -> str:
        """The text taken apart as far as it has to be."""
        apart = text
        said: list[str] = []
        for begin, remark in _steps(pictures):
            if self._is_harmless(apart, pictures):
                break
            before, apart = apart, begin.sub(lambda found: found[0] + ("" if found.lastindex else UNSEEN), apart)
            said += [remark] if apart != before else []
        else:
            if not self._is_harmless(apart, pictures):
                self.remarks.append("A text cell is shown as it was written, since a page cannot show it otherwise.")
                return _as_written(text)
        self.remarks += said
        return apart

    def _is_harmless(self, text: str, pictures: Pictures) -> bool:
        page = _Page(pictures, self._ids)
        try:
            shown = MarkdownWithMath(renderer=page).render(text)
        except Exception:  # whatever it is, formgrader and feedback would fail with it too
            return False
        return not page.is_harmful and not _MACRO.search(shown)


def _steps(pictures: Pictures) -> list[tuple[re.Pattern[str], str]]:
    """How what can do harm begins, the most likely first, and what is said when it is broken there.

    Where a group of a pattern matches there is nothing to break.
    """
    there = "|".join(map(re.escape, pictures)) or "(?!)"
    return [
        (re.compile(r"<(?=[A-Za-z/!?])"), "HTML in a text cell is shown as it was written."),
        (
            re.compile(rf"(!\[[^\]\n]*\]\(attachment:(?:{there})[ )])|!\[[^\]\n]*\](?=\()|!(?=\[)"),
            "A text cell shows a picture that is not in the notebook: paste the picture itself into it.",
        ),
        (re.compile(r"\](?=[(\[:])"), "A link that leads to no page of the web is shown as it was written."),
    ]


def _as_written(text: str) -> str:
    """A text that Markdown shows as it is: within a fence that is longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


class _Page(IPythonRenderer):
    """Renders a text as nbgrader's pages do, and notes whether the result may do harm."""

    def __init__(self, pictures: Pictures, ids: Collection[str]) -> None:
        super().__init__(escape=False, attachments=pictures)
        self._ids = ids
        self.is_harmful = False

    def block_html(self, html: str) -> str:
        self._see(_PLAIN_TAG.fullmatch(html))
        return super().block_html(html)

    def inline_html(self, html: str) -> str:
        self._see(_PLAIN_TAG.fullmatch(html))
        return super().inline_html(html)

    def block_mermaidjs(self, code: str) -> str:
        self._see(None)  # it goes into the page as it is
        return super().block_mermaidjs(code)

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        html = super().heading(text, level, **attrs)
        found = re.match(r'<h\d id="([^"]*)"', html)
        self._see(found is None or unescape(found[1]) not in self._ids)
        return html

    def link(self, text: str, url: str, title: str | None = None) -> str:
        self._see(_WEB.match(_decoded(url)))
        return super().link(text, url, title)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        # Of those of the cell we have seen the bytes; a name that is not there is an error in the renderer.
        self._see(url.startswith("attachment:") or _BESIDE.fullmatch(unquote(_decoded(url))))
        return super().image(text, url, title)

    def _see(self, is_fine: object) -> None:
        self.is_harmful |= not is_fine


def _decoded(url: str) -> str:
    """A URL as a browser reads it, after all the ways to write a letter otherwise."""
    while (plain := unescape(url)) != url:
        url = plain
    return re.sub(r"[\x00-\x20]", "", url)
