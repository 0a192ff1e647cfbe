"""Tells the instruction from the material: which part of the argument or of stdin says what to do with the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from specgen.tasks.lexicon import Ask
from specgen.tasks.reading import Reading, read
from specgen.tasks.sample import Sample, take

MOST_WORDS = 70
"""Longer paragraphs are material, never an instruction."""
MOST_CHARACTERS = 12 * MOST_WORDS
SHORT = 30
"""Words of a paragraph that is read as one request even if the request is not its beginning."""
BRIEF = 15
"""Words of a line inside a paragraph that "please" alone makes a request."""

BEGINNING = "the beginning of the input"
END = "the end of the input"


@dataclass(frozen=True, slots=True)
class Request:
    """`material` is None where no input is supplied. `place` says where the instruction stood, for people."""

    reading: Reading | None
    material: Sample | None
    place: str


_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)[^\n`]{0,40}$", re.MULTILINE)
_QUOTE = re.compile(
    r"\"([^\"]{12,})\"|“([^“”]{12,})”|«([^«»]{12,})»|„([^„“”]{12,})[“”]|「([^「」]{8,})」|`([^`]{8,})`"
    r"|'([^'\n]{25,})'"
)
_COLON = re.compile(r"[:\uff1a]\s{0,4}")
_COLONS = (":", "\uff1a")
_FIRST_SENTENCE = re.compile(r"[.!?]\s{1,4}")
_COMMENT = re.compile(r"^\s*(?://+|#+!?|/\*+|--+|<!--|;+|%+)\s*")
_LIST_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s")
_TODO = re.compile(r"^\W*(?:TODO|FIXME|XXX|HACK)\b")
_CODE_MARKS = re.compile(
    r"[{}();=<>\[\]]|->|::|\b(?:def|return|function|SELECT|FROM|WHERE|ORDER BY|JOIN|UPDATE|INSERT INTO)\b"
)
_PLEA = re.compile(
    r"\b(?:please|pls|plz|kindly|(?:can|could|would) you|bitte|kannst du|könntest du|können sie|stp|svp"
    r"|s'il (?:te|vous)|merci de|peux-tu|pouvez-vous|por favor|puedes|podrías|você pode|pode|per favore|puoi|potresti"
    r"|alsjeblieft|alstublieft|graag|kun je|proszę|możesz|пожалуйста|можешь|будь ласка|lütfen|prosím|snälla|venligst"
    r"|tack|te rog|kérlek|tolong|vui lòng)\b"
    r"|请|請|ください|下さい|お願い|주세요|줘|παρακαλώ|من فضلك|בבקשה|कृपया",
    re.IGNORECASE,
)
_RULES = ("---", "===", "***", "___", "```", '"""')
_HEADINGS = (
    "summary", "abstract", "overview", "digest", "highlights", "minutes", "tldr", "recap", "rundown", "essentials",
    "most important", "key points", "main points", "takeaways", "release notes", "changelog", "action items",
    "documentation", "docs", "tests", "zusammenfassung", "uberblick", "fazit", "protokoll", "resumen", "resumo",
    "sintesis", "acta", "verbale", "notulen",
)  # fmt: skip
"""Words that are a request after "please", and a title where they stand alone above a text."""


def locate(prompt: str, piped: str) -> Request:
    """Find instruction and material. With an argument, nothing inside stdin is an instruction."""
    argument, stdin = take(prompt), take(piped)
    if argument.blank:
        return Request(None, None, "") if stdin.blank else _from_stdin(stdin)
    text = _text(argument)
    if not stdin.blank:
        instruction = next((found for found, source in (_split_fences(text), _split_blocks(text)) if source), text)
        return Request(read(instruction), stdin, "the argument")
    instruction, source = _split_argument(text)
    if source:
        material = take(source) if argument.whole else Sample(source, "", "", argument.length)
        return Request(read(instruction), material, "the argument")
    return Request(read(text), None, "the argument")


def _text(sample: Sample) -> str:
    return sample.head if sample.whole else f"{sample.head}\n\n{sample.tail}"


def _from_stdin(stdin: Sample) -> Request:
    text = _text(stdin).strip()
    best: tuple[float, Reading, str, str] | None = None
    for candidate, rest, place, apart in _edges(text):
        score, reading = _request_score(candidate, at_end=place == END, apart=apart)
        if reading is not None and (best is None or score > best[0]):
            best = (score, reading, rest, place)
    if best is None and "\n" not in text:
        instruction, source = _split_argument(text)
        if source:
            best = (0.0, read(instruction), source, "the input")
    if best is None:
        return Request(None, stdin, "")
    _, reading, rest, place = best
    return Request(reading, Sample(rest, "", "", len(rest) if stdin.whole else stdin.length), place)


def _edges(text: str) -> Iterator[tuple[str, str, str, bool]]:
    """First and last paragraph and line: the rest of the text, the place, and whether a blank line sets it apart."""
    blanks = list(_BLANK_LINE.finditer(text))
    if blanks:
        yield text[: blanks[0].start()], text[blanks[0].end() :], BEGINNING, True
        yield text[blanks[-1].end() :], text[: blanks[-1].start()], END, True
    first, newline, after = text.partition("\n")
    if newline and not (blanks and blanks[0].start() == len(first)):
        yield first, after, BEGINNING, False
    before, newline, last = text.rpartition("\n")
    if newline and not (blanks and blanks[-1].end() == len(before) + 1):
        yield last, before, END, before.rstrip().endswith(_RULES)


