"""Checkpoints, as in crates/training/src/train/checkpoint.rs: each trainer can resume those of the other."""

import json
import struct
import zlib
from dataclasses import dataclass

import numpy as np

from architecture import Architecture, Invalid, factor_shape

MAGIC = b"BZTRAIN3"

# The magic numbers of older files, without and with the hand-written terms.
OLD_MAGICS = (b"BZTRAIN1", b"BZTRAIN2")

# Hidden neurons, output buckets, king buckets; weights of score and decay, scale; threads, steps, length of the state.
OLD_HEAD = struct.Struct("<8sHH32sfffIQI")

# Dropout and flags: for the mean with the hand-written terms, and for factorised weights.
MORE_HEAD = struct.Struct("<fI")
WITH_TERMS, FACTORISED = 1, 2

# Settings that older checkpoints lack.
OLD_PLAN = {"with_terms": False, "dropout": 0.0, "factorised": False, "start_digest": None}


@dataclass
class Checkpoint:
    """A training."""

    architecture: Architecture
    # The settings, the SHA-256 of the data, the place in the data and the finished epochs.
    state: dict
    steps: int
    # The parameters, the averages of their gradients and of the squared gradients, in the shapes of the architecture;
    # with --factorised followed by the shared parts of the input weights, which these weights include.
    parameters: list
    first: list
    second: list

    def to_bytes(self):
        """Serialises the training."""
        shape, plan, state = self.architecture, self.state["plan"], json.dumps(self.state).encode()
        content = (
            OLD_HEAD.pack(
                MAGIC,
                shape.hidden,
                shape.outputs,
                bytes(shape.king_buckets),
                plan["lambda"],
                plan["scale"],
                plan["weight_decay"],
                plan["threads"],
                self.steps,
                len(state),
            )
            + MORE_HEAD.pack(plan["dropout"], WITH_TERMS * plan["with_terms"] + FACTORISED * plan["factorised"])
            + state
        )
        for numbers in (self.parameters, self.first, self.second):
            content += b"".join(layer.astype("<f4").tobytes() for layer in numbers)
        return content + zlib.crc32(content).to_bytes(4, "little")

    @staticmethod
    def from_bytes(content):
        """Reads the bytes of a file."""
        magic = content[:8]
        if magic != MAGIC and magic not in OLD_MAGICS:
            raise Invalid("not a checkpoint of a training: it does not begin with 'BZTRAIN' and a known version")
        start = OLD_HEAD.size + (MORE_HEAD.size if magic == MAGIC else 0)
        if len(content) < start:
            raise Invalid(f"checkpoint of {len(content)} bytes, {start} expected")
        _, hidden, outputs, king_buckets, _, _, _, _, steps, length = OLD_HEAD.unpack_from(content)
        if magic == MAGIC:
            _, flags = MORE_HEAD.unpack_from(content, OLD_HEAD.size)
        else:
            flags = OLD_MAGICS.index(magic) * WITH_TERMS
        architecture = Architecture(hidden, tuple(king_buckets), outputs)
        shapes = architecture.shapes + ([factor_shape(architecture)] if flags & FACTORISED else [])
        sizes = [int(np.prod(shape)) for shape in shapes]
        expected = start + length + 12 * sum(sizes) + 4
        if len(content) != expected:
            raise Invalid(f"checkpoint of {len(content)} bytes, {expected} expected")
        if zlib.crc32(content[:-4]) != int.from_bytes(content[-4:], "little"):
            raise Invalid("checkpoint is damaged: wrong checksum")
        try:
            state = json.loads(content[start : start + length])
            is_whole = {"plan", "data", "batches", "loss", "history"} <= set(state) and isinstance(state["plan"], dict)
        except (ValueError, TypeError):
            is_whole = False
        if not is_whole:
            raise Invalid("checkpoint with an invalid note")
        plan = state["plan"] = {**OLD_PLAN, **state["plan"]}
        if WITH_TERMS * bool(plan["with_terms"]) + FACTORISED * bool(plan["factorised"]) != flags:
            raise Invalid("checkpoint with a wrong note: whether it was trained --with-terms or --factorised")
        numbers = np.frombuffer(content, "<f4", 3 * sum(sizes), start + length)
        groups = [
            [layer.reshape(shape) for layer, shape in zip(np.split(group, np.cumsum(sizes)[:-1]), shapes)]
            for group in np.split(numbers, 3)
        ]
        return Checkpoint(architecture, state, steps, *groups)

    @staticmethod
    def open(path):
        """Reads a file."""
        try:
            with open(path, "rb") as file:
                return Checkpoint.from_bytes(file.read())
        except OSError as error:
            raise Invalid(f"cannot resume from '{path}': {error.strerror}") from None
        except Invalid as error:
            raise Invalid(f"cannot resume from '{path}': {error}") from None
