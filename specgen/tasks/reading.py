"""Reads a request: clauses in, wishes out. Knows nothing of the input that the request is about.

The first deciding word of a clause says what it asks for; nouns decide where the verb is neutral ("give me the gist").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from specgen.tasks.lexicon import Ask, Hit, Token, has_unspaced_script, lexicon, normalise, tokenize

INSTRUCTION_HEAD = 600
INSTRUCTION_TAIL = 250
"""Characters of a long instruction that are read."""
MOST_CLAUSES = 32

PROGRAMMING = {
    "python": "Python", "py": "Python", "javascript": "JavaScript", "js": "JavaScript", "typescript": "TypeScript",
    "ts": "TypeScript", "go": "Go", "golang": "Go", "rust": "Rust", "c": "C", "cpp": "C++", "csharp": "C#",
    "java": "Java", "kotlin": "Kotlin", "swift": "Swift", "php": "PHP", "ruby": "Ruby", "perl": "Perl", "lua": "Lua",
    "r": "R", "scala": "Scala", "haskell": "Haskell", "bash": "Shell", "shell": "Shell", "powershell": "PowerShell",
    "sql": "SQL", "julia": "Julia", "elixir": "Elixir", "dart": "Dart", "zig": "Zig", "ocaml": "OCaml",
    "fortran": "Fortran",
    "clojure": "Clojure", "matlab": "Matlab", "assembly": "assembly", "awk": "awk", "nim": "Nim", "pandas": "pandas",
    "питон": "Python", "раст": "Rust",
}  # fmt: skip

_DECIDING = frozenset({
    Ask.SUMMARY, Ask.SHORTEN, Ask.PROOFREAD, Ask.CONVERT, Ask.EXTRACT, Ask.ARRANGE, Ask.EDIT, Ask.REWORK, Ask.TRANSLATE,
    Ask.ANSWER, Ask.CHECK, Ask.ASK, Ask.NEW,
})  # fmt: skip
_MUTED_BY_WRITING = frozenset({Ask.EDIT, Ask.ANSWER, Ask.TRANSLATE, Ask.CHECK, Ask.ASK, Ask.REWORK})
"""After "write ...", these words describe the new text."""
_REACH = 2
"""Words between a negation and what it denies."""
_CLAUSE_END = re.compile(
    r"\.(?=\s|$)|[,:](?!\d)|[;!?\n()…。、]|\s[-\u2013\u2014]+\s"
    r"|\b(?:and|then|und|et|y|и|och|og|ve|but|aber|mais|pero|но)\b"
)
_QUOTED = re.compile(
    r"`[^`\n]{0,200}`|\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|«[^»\n]{0,200}»|„[^“”\n]{0,200}[“”]|\b\w{1,60}\(\)"
)
_SENTENCE_END = re.compile(r"\.(?=\s|$)|[\n!?。]")
_CONJUNCTIONS = frozenset({
    "when", "where", "wenn", "wo", "wann", "quand", "ou", "cuando", "donde", "quando", "onde", "dove", "als", "wanneer",
    "kiedy", "gdzie", "когда", "где", "nar",
})  # fmt: skip
"""Question words that also begin a clause of time or place: "when the list is empty, return 0"."""
_LENGTH = re.compile(
    r"\b(?:\d{1,5}|one|two|three|four|five|zwei|drei|deux|trois|dos|tres|due|tre|dois)[ -]"
    r"(?:words?|sentences?|bullets?|characters?|lines?|worter|worte|satze|mots|phrases|palabras|palavras|frases|parole"
    r"|frasi|woorden|zinnen|slow|zdania|слов|предложени\w{1,3}|ord)\b|\d{1,5}\s?(?:字|語|文字|자)"
)
_UNSPACED_TARGET = re.compile(r"[用成为到為]\s?([a-z]{1,12})(?![\w.])|(?<![a-z.])([a-z]{1,12})\s?(?:に|へ|로|으로|で)")
_QUOTE_MARK = "qq"
"""Stands for a quoted piece: its words are not the request's, but it holds a place."""
_OPEN_QUESTIONS = (
    "what", "which", "can i", "could i", "was ", "welch", "worum", "quel", "lequel", "cual", "que ", "qua", "o que",
    "che ", "cosa", "wat ", "welk", "co ", "jak", "kt", "что", "как", "vad ", "vilk", "hva", "hvilk", "mitka",
)  # fmt: skip
"""Beginnings of questions that a summary can answer ("what are the key points"), unlike "is the summary right"."""
_DENIED_AFTER = ("ないで", "せず", "지 말", "지 마")


