"""The composition root: a target loaded once, and answers streamed from it. Torch is imported with the weights."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from specgen import __version__, prompts
from specgen.errors import DoesNotFit, ModelError, UsageError
from specgen.loading import sources
from specgen.loading.card import ModelCard
from specgen.loading.device import cpu, probe
from specgen.loading.files import ModelFiles
from specgen.loading.tokenizer import compare
from specgen.profiles import GenerationSettings, LoadSettings, known_draft_model, memory_needed
from specgen.progress import Note, Report, silent
from specgen.prompts import Message, Prompt
from specgen.stats import GenerationStats
from specgen.stopping import StopRules
from specgen.text import Detokenizer, ThinkingSplitter

__all__ = ["Chunk", "Message", "Prompt", "Session"]

if TYPE_CHECKING:
    from specgen.decode.types import Drafter, Round
    from specgen.models.hf import CausalLM
    from specgen.models.target import LanguageModelTarget


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one round added. `stats` is the live object that all chunks of a generation share."""

    text: str
    """Text that is certain: never half a character, never part of a stop string."""
    thinking: str
    """Thinking text that is kept out of `text` (with `hide_thinking`)."""
    round: Round
    stats: GenerationStats
    finish: str | None = None


class Session:
    """One target and the drafters that its prompts ask for. Not thread-safe: one generation at a time."""

    def __init__(self, load: LoadSettings, files: ModelFiles, *, report: Report, note: Note) -> None:
        self._load = load
        self._files = files
        self._report = report
        self._note = note
        self._noted: set[str] = set()
        self._draft_files: ModelFiles | None = None
        self._target: LanguageModelTarget | None = None
        self._draft_model: CausalLM | None = None
        self._drafters: dict[tuple[str, int, int], Drafter] = {}
        self._load_s = 0.0
        self.stats = GenerationStats()
        """Of the current or the last generation."""

    @classmethod
    def open(cls, load: LoadSettings, *, report: Report = silent, note: Note = silent) -> Session:
        """Find or fetch the target's files and read what they say of themselves; no weights, no torch."""
        path = sources.fetch(load.target, report=report, offline=load.offline)
        return cls(load, ModelFiles.at(path), report=report, note=note)

    @property
    def target_name(self) -> str:
        return self._load.target_name

    @property
    def context_length(self) -> int | None:
        """Tokens that prompt and answer may have together; `None` if the model does not say."""
        return self._files.card.context_length

    def encode(self, prompt: Prompt, settings: GenerationSettings) -> list[int]:
        """Ids of the prompt, template included; see `prompts.encode`."""
        return prompts.encode(prompt, settings, self._files, name=self.target_name, note=self._note_once)

    # --- generation -------------------------------------------------------------------------------------------

    def stream(self, prompt: Prompt, settings: GenerationSettings) -> Iterator[Chunk]:
        """Answer `prompt`: one chunk per round, the last with `finish`.

        The first call loads the weights. On Ctrl-C the text that was held back comes as a last chunk, then the
        interrupt goes on. Nothing of a generation influences the next one.
        """
        ids = self.encode(prompt, settings)
        stats = self.stats = GenerationStats(prompt_tokens=len(ids))
        tokenizer = self._files.tokenizer
        room = settings.max_tokens
        if self.context_length is not None:
            room = min(room, self.context_length - len(ids))
        stop = StopRules(
            end_ids=tokenizer.end_ids,
            max_tokens=room,
            strings=settings.stop,
            detokenizer=Detokenizer(tokenizer.backend, special_ids=tokenizer.special_ids),
            min_tokens=settings.sampling.min_tokens,
        )
        if stop.finish is not None:
            stats.finish = stop.finish
            return
        splitter = None
        if settings.hide_thinking:
            splitter = ThinkingSplitter(starts_open=prompts.opens_thinking(prompt, settings, tokenizer))
        yield from self._decode(ids, settings, stop=stop, splitter=splitter)

    def _decode(
        self, ids: list[int], settings: GenerationSettings, *, stop: StopRules, splitter: ThinkingSplitter | None
    ) -> Iterator[Chunk]:
        stats = self.stats
        drafter = self._drafter(settings)
        target = self._loaded_target()
        from specgen.decode.governor import FixedGovernor
        from specgen.decode.loop import decode
        from specgen.decode.sampling import Sampler

        stats.load_s, self._load_s = self._load_s, 0.0
        sampler = Sampler(
            settings.sampling, vocab_size=target.vocab_size, prompt=ids, end_ids=self._files.tokenizer.end_ids
        )
        rounds = decode(
            list(ids),
            target=target,
            drafter=drafter,
            sampler=sampler,
            stop=stop,
            governor=FixedGovernor(settings.num_draft_tokens),
        )
        outcome: Round | None = None
        try:
            for outcome in rounds:
                stats.add(outcome)
                stats.peak_bytes = _peak_bytes(self._load.device)
                if outcome.note:
                    self._note_once(outcome.note)
                yield _chunk(stop.take_text(), splitter, outcome, stats)
        except KeyboardInterrupt:
            stop.interrupt()
            if outcome is not None:
                yield _chunk(stop.take_text(), splitter, outcome, stats)
            raise

    # --- models -----------------------------------------------------------------------------------------------

    def describe(self) -> dict[str, Any]:
        """What runs, for `--json` and `-v`."""
        load, card = self._load, self._files.card
        versions: Mapping[str, Any] = {
            name: getattr(sys.modules.get(name), "__version__", None) for name in ("torch", "transformers")
        }
        return {
            "target": load.target_name,
            "target_source": load.target.label,
            "architecture": card.architecture,
            "context_length": card.context_length,
            "draft_model": load.draft_model_name if self._draft_model is not None else None,
            "device": load.device,
            "dtype": load.dtype,
            "quant": load.quant,
            "specgen": __version__,
            **{f"{name}_version": str(version) for name, version in versions.items() if version is not None},
        }

    def load(self) -> None:
        """Load the target's weights now instead of with the first answer."""
        self._loaded_target()

    def _drafter(self, settings: GenerationSettings) -> Drafter:
        """The drafter that `settings` names, loaded and checked against the target at its first use."""
        from specgen import drafters
        from specgen.drafters.setup import DrafterSetup

        spec = settings.drafter
        if "draft_model" in drafters.split(spec):
            self._check_draft_model()
        target = self._loaded_target()
        if target.max_draft == 0:
            spec = "none"
        key = (spec, settings.ngram_min, settings.ngram_max)
        if key not in self._drafters:
            tokenizer = self._files.tokenizer
            setup = DrafterSetup(
                vocab_size=target.vocab_size,
                end_ids=tokenizer.end_ids,
                special_ids=tokenizer.special_ids | tokenizer.end_ids,
                ngram_min=settings.ngram_min,
                ngram_max=settings.ngram_max,
                draft_model=self._loaded_draft_model,
            )
            self._drafters[key] = drafters.build(spec, setup)
        return self._drafters[key]

    def _check_draft_model(self) -> None:
        """Fetch the draft model's files and refuse one that cannot draft for this target; no weights are read."""
        load = self._load
        if self._draft_files is not None:
            return
        if load.draft_model is None:
            raise UsageError("the drafter 'draft_model' needs a draft model", hint="name one with -d/--draft-model")
        path = sources.fetch(load.draft_model, report=self._report, offline=load.offline)
        if path.samefile(self._files.path) and not load.allow_self_draft:
            raise ModelError(
                f"{load.draft_model_name} is the target itself: drafting with it can only lose time",
                hint="name a smaller model, or insist with --allow-self-draft",
            )
        files = ModelFiles.at(path)
        mismatch = compare(self._files.tokenizer, files.tokenizer)
        if mismatch is not None:
            known = known_draft_model(load.target, self._files.path.stat().st_size)
            fitting = f"-d {known} fits" if known else "take a smaller model of the target's own family"
            raise ModelError(
                f"{load.draft_model_name} cannot draft for {load.target_name}: {mismatch.describe()}",
                hint=f"{fitting}, or --drafter lookup, which needs no model",
            )
        if files.card.keeps_state:
            raise ModelError(
                f"{load.draft_model_name} cannot draft: {files.card.architecture} cannot be rolled back",
                hint="name a draft model with plain attention",
            )
        self._draft_files = files

    def _loaded_target(self) -> LanguageModelTarget:
        if self._target is None:
            from specgen.models.hf import CausalLM, SteppingLM, cannot_roll_back
            from specgen.models.target import LanguageModelTarget

            model = self._load_weights(self._files)
            size = self._files.tokenizer.size
            reason = cannot_roll_back(model)
            if reason is None:
                self._target = LanguageModelTarget(CausalLM(model, vocab_size=size))
            else:
                self._note_once(f"{self.target_name} is decoded plainly, without drafting: {reason}")
                self._target = LanguageModelTarget(SteppingLM(model, vocab_size=size))
        return self._target

    def _loaded_draft_model(self) -> CausalLM:
        if self._draft_model is None:
            from specgen.models.hf import CausalLM

            assert self._draft_files is not None
            model = self._load_weights(self._draft_files)
            self._draft_model = CausalLM(model, vocab_size=self._draft_files.tokenizer.size)
        return self._draft_model

    def _load_weights(self, files: ModelFiles) -> Any:
        from specgen.loading.models import load_model

        started = perf_counter()
        load = self._load
        _refuse_unless_it_fits(files.card, load, name=files.path.name)
        model = load_model(
            files.path,
            device=load.device,
            dtype=load.dtype,
            quant=load.quant,
            threads=load.threads,
            report=self._report,
        )
        self._load_s += perf_counter() - started
        return model

    def _note_once(self, text: str) -> None:
        if text not in self._noted:
            self._noted.add(text)
            self._note(text)


