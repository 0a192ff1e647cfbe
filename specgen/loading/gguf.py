"""GGUF files, as the rest of specgen sees them: read the header, then ask for a configuration or for the weights.

    header = read_header(path)              the container: metadata and the tensor table (gguf_header)
    model_config(header)                    what transformers needs to build the model (gguf_models)
    load_weights(header, dtype=..., ...)    dequantized tensors by state-dict name (gguf_weights)

Importing this needs neither torch nor transformers.
"""

from __future__ import annotations

from specgen.loading.gguf_header import BLOCK_TYPES, Header, TensorInfo, read_header
from specgen.loading.gguf_models import Placement, model_config, placements
from specgen.loading.gguf_weights import load_weights

__all__ = [
    "BLOCK_TYPES",
    "Header",
    "Placement",
    "TensorInfo",
    "load_weights",
    "model_config",
    "placements",
    "read_header",
]