@dataclass(frozen=True, slots=True)
class Wish:
    """What one clause asks for. `strength`: 3 where the clause begins with it, 1 where it is only mentioned."""

    ask: Ask
    words: str
    strength: int
    named: bool = True
    """Whether a word says it; False where it was concluded ("only the dates" is an extraction)."""
    of_code: bool = False
    """Whether the clause is about a part of code: comments, type hints, messages."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole instruction: its wishes in order, and what else was mentioned anywhere in it."""

    wishes: tuple[Wish, ...]
    mentions: frozenset[Ask]
    target: str | None
    """Programming language that the answer shall be in."""
    to_format: bool
    """Whether a file or text format is asked for."""
    length: bool
    """Whether a length is given: "50 words"."""
    question: bool
    """Whether it ends with a question mark."""
    lead: int
    """How many clauses stand before the first wish."""


def read(instruction: str) -> Reading:
    """Read an instruction of any length and language; only a bounded part is looked at."""
    if len(instruction) > INSTRUCTION_HEAD + INSTRUCTION_TAIL:
        instruction = instruction[:INSTRUCTION_HEAD] + "\n" + instruction[-INSTRUCTION_TAIL:]
    text = normalise(_QUOTED.sub(f" {_QUOTE_MARK} ", instruction))
    wishes: list[Wish] = []
    mentions: set[Ask] = set()
    target: str | None = None
    to_format = False
    lead = 0
    for clause, may_ask in islice(_clauses(text), MOST_CLAUSES):
        tokens = tokenize(clause)
        hits = _undenied(clause, tokens, lexicon().find(clause, tokens))
        if not may_ask:
            hits = [hit for hit in hits if hit.ask is not Ask.ASK]
        asks = {hit.ask for hit in hits}
        formats = _names_format(clause, tokens, hits)
        mentions |= asks
        to_format |= formats
        target = target or _programming_target(clause, tokens, hits)
        of_code = _names_code(hits)
        wishes += [replace(wish, of_code=of_code) for wish in _wishes(clause, tokens, hits, formats=formats)]
        lead += not wishes
    length = _LENGTH.search(text) is not None
    return Reading(tuple(wishes), frozenset(mentions), target, to_format, length, text.rstrip().endswith("?"), lead)


def _clauses(text: str) -> Iterator[tuple[str, bool]]:
    """Clauses, each with whether a question word at its beginning asks (it may begin a relative or time clause)."""
    start = 0
    before = ""
    for end in chain(_CLAUSE_END.finditer(text), (None,)):
        clause = text[start : end.start() if end else len(text)]
        after = end.group() if end else ""
        if clause.strip():
            time_clause = after == "," and clause.split()[0] in _CONJUNCTIONS
            yield clause, not (before == "," or before.isalpha() or time_clause) or _is_question(text, start)
        start = end.end() if end else start
        before = after


def _is_question(text: str, start: int) -> bool:
    sentence = _SENTENCE_END.search(text, start)
    return sentence is not None and sentence.group() == "?"


def _undenied(clause: str, tokens: Sequence[Token], hits: Sequence[Hit]) -> list[Hit]:
    """Hits without those that are negated."""
    denials = [hit for hit in hits if hit.ask is Ask.NEGATE]
    nothing = {hit.start for hit in hits if hit.ask is Ask.NOTHING}
    spaced = not has_unspaced_script(clause)

    def denied(hit: Hit) -> bool:
        if hit.ask in (Ask.PRESERVE, Ask.NEGATE, Ask.POLITE):
            return False
        if not spaced and clause[hit.end : hit.end + 6].lstrip("しるをは하").startswith(_DENIED_AFTER):
            return True
        if hit.end + 1 in nothing:
            return True
        for denial in denials:
            between = sum(denial.end <= token.start < hit.start for token in tokens)
            if denial.end <= hit.start and (between < _REACH if spaced else hit.start - denial.end <= 3):
                return True
        return False

    return [hit for hit in hits if not denied(hit)]


def _wishes(clause: str, tokens: Sequence[Token], hits: Sequence[Hit], *, formats: bool) -> list[Wish]:
    asks = {hit.ask for hit in hits}
    writing = next((hit for hit in hits if hit.ask is Ask.CREATE), None)
    deciding = [hit for hit in hits if hit.ask in _DECIDING]
    if writing is not None:
        deciding = [hit for hit in deciding if hit.ask not in _MUTED_BY_WRITING]
        artefact = next((hit for hit in hits if hit.ask is Ask.ARTEFACT), None)
        if artefact is not None and not any(hit.start <= artefact.start for hit in deciding):
            return [_wish(Ask.NEW, clause, writing, clear=True)]
    clear = len(tokens) <= 8 or any(hit.head and hit.ask in (Ask.GET, Ask.CREATE) for hit in hits)
    if has_unspaced_script(clause):
        found = [_wish(hit.ask, clause, hit, clear=clear) for hit in _apart(deciding)]
    else:
        found = [_wish(_refined(hit, asks, clause, formats=formats), clause, hit, clear=clear) for hit in deciding[:1]]
    if found:
        return found
    return _concluded(clause, hits, formats=formats)


