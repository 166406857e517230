"""Text that is only text. Names, messages and logs come from others, and a terminal obeys what it reads."""

from __future__ import annotations

CONTROLS = (*range(0x20), *range(0x7F, 0xA0))  # C0, DEL, C1
TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))  # show text in another order than it has
ESCAPED = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (*CONTROLS, *TURNS)
    if chr(code) not in "\n\t"
}


def harmless(text: str) -> str:
    """With every character that speaks to the terminal written out: `\\x1b`. Lines and tabs stay."""
    return text if text.isprintable() else text.translate(ESCAPED)
