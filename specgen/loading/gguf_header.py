"""The header of a GGUF file, read in place: metadata, tensor table, packed bytes.

Knows the container (versions 2 and 3, little endian) and nothing of architectures, tokenizers or torch. Every count,
length, type and offset is checked against the file before it is used, so a damaged file ends in one `ModelError`.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from specgen.errors import ModelError

T = TypeVar("T", str, int, float, bool)

_MAX_ENTRIES = 1 << 17  # metadata keys or tensors: the largest published models have a few thousand
_MAX_ARRAY = 1 << 24  # array elements: ten times the largest vocabulary
_MAX_DEPTH = 4
_STRING, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_LENGTH = struct.Struct("<Q")


class BlockType(NamedTuple):
    """A storage format: `size` weights share one block of `nbytes` bytes."""

    name: str
    size: int
    nbytes: int


BLOCK_TYPES = {
    0: BlockType("F32", 1, 4),
    1: BlockType("F16", 1, 2),
    2: BlockType("Q4_0", 32, 18),
    3: BlockType("Q4_1", 32, 20),
    6: BlockType("Q5_0", 32, 22),
    7: BlockType("Q5_1", 32, 24),
    8: BlockType("Q8_0", 32, 34),
    10: BlockType("Q2_K", 256, 84),
    11: BlockType("Q3_K", 256, 110),
    12: BlockType("Q4_K", 256, 144),
    13: BlockType("Q5_K", 256, 176),
    14: BlockType("Q6_K", 256, 210),
    16: BlockType("IQ2_XXS", 256, 66),
    17: BlockType("IQ2_XS", 256, 74),
    18: BlockType("IQ3_XXS", 256, 98),
    19: BlockType("IQ1_S", 256, 50),
    20: BlockType("IQ4_NL", 32, 18),
    21: BlockType("IQ3_S", 256, 110),
    22: BlockType("IQ2_S", 256, 82),
    23: BlockType("IQ4_XS", 256, 136),
    29: BlockType("IQ1_M", 256, 56),
    30: BlockType("BF16", 1, 2),
    34: BlockType("TQ1_0", 256, 54),
    35: BlockType("TQ2_0", 256, 66),
    39: BlockType("MXFP4", 32, 17),
}
"""By type id of the file. These and no others can be dequantized."""


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """One tensor of the file. `shape` is in torch's order (outermost first), `offset` counts from the file's start."""

    name: str
    shape: tuple[int, ...]
    kind: BlockType
    offset: int
    nbytes: int

    @property
    def rows(self) -> int:
        """Number of runs along the innermost dimension; a row is a whole number of blocks."""
        return math.prod(self.shape[:-1])


@dataclass(frozen=True, slots=True)
class _Array:
    """An array that was stepped over; decoded when it is asked for."""

    kind: int
    count: int
    start: int
    depth: int


class Metadata(Mapping[str, Any]):
    """Key -> value. Scalars are Python values; arrays are decoded at each access, and not kept.

    Arrays of strings become `list[str]`, arrays of numbers a read-only numpy array, nested arrays a list of those.
    """

    def __init__(self, values: dict[str, Any], decode: Callable[[_Array], Any]) -> None:
        self._values = values
        self._decode = decode

    def __getitem__(self, key: str) -> Any:
        value = self._values[key]
        return self._decode(value) if isinstance(value, _Array) else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def count(self, key: str) -> int | None:
        """Length of the array under `key`, without decoding it; None when there is no such array."""
        value = self._values.get(key)
        return value.count if isinstance(value, _Array) else None


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF file says about itself. Holds the file mapped; nothing is read before it is used."""

    path: Path
    version: int
    alignment: int
    data_offset: int
    metadata: Metadata
    tensors: Mapping[str, TensorInfo]
    _data: mmap.mmap = field(repr=False)

    def find(self, key: str, kind: type[T]) -> T | None:
        """The scalar under `key`, or None when the file does not have it. Raises ModelError on another type."""
        value = self.metadata.get(key)
        if value is None:
            return None
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise damaged(self.path, f"{key} is {type(value).__name__} where {kind.__name__} belongs")
        return value

    def require(self, key: str, kind: type[T]) -> T:
        """The scalar under `key`; ModelError when it is missing or of another type."""
        value = self.find(key, kind)
        if value is None:
            raise damaged(self.path, f"{key} is missing")
        return value

    def strings(self, key: str) -> list[str] | None:
        """The array of strings under `key`, None when absent; ModelError when it is something else."""
        if key not in self.metadata:
            return None
        value = self.metadata[key]
        if not isinstance(value, list) or (value and not isinstance(value[0], str)):
            raise damaged(self.path, f"{key} is not an array of strings")
        return value

    def numbers(self, key: str) -> np.ndarray[Any, Any] | None:
        """The array of numbers under `key`, None when absent; ModelError when it is something else."""
        if key not in self.metadata:
            return None
        value = self.metadata[key]
        if not isinstance(value, np.ndarray):
            raise damaged(self.path, f"{key} is not an array of numbers")
        return value

    def raw(self, name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The packed bytes of a tensor, (rows, bytes per row), read-only and not copied."""
        info = self.tensors[name]
        flat = np.frombuffer(self._data, np.uint8, count=info.nbytes, offset=info.offset)
        return flat.reshape(info.rows, -1)


def damaged(path: Path, problem: str) -> ModelError:
    """The error for a GGUF file that cannot be used as it is."""
    return ModelError(f"damaged gguf file {path.name!r}: {problem}", hint="download or convert it again")


def read_header(path: Path | str) -> Header:
    """Scan the header of a GGUF file (0.1 s for a vocabulary of 260k tokens).

    Raises ModelError when the file is missing, not GGUF, of an unsupported version or byte order, damaged, truncated,
    one part of a split model, or holds a tensor type that is not in `BLOCK_TYPES`.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError as error:
        raise damaged(path, "it is empty") from error
    except OSError as error:
        raise ModelError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    return _Scan(path, data).header()


class _Scan:
    """A cursor over the mapped file; `at` only moves forward."""

    def __init__(self, path: Path, data: mmap.mmap) -> None:
        self.path = path
        self.data = data
        self.size = len(data)
        self.at = 0

    def header(self) -> Header:
        version = self._version()
        tensors, keys = self._count("tensor"), self._count("metadata key")
        values = self._values(keys)
        metadata = Metadata(values, self._decode)
        alignment = values.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1):
            raise damaged(self.path, f"general.alignment is {alignment!r}, not a power of two")
        if isinstance(parts := values.get("split.count"), int) and parts > 1:
            raise ModelError(
                f"{self.path.name!r} is one of {parts} parts", hint="merge them with llama-gguf-split --merge"
            )
        entries = [self._tensor_entry() for _ in range(tensors)]
        start = -(-self.at // alignment) * alignment
        infos = self._place(entries, start, alignment)
        return Header(self.path, version, alignment, start, metadata, infos, self.data)

    def _version(self) -> int:
        if self.data[:4] != b"GGUF":
            raise ModelError(
                f"{self.path.name!r} is not a gguf file", hint="-m takes a .gguf file, a folder or a hub name"
            )
        self.at = 4
        version: int = self._number("I")
        if version in (2, 3):
            return version
        if version and not version & 0xFFFF:
            raise ModelError(
                f"{self.path.name!r} is a big-endian gguf file", hint="convert it for little-endian machines"
            )
        raise ModelError(f"{self.path.name!r} has gguf version {version}; versions 2 and 3 are supported")

    def _count(self, what: str) -> int:
        count: int = self._number("Q")
        if count > _MAX_ENTRIES:
            raise damaged(self.path, f"{what} count is {count}")
        return count

    def _number(self, code: str) -> Any:
        try:
            (value,) = struct.unpack_from("<" + code, self.data, self.at)
        except struct.error:
            raise self._truncated() from None
        self.at += struct.calcsize("<" + code)
        # A float32 is shown by its shortest decimal: 1e-06 was meant, not 9.999999974752427e-07.
        return float(str(np.float32(value))) if code == "f" else value

    def _text(self, errors: str = "strict") -> str:
        length: int = self._number("Q")
        start, self.at = self.at, self.at + length
        if self.at > self.size:
            raise self._truncated()
        try:
            return self.data[start : self.at].decode(errors=errors)
        except UnicodeDecodeError:
            raise damaged(self.path, f"the name at byte {start} is not UTF-8") from None

    def _truncated(self) -> ModelError:
        return damaged(self.path, f"its header runs past the end ({self.size} bytes)")

    def _values(self, count: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for _ in range(count):
            key = self._text()
            if key in values:
                raise damaged(self.path, f"metadata key {key!r} occurs twice")
            values[key] = self._value(self._number("I"), key)
        return values

    def _value(self, kind: int, key: str) -> Any:
        if kind == _STRING:
            return self._text("replace")
        if kind == _ARRAY:
            return self._step_over(key, depth=1)
        if kind not in _SCALARS:
            raise damaged(self.path, f"metadata key {key!r} has unknown type {kind}")
        return self._number(_SCALARS[kind])

    def _step_over(self, key: str, *, depth: int) -> _Array:
        kind, count = self._number("I"), self._number("Q")
        array = _Array(kind, count, self.at, depth)
        if count > _MAX_ARRAY or depth > _MAX_DEPTH:
            raise damaged(self.path, f"metadata key {key!r} has {count} elements, {depth} deep")
        if kind == _STRING:
            self.at = self._end_of_strings(count)
        elif kind == _ARRAY:
            for _ in range(count):
                self._step_over(key, depth=depth + 1)
        elif kind in _SCALARS:
            self.at += count * struct.calcsize("<" + _SCALARS[kind])
        else:
            raise damaged(self.path, f"metadata key {key!r} is an array of unknown type {kind}")
        if self.at > self.size:
            raise self._truncated()
        return array

    def _end_of_strings(self, count: int) -> int:
        at, data, unpack = self.at, self.data, _LENGTH.unpack_from
        try:
            for _ in range(count):
                at += 8 + unpack(data, at)[0]
        except (struct.error, OverflowError):
            raise self._truncated() from None
        return at

    def _decode(self, array: _Array) -> Any:
        if array.kind == _STRING:
            return self._decode_strings(array)
        if array.kind == _ARRAY:
            inner = _Scan(self.path, self.data)
            inner.at = array.start
            return [self._decode(inner._step_over("", depth=array.depth + 1)) for _ in range(array.count)]
        dtype = np.dtype("<" + {"?": "B"}.get(_SCALARS[array.kind], _SCALARS[array.kind]))
        numbers = np.frombuffer(self.data, dtype, count=array.count, offset=array.start)
        return numbers != 0 if _SCALARS[array.kind] == "?" else numbers

    def _decode_strings(self, array: _Array) -> list[str]:
        at, data, unpack = array.start, self.data, _LENGTH.unpack_from
        texts = []
        try:
            for _ in range(array.count):
                start = at + 8
                at = start + unpack(data, at)[0]
                texts.append(data[start:at].decode())
        except UnicodeDecodeError:
            raise damaged(self.path, f"string {len(texts)} of an array is not UTF-8") from None
        return texts

    def _tensor_entry(self) -> tuple[str, tuple[int, ...], int, int]:
        name, dimensions = self._text(), self._number("I")
        if not 1 <= dimensions <= 4:
            raise damaged(self.path, f"tensor {name!r} has {dimensions} dimensions")
        shape = tuple(self._number("Q") for _ in range(dimensions))
        return name, shape[::-1], self._number("I"), self._number("Q")

    def _place(
        self, entries: Sequence[tuple[str, tuple[int, ...], int, int]], start: int, alignment: int
    ) -> dict[str, TensorInfo]:
        infos: dict[str, TensorInfo] = {}
        for name, shape, type_id, offset in entries:
            kind = self._block_type(name, type_id)
            if name in infos:
                raise damaged(self.path, f"tensor {name!r} occurs twice")
            if 0 in shape or shape[-1] % kind.size or offset % alignment:
                raise damaged(
                    self.path, f"tensor {name!r} has shape {shape} and offset {offset}, impossible for {kind.name}"
                )
            infos[name] = TensorInfo(name, shape, kind, start + offset, math.prod(shape) // kind.size * kind.nbytes)
        end = start
        for info in sorted(infos.values(), key=lambda info: info.offset):
            if info.offset < end:
                raise damaged(self.path, f"tensor {info.name!r} overlaps another one")
            end = info.offset + info.nbytes
        if infos and end > self.size:
            raise damaged(self.path, f"it has {self.size} bytes, its tensors need {end}: the download is incomplete")
        return infos

    def _block_type(self, name: str, type_id: int) -> BlockType:
        if type_id not in BLOCK_TYPES:
            known = ", ".join(kind.name for kind in BLOCK_TYPES.values())
            raise ModelError(
                f"tensor {name!r} of {self.path.name!r} has unsupported quantization type {type_id}",
                hint=f"supported: {known}",
            )
        return BLOCK_TYPES[type_id]