def _concluded(clause: str, hits: Sequence[Hit], *, formats: bool) -> list[Wish]:
    """Wishes of a clause without a deciding word."""
    by_ask = {hit.ask: hit for hit in reversed(hits)}
    if formats:
        return [Wish(Ask.CONVERT, _words(clause, by_ask[Ask.FORMAT]), 2, named=False)]
    if Ask.CREATE in by_ask:
        return [_wish(Ask.NEW, clause, by_ask[Ask.CREATE], clear=True)]
    if Ask.GET in by_ask and Ask.ITEM in by_ask:
        return [Wish(Ask.EXTRACT, _words(clause, by_ask[Ask.ITEM]), 2, named=False)]
    return []


def _refined(hit: Hit, asks: set[Ask], clause: str, *, formats: bool) -> Ask:
    """What the first deciding word means beside the other words of its clause."""
    if hit.ask is Ask.ASK and Ask.SUMMARY in asks and clause[hit.start :].startswith(_OPEN_QUESTIONS):
        return Ask.SUMMARY
    if hit.ask is Ask.EXTRACT and Ask.SUMMARY in asks:
        return Ask.SUMMARY
    if hit.ask in (Ask.CHECK, Ask.REWORK) and Ask.PROOFREAD in asks:
        return Ask.PROOFREAD
    if hit.ask is Ask.REWORK and formats:
        return Ask.CONVERT
    if hit.ask in (Ask.CONVERT, Ask.REWORK) and not formats:
        return next((ask for ask in (Ask.SUMMARY, Ask.NEW) if ask in asks), hit.ask)
    return hit.ask


def _apart(hits: Sequence[Hit]) -> list[Hit]:
    """Hits that do not overlap a longer one, by place."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start - hit.end, hit.start)):
        if all(hit.end <= other.start or hit.start >= other.end for other in kept):
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.start)


def _wish(ask: Ask, clause: str, hit: Hit, *, clear: bool) -> Wish:
    strength = 3 if hit.head else 2 if clear else 1
    return Wish(ask, _words(clause, hit), strength)


def _words(clause: str, hit: Hit) -> str:
    words = clause[hit.start : hit.end].split()
    return " ".join("…" if word == _QUOTE_MARK else word for word in words)[:40]


def _names_format(clause: str, tokens: Sequence[Token], hits: Sequence[Hit]) -> bool:
    """Whether a format is named as the goal: "as json", "into a markdown table", "csv please"."""
    for hit in hits:
        if hit.ask is not Ask.FORMAT:
            continue
        if len(tokens) <= 4 or has_unspaced_script(clause):
            return True
        before = [token.end for token in tokens if token.start < hit.start][-4:]
        if any(other.ask in (Ask.INTO, Ask.CONVERT, Ask.CREATE, Ask.GET) and (other.end in before) for other in hits):
            return True
    return False


def _names_code(hits: Sequence[Hit]) -> bool:
    """Whether a part of code is named before any new text ("comments for ...", not "tests for the messages")."""
    new = [hit for hit in hits if hit.ask is Ask.NEW]
    return any(
        hit.ask is Ask.CODEWORD
        and all(hit.end <= other.start for other in new if other.end > hit.start)
        and not any(other.end <= hit.start for other in new)
        for hit in hits
    )


def _programming_target(clause: str, tokens: Sequence[Token], hits: Sequence[Hit]) -> str | None:
    if has_unspaced_script(clause):
        return next((PROGRAMMING.get(match[1] or match[2]) for match in _UNSPACED_TARGET.finditer(clause)), None)
    markers = {hit.end for hit in hits if hit.ask in (Ask.INTO, Ask.CONVERT)}
    for index, token in enumerate(tokens):
        language = PROGRAMMING.get(token.text)
        if language is None:
            continue
        before = [other.end for other in tokens[max(0, index - 2) : index]]
        after = tokens[index + 1].text if index + 1 < len(tokens) else ""
        if markers.intersection(before) or after in ("version", "equivalent", "port", "variante"):
            return language
    return None
