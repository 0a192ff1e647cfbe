"""Making model text safe to write to a terminal. It must not know when that is wanted."""

from __future__ import annotations

_BIDI_CONTROLS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_VISIBLE: dict[int, int | str] = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"},
    0x7F: 0x2421,
    **{code: f"<U+{code:04X}>" for code in (*range(0x80, 0xA0), *_BIDI_CONTROLS)},
}


def neutralise(text: str) -> str:
    """Show control characters instead of obeying them, so that no text can drive a terminal or hide its order.

    C0 (without tab and newline) and DEL become control pictures, ESC as `␛`; C1 and the bidirectional embeddings,
    overrides and isolates become `<U+009B>`. Directional marks and joiners stay: scripts and emoji need them.
    Character by character, so pieces of a stream may be treated one by one.
    """
    return text.translate(_VISIBLE)
