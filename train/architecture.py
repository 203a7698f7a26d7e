"""The shape of a network, as in crates/network/src/architecture.rs, and its first weights, as in crates/training."""

from dataclasses import dataclass

import numpy as np

# Inputs of a king bucket: 12 kinds of piece on 64 squares.
PIECE_SQUARES = 768

# The number of hidden neurons is a multiple of this, up to a maximum.
BLOCK = 32
MOST_HIDDEN = 2048

MOST_OUTPUTS = 32

# The buckets of the king squares a1, b1, c1, d1, a2 … d8 by number, as in crates/tools/src/train/mod.rs.
KING_BUCKETS = {
    1: [0] * 32,
    # The corner, the middle of the first rank, the second rank, the rest.
    4: [0, 0, 1, 1] + [2] * 4 + [3] * 24,
    # Each file of the first rank, the halves of the second, the rest of the own half, the other half.
    8: [0, 1, 2, 3] + [4, 4, 5, 5] + [6] * 8 + [7] * 16,
}


class Invalid(Exception):
    """A file or setting is unusable; the message says why."""


@dataclass(frozen=True)
class Architecture:
    """(768 × king buckets) → hidden × 2 → 1 × outputs."""

    hidden: int
    king_buckets: tuple
    outputs: int

    def __post_init__(self):
        if not 0 < self.hidden <= MOST_HIDDEN or self.hidden % BLOCK:
            raise Invalid("unsupported architecture: the number of hidden neurons")
        if not 0 < self.outputs <= MOST_OUTPUTS:
            raise Invalid("unsupported architecture: the number of output buckets")
        used = set(self.king_buckets)
        if len(self.king_buckets) != 32 or used != set(range(len(used))):
            raise Invalid("unsupported architecture: the numbers of the king buckets")

    @property
    def inputs(self):
        """The number of inputs of a perspective."""
        return PIECE_SQUARES * (1 + max(self.king_buckets))

    @property
    def shapes(self):
        """The shapes of input weights, hidden biases, output weights and output biases, in the order of all files."""
        return [(self.inputs, self.hidden), (self.hidden,), (self.outputs, 2 * self.hidden), (self.outputs,)]

    def output_bucket(self, men):
        """The output buckets of positions by their numbers of men."""
        return (np.clip(men, 2, 32) - 2) * self.outputs // 31


def factors(inputs):
    """The two parts that each input's weights share with others: those of its kind on its rank and on its file, for all
    king buckets."""
    kind, square = np.arange(inputs) % PIECE_SQUARES // 64, np.arange(inputs) % 64
    return np.stack([16 * kind + square // 8, 16 * kind + 8 + square % 8], 1)


def factor_shape(architecture):
    """The shape of the shared parts."""
    return (PIECE_SQUARES // 64 * 16, architecture.hidden)


def first_weights(architecture, seed):
    """Random weights as in the Rust trainer: uniform, up to one over the square root of a layer's number of inputs."""
    inputs, hidden_bias, output, output_bias = architecture.shapes
    numbers = _centred(seed, int(np.prod(inputs)) + int(np.prod(output)))
    layers = np.split(numbers, [int(np.prod(inputs))])
    # One in 24 inputs of a king bucket is active.
    for layer, count in zip(layers, (PIECE_SQUARES, 2 * architecture.hidden)):
        layer *= np.float32(1) / np.sqrt(np.float32(count))
    return [
        layers[0].reshape(inputs),
        np.zeros(hidden_bias, np.float32),
        layers[1].reshape(output),
        np.zeros(output_bias, np.float32),
    ]


def grown(parameters, architecture, larger, seed):
    """Weights of a larger network with the same values, to train on from, as in crates/training/src/train/grow.rs.

    It may have more hidden neurons, and several buckets where the other has one. New neurons have random weights of the
    inputs and none to the outputs."""
    has_same_kings = architecture.king_buckets == larger.king_buckets
    if (
        larger.hidden < architecture.hidden
        or not (has_same_kings or architecture.inputs == PIECE_SQUARES)
        or architecture.outputs not in (1, larger.outputs)
    ):
        raise Invalid(
            f"its shape, {architecture.hidden} neurons, {architecture.inputs // PIECE_SQUARES} king buckets and "
            f"{architecture.outputs} output buckets, cannot grow to that of the options"
        )
    inputs, hidden_bias, output, output_bias = parameters
    new = first_weights(larger, seed)
    if not has_same_kings:
        # Each bucket begins with the weights of the first one, including those of the new neurons.
        copies = larger.inputs // PIECE_SQUARES
        inputs, new[0] = np.tile(inputs, (copies, 1)), np.tile(new[0][:PIECE_SQUARES], (copies, 1))
    new[0][:, : architecture.hidden] = inputs
    new[1][: architecture.hidden] = hidden_bias
    # The weights of both sides are stored one after the other.
    sides = np.zeros((larger.outputs, 2, larger.hidden), np.float32)
    sides[:, :, : architecture.hidden] = output.reshape(architecture.outputs, 2, architecture.hidden)
    new[2] = sides.reshape(larger.outputs, -1)
    new[3][:] = output_bias
    return new


def _centred(seed, count):
    """Numbers from -1 to 1 by SplitMix64, as in crates/types."""
    z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return (z >> np.uint64(40)).astype(np.float32) / np.float32(1 << 23) - np.float32(1)
