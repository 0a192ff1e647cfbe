"""Weighs what is asked against what is supplied, and names the task with its evidence."""

from __future__ import annotations

from dataclasses import dataclass

from specgen.tasks.inputs import Kind, Material, describe
from specgen.tasks.lexicon import Ask, has_unspaced_script
from specgen.tasks.reading import Reading, Wish
from specgen.tasks.request import Request
from specgen.tasks.sample import Sample

TASKS = ("summarize", "code_edit", "copy_heavy", "general")
SUMMARIZE, CODE_EDIT, COPY_HEAVY, GENERAL = TASKS


@dataclass(frozen=True, slots=True)
class Detection:
    """`confidence` in [0, 1]; `evidence`: short remarks for people, most telling first."""

    task: str
    confidence: float
    evidence: tuple[str, ...]


_COLUMNS = {
    Kind.CODE: 0, Kind.CONFIG: 0, Kind.MARKUP: 0, Kind.DIFF: 1, Kind.DATA: 2, Kind.TRACE: 3, Kind.LOG: 4, Kind.PROSE: 4,
}  # fmt: skip
_TASK_OF = {
    # the input is source, a diff, records, an error trace, a log or text
    Ask.SUMMARY: (SUMMARIZE, SUMMARIZE, SUMMARIZE, SUMMARIZE, SUMMARIZE),
    Ask.SHORTEN: (CODE_EDIT, SUMMARIZE, COPY_HEAVY, SUMMARIZE, SUMMARIZE),
    Ask.PROOFREAD: (CODE_EDIT, CODE_EDIT, COPY_HEAVY, COPY_HEAVY, COPY_HEAVY),
    Ask.EXTRACT: (COPY_HEAVY, COPY_HEAVY, COPY_HEAVY, COPY_HEAVY, COPY_HEAVY),
    Ask.ARRANGE: (CODE_EDIT, CODE_EDIT, COPY_HEAVY, COPY_HEAVY, COPY_HEAVY),
    Ask.EDIT: (CODE_EDIT, CODE_EDIT, COPY_HEAVY, GENERAL, COPY_HEAVY),
    Ask.CONVERT: (CODE_EDIT, COPY_HEAVY, COPY_HEAVY, COPY_HEAVY, COPY_HEAVY),
    Ask.REWORK: (CODE_EDIT, GENERAL, COPY_HEAVY, GENERAL, GENERAL),
}
"""Other wishes are general."""
_CHANGEABLE = frozenset({Kind.CODE, Kind.CONFIG, Kind.MARKUP, Kind.DATA, Kind.PROSE})
_CONFIDENCE = {3: 0.95, 2: 0.85, 1: 0.65}
"""By strength of the wish."""
_CONFLICT = 0.15
_QUESTIONING = frozenset({Ask.ASK, Ask.ANSWER, Ask.CHECK})
_WORKING = frozenset(_TASK_OF) - {Ask.SHORTEN}
_SUPERSETS = {("JavaScript", "TypeScript"), ("C", "C++")}
"""Ports that keep most lines."""


def decide(request: Request, name: str | None) -> Detection:
    """The task of a located request."""
    if request.material is None:
        return _without_material(request.reading)
    material = describe(request.material, name)
    supplied = f"input: {_label(request.material, material)}"
    if request.reading is None:
        return Detection(GENERAL, 0.9, (supplied, "no instruction"))
    wish = _main_wish(request.reading.wishes)
    if wish is None:
        task, confidence, reason = _without_wish(request.reading, material)
        return Detection(task, confidence, (reason, supplied))
    task = _task(wish, request.reading, material)
    conflict = any(_task(other, request.reading, material) != task for other in request.reading.wishes)
    evidence = [f'asks: {wish.ask.value} ("{wish.words}")', supplied]
    if request.place != "the argument":
        evidence.append(f"instruction at {request.place}")
    if conflict:
        evidence.append("other wishes point elsewhere")
    return Detection(task, _confidence(wish, material, task=task, conflict=conflict), tuple(evidence))


def _without_material(reading: Reading | None) -> Detection:
    if reading is None:
        return Detection(GENERAL, 1.0, ("nothing to do",))
    wish = _main_wish(reading.wishes)
    works = wish is not None and wish.ask in _WORKING
    return Detection(GENERAL, 0.85 if works else 0.97, ("no input text",))


def _confidence(wish: Wish, material: Material, *, task: str, conflict: bool) -> float:
    confidence = _CONFIDENCE[wish.strength] - _CONFLICT * conflict
    depends_on_kind = task in (CODE_EDIT, COPY_HEAVY)
    return round(confidence * (0.7 + 0.3 * material.sure if depends_on_kind else 1.0), 2)


