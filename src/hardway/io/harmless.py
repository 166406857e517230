"""Text that is only text. Names, messages and logs come from others, and a terminal obeys what it reads."""

from __future__ import annotations

CONTROLS = (*range(0x20), *range(0x7F, 0xA0))  # C0, DEL, C1
TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))  # show text in another order than it has
HIDDEN = (0x061C, 0x180E, *range(0x200B, 0x2010), *range(0x2060, 0x2065), 0xFEFF)  # take no room, or turn text too
LINES = (0x2028, 0x2029)  # end a line where only a newline should
HALVES = range(0xD800, 0xE000)  # of surrogate pairs: bytes of a file's name that are not UTF-8, or a trick of JSON
ESCAPED = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (*CONTROLS, *TURNS, *HIDDEN, *LINES, *HALVES)
    if chr(code) not in "\n\t"
}
IN_A_LINE = ESCAPED | {ord("\n"): "\\n", ord("\t"): "\\t"}


def harmless(text: str) -> str:
    """With every character that speaks to the terminal written out: `\\x1b`. Lines and tabs stay."""
    return text if text.isprintable() else text.translate(ESCAPED)


def one_line(value: str) -> str:
    """A name or another value of somebody else's, for the middle of a message: it cannot begin a line of its own."""
    return value if value.isprintable() else value.translate(IN_A_LINE)
