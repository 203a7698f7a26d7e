"""Checkpoints of a training, as in crates/train/src/checkpoint.rs: both trainers continue those of the other."""

import json
import struct
import zlib
from dataclasses import dataclass

import numpy as np

from architecture import Architecture, Invalid

MAGIC = b"BZTRAIN1"

# That of a training for the mean with the hand-written terms.
MAGIC_WITH_TERMS = b"BZTRAIN2"

# Hidden neurons, output buckets, king buckets; weights of score and decay, scale; threads, steps, length of the state.
HEAD = struct.Struct("<8sHH32sfffIQI")


@dataclass
class Checkpoint:
    """A training."""

    architecture: Architecture
    # The settings, the SHA-256 of the data, the place in the data and the epochs that are done.
    state: dict
    steps: int
    # The parameters, the averages of their gradients and of the squares of these, in the shapes of the architecture.
    parameters: list
    first: list
    second: list

    def to_bytes(self):
        """The training as a file."""
        shape, plan, state = self.architecture, self.state["plan"], json.dumps(self.state).encode()
        content = (
            HEAD.pack(
                MAGIC_WITH_TERMS if plan["with_terms"] else MAGIC,
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
            + state
        )
        for numbers in (self.parameters, self.first, self.second):
            content += b"".join(layer.astype("<f4").tobytes() for layer in numbers)
        return content + zlib.crc32(content).to_bytes(4, "little")

    @staticmethod
    def from_bytes(content):
        """Reads the bytes of a file."""
        if content[:8] not in (MAGIC, MAGIC_WITH_TERMS):
            raise Invalid("not a checkpoint of a training: it does not begin with 'BZTRAIN1'")
        if len(content) < HEAD.size:
            raise Invalid(f"checkpoint of {len(content)} bytes, {HEAD.size} expected")
        _, hidden, outputs, king_buckets, _, _, _, _, steps, length = HEAD.unpack_from(content)
        architecture = Architecture(hidden, tuple(king_buckets), outputs)
        sizes = [int(np.prod(shape)) for shape in architecture.shapes]
        expected = HEAD.size + length + 12 * sum(sizes) + 4
        if len(content) != expected:
            raise Invalid(f"checkpoint of {len(content)} bytes, {expected} expected")
        if zlib.crc32(content[:-4]) != int.from_bytes(content[-4:], "little"):
            raise Invalid("checkpoint is damaged: wrong checksum")
        try:
            state = json.loads(content[HEAD.size : HEAD.size + length])
            is_whole = {"plan", "data", "batches", "loss", "history"} <= set(state) and isinstance(state["plan"], dict)
        except (ValueError, TypeError):
            is_whole = False
        if not is_whole:
            raise Invalid("checkpoint with an invalid note")
        # A checkpoint from before these options has not their settings.
        state["plan"] = {"with_terms": False, "start_digest": None, **state["plan"]}
        if state["plan"]["with_terms"] != (content[:8] == MAGIC_WITH_TERMS):
            raise Invalid("checkpoint with a wrong note: whether it was trained --with-terms")
        numbers = np.frombuffer(content, "<f4", 3 * sum(sizes), HEAD.size + length)
        groups = [
            [layer.reshape(shape) for layer, shape in zip(np.split(group, np.cumsum(sizes)[:-1]), architecture.shapes)]
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