def _refuse_unless_it_fits(card: ModelCard, load: LoadSettings, *, name: str) -> None:
    """Refuse before reading weights that the free memory cannot hold."""
    free = probe().free_bytes if load.device.startswith("cuda") else cpu().free_bytes
    if card.parameters is None or not free:
        return
    needed = memory_needed(card.parameters, quant=load.quant, dtype=load.dtype)
    if needed > free:
        raise DoesNotFit(
            f"{name} needs about {needed / 2**30:.1f} GiB as {load.dtype}, and {free / 2**30:.1f} GiB are free",
            hint="choose a smaller model, --dtype bfloat16, or on a CUDA device --quant nf4",
        )


def _chunk(text: str, splitter: ThinkingSplitter | None, outcome: Round, stats: GenerationStats) -> Chunk:
    if splitter is None:
        return Chunk(text, "", outcome, stats, outcome.finish)
    thinking, answer = splitter.push(text)
    if outcome.finish is not None:
        rest = splitter.finish()
        thinking, answer = thinking + rest.thinking, answer + rest.answer
    return Chunk(answer, thinking, outcome, stats, outcome.finish)


def _peak_bytes(device: str) -> int:
    """Most memory in use so far: of the process on a CPU, of torch's allocator on a CUDA device."""
    if device.startswith("cuda"):
        import torch

        return int(torch.cuda.max_memory_allocated(device))
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