def _request_score(candidate: str, *, at_end: bool, apart: bool) -> tuple[float, Reading | None]:
    """How much a paragraph of stdin reads like a request about the rest; None where it does not."""
    line = candidate.strip().strip("-=*_ \n")
    if not _may_be_request(candidate, line):
        return 0.0, None
    words = len(line.split())
    reading = read(_COMMENT.sub("", line))
    wish = max(reading.wishes, key=lambda wish: wish.strength, default=None)
    if wish is None or wish.strength < 2 or (reading.lead > 1 and words > SHORT):
        return 0.0, None
    refers = Ask.REFER in reading.mentions
    polite = _PLEA.search(line) is not None or reading.question
    comment = _COMMENT.match(candidate) is not None
    heading = wish.words in _HEADINGS or line.lower().startswith(_HEADINGS)
    bare = not apart or wish.strength < 3 or heading or comment or "\n" in line
    if bare and not refers and not (polite and (comment or words <= BRIEF)):
        return 0.0, None
    directed = line.endswith(_COLONS) and not at_end
    return wish.strength + refers + directed + polite / 2 + at_end / 4, reading


def _may_be_request(candidate: str, line: str) -> bool:
    """Whether a paragraph is short, and no list item, reminder or code."""
    if not line or len(line) > MOST_CHARACTERS or len(line.split()) > MOST_WORDS:
        return False
    if _LIST_ITEM.match(candidate) or _TODO.match(line):
        return False
    return line[-1] not in "{};" and len(_CODE_MARKS.findall(line)) < 6


def _split_argument(text: str) -> tuple[str, str]:
    """Instruction and embedded source text of an argument; the source is empty where there is none."""
    text = text.strip()
    for split in (_split_fences, _split_blocks, _split_line):
        instruction, source = split(text)
        if source:
            return instruction, source
    return text, ""


def _split_fences(text: str) -> tuple[str, str]:
    fences = list(_FENCE.finditer(text))
    if not fences:
        return text, ""
    end = fences[-1] if len(fences) > 1 else None
    inside = text[fences[0].end() : end.start() if end else len(text)].strip("\n")
    outside = f"{text[: fences[0].start()]}\n{text[end.end() :] if end else ''}".strip()
    return (outside, inside) if len(outside.split()) <= 2 * MOST_WORDS else (text, "")


def _split_blocks(text: str) -> tuple[str, str]:
    """A request in the first or last paragraph (or line) of several."""
    best = (0.0, "", "")
    for candidate, rest, place, _ in _edges(text):
        short = len(candidate.split()) <= SHORT and len(candidate) <= MOST_CHARACTERS
        if _LIST_ITEM.match(candidate) or not _substantial(rest) or _is_remark(rest):
            continue
        if len(candidate.split()) > MOST_WORDS or len(candidate) > MOST_CHARACTERS:
            continue
        reading = read(candidate)
        leads = reading.lead <= 1
        directed = candidate.rstrip().endswith(_COLONS)
        strength = max((wish.strength for wish in reading.wishes), default=0)
        if not (leads or short) or not (strength >= 2 or directed):
            continue
        score = strength + leads + directed + (short + (Ask.REFER in reading.mentions) + (place == BEGINNING)) / 2
        if score > best[0]:
            best = (score, candidate, rest)
    return best[1:]


def _split_line(text: str) -> tuple[str, str]:
    """A request and its text in one paragraph: after a colon, in quotes, or after a first sentence."""
    for quote in _QUOTE.finditer(text):
        inner = next(group for group in quote.groups() if group is not None)
        if _substantial(inner):
            return f"{text[: quote.start()]} {text[quote.end() :]}".strip(), inner
    colon = _COLON.search(text)
    if colon is not None and colon.start() < 300:
        head, tail = text[: colon.start()], text[colon.end() :]
        if _substantial(tail) and read(head).wishes:
            return head, tail
    sentence = _FIRST_SENTENCE.search(text[:300])
    if sentence is not None and len(text.split()) > 60 and read(text[: sentence.start()]).wishes:
        return text[: sentence.start()], text[sentence.end() :]
    return text, ""


def _is_remark(rest: str) -> bool:
    """A last short line that is itself addressed to the model ("please think step by step")."""
    return "\n" not in rest.strip() and len(rest) < 200 and _PLEA.match(rest.lstrip()) is not None


def _substantial(text: str) -> bool:
    """Whether a text is long or code-like enough to be material rather than a remark."""
    words = len(text.split())
    if text.strip().count("\n") >= 2 and words >= 3:
        return True
    wide = sum(ord(character) > 0x2E80 for character in text[:200])
    if words >= 12 or wide >= 16:
        return True
    if len(_CODE_MARKS.findall(text[:500])) >= 3 and words >= 2:
        return True
    return words >= 6 and (text.rstrip()[-1:] in (".", "!", "。", "\uff01") or "\n" in text.strip())
