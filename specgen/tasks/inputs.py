"""Says what a supplied text is: code, configuration, markup, records, a log, a diff or prose. Knows no requests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from specgen.tasks.pieces import CONFIG_KEYS, CONFIG_NAMES, MARKUP_PIECES, SOURCE_PIECES, SUFFIXES, TRACE_PIECES
from specgen.tasks.sample import Sample


class Kind(Enum):
    """Coarse kind of a text; `is_source` kinds are edited as code."""

    CODE = "code"
    CONFIG = "configuration"
    MARKUP = "markup"
    DATA = "records"
    LOG = "log"
    TRACE = "error trace"
    DIFF = "diff"
    PROSE = "text"

    @property
    def is_source(self) -> bool:
        return self in (Kind.CODE, Kind.CONFIG, Kind.MARKUP)


@dataclass(frozen=True, slots=True)
class Material:
    """What the input is. `sure` in [0, 1]."""

    kind: Kind
    language: str | None
    sure: float


_SUFFIXES = {
    suffix: (Kind[kind], language)
    for kind, languages in SUFFIXES.items()
    for language, suffixes in languages.items()
    for suffix in suffixes.split()
}
_NAMES = {name: (Kind.CONFIG, language) for name, language in CONFIG_NAMES.items()}

_CSS_RULE = re.compile(r"^[^{}\n]{1,80}\{\s*$|^\s*[a-z-]{2,30}:[^;{}\n]{1,80};\s*$")
_YAML_LINE = re.compile(r"^\s*(?:- )?[\w.\"'/$-]{1,60}:(?:\s|$)|^\s*- \S|^\s*#|^---\s*$")
_PAIR_LINE = re.compile(r"^\s*[\w.-]{1,60}\s*=\s*\S|^\s*\[{1,2}[^\]]{1,80}\]{1,2}\s*$|^\s*[#;]")
_DOCKER_LINE = re.compile(
    r"^\s*(?:FROM|RUN|CMD|COPY|ADD|ENV|WORKDIR|EXPOSE|ENTRYPOINT|ARG|LABEL|USER|VOLUME|HEALTHCHECK)\s"
)
_BLOCK_LINE = re.compile(r"^\s*[\w.-]+(?:\s+[^\s{};]{1,60}){0,4}\s*[{;]\s*$|^\s*\}\s*$")
_LOG_LINE = re.compile(
    r"^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d"
    r"|\d{1,3}(?:\.\d{1,3}){3} )"
    r"|^(?:\S{1,40} ){0,3}\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)\b"
)
_COMMIT_LINE = re.compile(r"^[*+ -]{0,4}[0-9a-f]{7,40} \S")
_DELIMITERS = (";", "\t", "|", ",")
_JSON_ARRAY = re.compile(r"\[\s{0,40}(?:[\[{\"\]]|-?\d+[,.\s\]](?!\d?\d:)|(?:true|false|null)\b|$)")
_RULE_LINE = re.compile(r"^[\w./%-]+:(?: |$)|^\t\S")
_LINE_ENDS = ("{", "}", ";", "):", ");", "(", ")", "},", "*/")


def describe(sample: Sample, name: str | None) -> Material:
    """What the sampled text is. The file name decides where it is telling; else the content."""
    lines = [line[:200] for line in sample.lines() if line.strip()][:60]
    named = _from_name(name)
    if named is not None and named[0] is not Kind.PROSE:
        return Material(named[0], named[1], 0.98)
    by_content = _from_content(lines, plain=name is not None and name.lower().endswith(".txt"))
    if named is not None and by_content.kind is Kind.PROSE:
        return Material(named[0], named[1], 0.98)
    return by_content


def _from_name(name: str | None) -> tuple[Kind, str] | None:
    if not name:
        return None
    base = name[-300:].replace("\\", "/").rsplit("/", 1)[-1].lower()
    return _NAMES.get(base) or _SUFFIXES.get(base.rsplit(".", 1)[-1] if "." in base else "")


def _from_content(lines: Sequence[str], *, plain: bool) -> Material:
    if not lines:
        return Material(Kind.PROSE, None, 0.0)
    for recognise in _RECOGNISERS:
        found = recognise(lines)
        if found is not None and not (plain and found.sure < 0.8):
            return found
    return Material(Kind.PROSE, None, 0.8)


def _share(lines: Sequence[str], pattern: re.Pattern[str]) -> float:
    return sum(pattern.match(line) is not None for line in lines) / len(lines)


def _diff(lines: Sequence[str]) -> Material | None:
    marks = sum(line.startswith(("diff --git ", "@@ -", "--- a/", "+++ ", "--- ")) and len(line) > 5 for line in lines)
    return Material(Kind.DIFF, "diff", 0.95) if marks >= 2 else None


def _trace(lines: Sequence[str]) -> Material | None:
    text = "\n" + "\n".join(lines)
    if _share(lines, _LOG_LINE) < 0.5 and any(hint in text for hint in TRACE_PIECES):
        return Material(Kind.TRACE, None, 0.9)
    return None


def _log(lines: Sequence[str]) -> Material | None:
    if len(lines) >= 2 and _share(lines, _COMMIT_LINE) > 0.7:
        return Material(Kind.LOG, "commits", 0.9)
    return Material(Kind.LOG, None, 0.9) if _share(lines, _LOG_LINE) > 0.6 else None


def _json(lines: Sequence[str]) -> Material | None:
    text = "\n".join(lines)
    start = text.lstrip("\ufeff \n")
    if not start or start[0] not in "[{":
        return None
    if sum(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines) == len(lines) > 1:
        return Material(Kind.DATA, "JSON lines", 0.95)
    if _JSON_ARRAY.match(start):
        return Material(Kind.DATA, "JSON", 0.9)
    if start[0] == "{" and start[1:].lstrip()[:1] in ('"', ""):
        records = re.search(r":\s{0,3}\[\s{0,40}\{", text[:4000]) is not None
        configures = any(key in text for key in CONFIG_KEYS)
        return Material(Kind.CONFIG if configures and not records else Kind.DATA, "JSON", 0.75)
    return None


def _markup(lines: Sequence[str]) -> Material | None:
    text = "\n".join(lines)
    lowered = text.lower()
    if text.startswith("<?php"):
        return None
    for language, hints in MARKUP_PIECES.items():
        if sum(hint in lowered for hint in hints) >= 2:
            return Material(Kind.MARKUP, language, 0.9)
    if text.lstrip().startswith("<") and text.rstrip().endswith(">") and ("</" in text or "/>" in text):
        if any(hint in lowered for hint in MARKUP_PIECES["HTML"]) or "<svg" in lowered:
            return Material(Kind.MARKUP, "HTML", 0.85)
        configures = any(tag in lowered for tag in ("<project", "<configuration", "<beans", "<settings"))
        return Material(Kind.CONFIG if configures else Kind.DATA, "XML", 0.85)
    if len(lines) >= 3 and _share(lines, _CSS_RULE) > 0.5 and "{" in text and ":" in text:
        return Material(Kind.MARKUP, "CSS", 0.85)
    return None


def _code(lines: Sequence[str]) -> Material | None:
    text = "\n" + "\n".join(line.strip() for line in lines)[:4000] + "\n"
    scores = Counter(
        {name: sum(worth for piece, worth in pieces.items() if piece in text) for name, pieces in SOURCE_PIECES.items()}
    )
    if scores["TypeScript"] >= 2 and scores["JavaScript"] >= 1:
        scores["TypeScript"] += scores["JavaScript"]
    language, score = scores.most_common(1)[0]
    punctuated = sum(line.rstrip().endswith(_LINE_ENDS) for line in lines) / len(lines)
    wordy = _wordy(lines)
    needed = 4 if punctuated < 0.3 and (wordy or len(lines) > 3) else 3
    if score >= needed and not (wordy and punctuated < 0.15 and score < 8):
        return Material(Kind.CODE, language, min(0.95, 0.6 + score / 30))
    symbols = sum(text.count(mark) for mark in "=;(){}[]<>")
    dense = symbols >= 3 and symbols * 10 > len(text) if len(lines) <= 3 else punctuated > 0.6
    return Material(Kind.CODE, language if score else None, 0.6) if dense else None


def _wordy(lines: Sequence[str]) -> bool:
    """Whether the lines read like sentences: long, with few symbols."""
    text = " ".join(lines)
    symbols = sum(text.count(mark) for mark in "{}()[]=;<>_$#*/\\")
    return symbols < len(text) / 60 and len(text) > 80


def _config(lines: Sequence[str]) -> Material | None:
    if lines[0].startswith(("FROM ", "ARG ", "# syntax")) and _share(lines, _DOCKER_LINE) > 0.4:
        return Material(Kind.CONFIG, "Dockerfile", 0.95)
    if len(lines) >= 2 and _share(lines, _PAIR_LINE) > 0.8 and sum("=" in line for line in lines) * 2 >= len(lines):
        return Material(Kind.CONFIG, "INI" if any(line.lstrip().startswith("[") for line in lines) else "env", 0.85)
    if any(line.startswith("<<<<<<< ") for line in lines):
        return Material(Kind.CODE, "merge conflict", 0.9)
    if len(lines) >= 3 and _share(lines, _BLOCK_LINE) > 0.7:
        return Material(Kind.CONFIG, "configuration", 0.75)
    if len(lines) >= 3 and _share(lines, _RULE_LINE) > 0.8 and any(line.startswith("\t") for line in lines):
        return Material(Kind.CONFIG, "Make", 0.8)
    return _yaml(lines)


def _yaml(lines: Sequence[str]) -> Material | None:
    if len(lines) < 2 or _share(lines, _YAML_LINE) < 0.8 or sum(":" in line for line in lines) < len(lines) * 0.5:
        return None
    spoken = sum(line.rstrip().endswith((".", "?", "!")) or len(line.split()) > 9 for line in lines)
    nested = any(line.startswith((" ", "\t", "- ")) for line in lines)
    if spoken > len(lines) * 0.15 or not (nested or all(len(line.split()) <= 3 for line in lines)):
        return None
    records = sum(line.startswith("- ") and ":" in line for line in lines) >= 2
    return Material(Kind.DATA if records else Kind.CONFIG, "YAML", 0.7)


def _records(lines: Sequence[str]) -> Material | None:
    rows = [line for line in lines if line.strip("-|: +=")][:20]
    if len(rows) < 2:
        return None
    for delimiter in _DELIMITERS:
        widths = Counter(_fields(row, delimiter) for row in rows)
        width, count = widths.most_common(1)[0]
        if width < 2 or count < len(rows) * 0.8:
            continue
        words = sum(len(row.split()) for row in rows) / (len(rows) * width)
        ends = sum(row.rstrip().endswith((delimiter, ".", "?", "!")) for row in rows)
        if words <= (4 if width > 2 else 3) and (ends < len(rows) * 0.5 or delimiter == "|"):
            return Material(Kind.DATA, {"\t": "TSV", "|": "table"}.get(delimiter, "CSV"), 0.85 if width > 2 else 0.7)
    return None


def _listing(lines: Sequence[str]) -> Material | None:
    """Lines that begin alike (numbers, bullets) and are no sentences: tickets, tasks, a parts list."""
    if len(lines) < 3 or any(len(line) > 100 for line in lines):
        return None
    shape, count = Counter(_shape(line) for line in lines).most_common(1)[0]
    ends = sum(line.rstrip().endswith((".", "?", "!")) for line in lines)
    if count < len(lines) * 0.8 or ends > len(lines) * 0.2 or not shape or shape.isalpha():
        return None
    return Material(Kind.DATA, "list", 0.6)


def _shape(line: str) -> str:
    """First word with letters and digits made alike."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", (line.split() or [""])[0][:30]))


def _fields(row: str, delimiter: str) -> int:
    """Number of fields; delimiters inside double quotes do not count."""
    return sum(piece.count(delimiter) for piece in row.split('"')[::2]) + 1


_RECOGNISERS: tuple[Callable[[Sequence[str]], Material | None], ...] = (
    _diff, _trace, _log, _json, _markup, _records, _code, _config, _listing,
)  # fmt: skip