def _main_wish(wishes: tuple[Wish, ...]) -> Wish | None:
    """The wish that decides: the first, unless a later one overrules it."""
    main: Wish | None = None
    for wish in wishes:
        if main is None or _overrules(wish, main):
            main = wish
    return main


def _overrules(later: Wish, main: Wish) -> bool:
    """Whether a later wish is clearer, or asks for work where the first one only asked a question."""
    if main.strength == 1 and later.strength == 3:
        return True
    if later.ask is Ask.SUMMARY:
        return main.ask is Ask.TRANSLATE or (main.ask in _QUESTIONING and later.strength >= 2)
    if later.ask is Ask.SHORTEN:
        return main.ask is Ask.ASK and later.strength == 3
    return main.ask in _QUESTIONING and later.ask in _WORKING and later.strength == 3


def _task(wish: Wish, reading: Reading, material: Material) -> str:
    special = _special_case(wish, reading, material)
    if special is not None:
        return special
    return _TASK_OF[wish.ask][_COLUMNS[material.kind]] if wish.ask in _TASK_OF else GENERAL


def _special_case(wish: Wish, reading: Reading, material: Material) -> str | None:
    """Where other words of the request change what the wish means."""
    source, mentions = material.kind.is_source, reading.mentions
    keeps_rest = Ask.PRESERVE in mentions
    cases: dict[Ask, tuple[tuple[bool, str], ...]] = {
        Ask.CONVERT: (
            (_ports(reading, material), GENERAL),
            (reading.to_format and (wish.named or material.kind is not Kind.CODE), COPY_HEAVY),
            (Ask.TONGUE in mentions and not source, GENERAL),
        ),
        Ask.REWORK: ((_ports(reading, material), GENERAL), (keeps_rest and not source, COPY_HEAVY)),
        Ask.EDIT: ((has_unspaced_script(wish.words) and _ports(reading, material), GENERAL),),
        Ask.EXTRACT: ((source and not wish.named, CODE_EDIT),),
        Ask.NEW: ((source and (wish.of_code or Ask.WHOLE in mentions), CODE_EDIT),),
        Ask.TRANSLATE: (
            (source and wish.of_code, CODE_EDIT),
            (reading.to_format and Ask.TONGUE not in mentions, COPY_HEAVY),
            (material.kind is Kind.DATA and keeps_rest, COPY_HEAVY),
        ),
    }
    return next((task for holds, task in cases.get(wish.ask, ()) if holds), None)


def _ports(reading: Reading, material: Material) -> bool:
    """Whether the answer shall be in another programming language than the input."""
    target, source = reading.target, material.language
    return material.kind is Kind.CODE and target is not None and target != source and (source, target) not in _SUPERSETS


def _without_wish(reading: Reading, material: Material) -> tuple[str, float, str]:
    """No deciding word: conclude from what was mentioned, else from what usually happens to such input."""
    kind, mentions = material.kind, reading.mentions
    edited = CODE_EDIT if kind.is_source else COPY_HEAVY
    conclusions = (
        (bool({Ask.PRESERVE, Ask.WHOLE} & mentions), edited, 0.7, "asks to keep the rest"),
        (_ports(reading, material), GENERAL, 0.75, f"asks for {reading.target}"),
        (Ask.TONGUE in mentions and Ask.CODEWORD not in mentions, GENERAL, 0.7, "asks for another language"),
        (Ask.WEAK in mentions and kind in _CHANGEABLE, edited, 0.6, "asks for a change"),
        (reading.question, GENERAL, 0.7, "asks a question"),
        (reading.length and kind in (Kind.PROSE, Kind.LOG), SUMMARIZE, 0.6, "asks for a length"),
        (kind.is_source and Ask.ABOUT in mentions, GENERAL, 0.6, "asks for something beside the input"),
        (kind.is_source or kind is Kind.DATA, edited, 0.55, "no known request word; a change is likely"),
        (Ask.GET in mentions and kind is Kind.LOG, COPY_HEAVY, 0.55, "asks for a part"),
    )
    for holds, task, confidence, reason in conclusions:
        if holds:
            return task, confidence, reason
    return GENERAL, 0.5, "no known request word"


def _label(sample: Sample, material: Material) -> str:
    what = material.language or material.kind.value
    if not sample.whole:
        return f"long {what}, {sample.length:,} characters"
    if material.kind is Kind.PROSE:
        return f"{len(sample.head.split())} words of {material.language or 'text'}"
    lines = len(sample.head.strip().split("\n"))
    return f"{lines} line{'s' * (lines > 1)} of {what}"
