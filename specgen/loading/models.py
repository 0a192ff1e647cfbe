"""From a file or folder on disk to a model of transformers, on its device, ready to run. Imports torch when called."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specgen.errors import DoesNotFit, ModelError, SpecgenError, UsageError
from specgen.loading.gguf import load_weights, model_config, read_header
from specgen.progress import Report, silent

if TYPE_CHECKING:
    import torch


def load_model(
    path: Path, *, device: str, dtype: str, quant: str = "none", threads: int | None = None, report: Report = silent
) -> Any:
    """The causal language model in a `.gguf` file or a folder, in evaluation mode.

    `dtype` is a torch dtype by name, `quant` is none, nf4 or int8 (on a CUDA device). Raises ModelError when the
    weights cannot be used, DoesNotFit when memory runs out.
    """
    import torch

    wanted: torch.dtype = getattr(torch, dtype)
    if threads is not None:
        torch.set_num_threads(threads)
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise SpecgenError("this torch finds no CUDA device", hint="use --device cpu, or install a CUDA build of torch")
    if device == "cpu" and quant != "none":
        raise UsageError(f"--quant {quant} needs a CUDA device", hint="on a CPU use --quant none")
    with _quiet_transformers(), _readable_errors(path):
        if path.suffix == ".gguf":
            model = _from_gguf(path, wanted, device=device, quant=quant, threads=threads, report=report)
        else:
            model = _from_folder(path, wanted, device=device, quant=quant)
    model.eval()
    _check_placement(model, device)
    return model


def _from_gguf(path: Path, dtype: torch.dtype, *, device: str, quant: str, threads: int | None, report: Report) -> Any:
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig

    header = read_header(path)
    weights = load_weights(header, dtype=dtype, threads=threads or os.cpu_count() or 1, report=report)
    config = AutoConfig.for_model(**model_config(header))
    return MODEL_FOR_CAUSAL_LM_MAPPING[type(config)].from_pretrained(
        None, config=config, state_dict=weights, **_placement(dtype, device, quant)
    )


def _from_folder(path: Path, dtype: torch.dtype, *, device: str, quant: str) -> Any:
    from transformers import AutoModelForCausalLM

    model, loaded = AutoModelForCausalLM.from_pretrained(
        str(path), local_files_only=True, output_loading_info=True, **_placement(dtype, device, quant)
    )
    missing = sorted(loaded["missing_keys"])
    if missing:
        raise ModelError(f"{path} lacks {len(missing)} weights, {missing[0]!r} among them", hint="download it again")
    return model


def _placement(dtype: torch.dtype, device: str, quant: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {"dtype": dtype}
    if device != "cpu":
        arguments["device_map"] = {"": device}
    if quant != "none":
        from transformers import BitsAndBytesConfig

        # The library's own defaults are fp4 and float32 arithmetic, which is neither small nor fast.
        arguments["quantization_config"] = (
            BitsAndBytesConfig(
                load_in_4bit=True,
                bnb_4bit_quant_type="nf4",
                bnb_4bit_use_double_quant=True,
                bnb_4bit_compute_dtype=dtype,
            )
            if quant == "nf4"
            else BitsAndBytesConfig(load_in_8bit=True)
        )
    return arguments


def _check_placement(model: Any, device: str) -> None:
    elsewhere = {parameter.device.type for parameter in model.parameters()} - {device.partition(":")[0]}
    if elsewhere:
        raise SpecgenError(f"weights landed on {', '.join(sorted(elsewhere))} instead of {device}")


@contextmanager
def _quiet_transformers() -> Iterator[None]:
    """Its progress bars and warnings are not ours to show."""
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    yield


@contextmanager
def _readable_errors(path: Path) -> Iterator[None]:
    import torch

    try:
        yield
    except SpecgenError:
        raise
    except (MemoryError, torch.OutOfMemoryError) as error:
        raise DoesNotFit(f"not enough memory to load {path.name}", hint="choose a smaller model or --quant") from error
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise ModelError(f"cannot load {path}: {first}", hint="is it a complete causal language model?") from error
