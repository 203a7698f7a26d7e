"""Network files and integer evaluation, as in crates/network."""

import contextlib
import os
import secrets
import shutil
import zlib
from dataclasses import dataclass

import numpy as np

try:
    import fcntl
except ImportError:
    fcntl = None

from architecture import Architecture, Invalid

MAGIC = b"BZNETW"
VERSION = b"01"

# Maximum number of bytes of a file's name that are used in the name of its temporary file.
LONGEST_NAME = 180

# Bytes before the command.
HEAD = 88

# The longest command, in bytes.
MOST_COMMAND = 1 << 16

# The largest value of an ending without a known result, in internal centipawns: ORDINARY_MAX of crates/eval.
MOST_VALUE = 7500

# Men on a board.
MOST_MEN = 32


@dataclass(frozen=True)
class Quantisation:
    """The integers for 1.0 in weights of the hidden layer and of the output, and the centipawns of an output of 1.0."""

    hidden: int = 255
    output: int = 64
    scale: int = 400

    def __post_init__(self):
        if not 1 <= self.hidden <= 255 or not 1 <= self.output < 1 << 15 or not 1 <= self.scale < 1 << 15:
            raise Invalid("invalid quantisation")


@dataclass
class Network:
    """The weights as integers, in the shapes of the architecture."""

    architecture: Architecture
    quantisation: Quantisation
    weights: list
    # The SHA-256 of the training data, and the command that trained the network.
    data: bytes = bytes(32)
    command: str = ""

    def __post_init__(self):
        """Rejects weights with which an evaluation could overflow, like the engine."""
        inputs, hidden_bias, output, output_bias = [np.abs(weights.astype(np.int64)) for weights in self.weights]
        limit = self.quantisation.hidden
        if hidden_bias.max() + MOST_MEN * inputs.max() > np.iinfo(np.int16).max:
            raise Invalid("weights too large: those of the inputs")
        if limit * output.max() > np.iinfo(np.int16).max:
            raise Invalid("weights too large: those of the outputs")
        most = np.iinfo(np.int32).max
        if (output.sum(axis=1) * limit * limit).max() > most or output_bias.max() > most // 2:
            raise Invalid("weights too large: those of an output together")

    def evaluate(self, batch):
        """The values of positions for the side to move, in internal centipawns, as computed by the engine."""
        inputs, hidden_bias, output, output_bias = [weights.astype(np.int32) for weights in self.weights]
        one, count = self.quantisation.hidden, len(batch.bucket)
        sums = hidden_bias + np.add.reduceat(inputs[batch.inputs], batch.starts, axis=0)
        squares = np.clip(sums, 0, one) ** 2
        # The squares of the side to move, then those of the other side.
        squares = np.concatenate([squares[:count], squares[count:]], axis=1)
        products = (squares * output[batch.bucket]).sum(axis=1, dtype=np.int64)
        value = _divide(products, one) + output_bias[batch.bucket]
        value = _divide(value * self.quantisation.scale, one * self.quantisation.output)
        return np.clip(value, -MOST_VALUE, MOST_VALUE)

    def parameters(self):
        """The weights as fractions, to continue training from."""
        hidden, output = np.float32(self.quantisation.hidden), np.float32(self.quantisation.output)
        ones = [hidden, hidden, output, hidden * output]
        return [weights.astype(np.float32) / one for weights, one in zip(self.weights, ones)]

    def to_bytes(self):
        """Serialises the network."""
        shape, one = self.architecture, self.quantisation
        command = self.command.encode()[:MOST_COMMAND].decode(errors="ignore").encode()
        numbers = np.array([shape.hidden, shape.outputs], "<u2").tobytes() + bytes(shape.king_buckets)
        numbers += np.array([one.hidden, one.output, one.scale, 0], "<i2").tobytes()
        content = MAGIC + VERSION + numbers + self.data + len(command).to_bytes(4, "little") + command
        content += b"".join(weights.astype("<i2").tobytes() for weights in self.weights[:3])
        content += self.weights[3].astype("<i4").tobytes()
        return content + zlib.crc32(content).to_bytes(4, "little")

    @staticmethod
    def from_bytes(content):
        """Reads the bytes of a file."""
        if content[:6] != MAGIC:
            raise Invalid("not a network file: it does not begin with 'BZNETW'")
        if content[6:8] != VERSION:
            raise Invalid(f"unsupported version {content[6:8]!r} of the format")
        if len(content) < HEAD + 4:
            raise Invalid(f"network file of {len(content)} bytes, at least {HEAD + 4} expected")
        hidden, outputs = (int(number) for number in np.frombuffer(content, "<u2", 2, 8))
        architecture = Architecture(hidden, tuple(content[12:44]), outputs)
        quantisation = Quantisation(*(int(number) for number in np.frombuffer(content, "<i2", 3, 44)))
        command_length = int.from_bytes(content[84:88], "little")
        sizes = [int(np.prod(shape)) for shape in architecture.shapes]
        expected = HEAD + command_length + 2 * sum(sizes[:3]) + 4 * sizes[3] + 4
        if command_length > MOST_COMMAND or len(content) != expected:
            raise Invalid(f"network file of {len(content)} bytes, {expected} expected")
        if zlib.crc32(content[:-4]) != int.from_bytes(content[-4:], "little"):
            raise Invalid("network file is damaged: wrong checksum")
        try:
            command = content[HEAD : HEAD + command_length].decode()
        except UnicodeDecodeError:
            raise Invalid("network file with an invalid command") from None
        at, weights = HEAD + command_length, []
        for shape, size, kind in zip(architecture.shapes, sizes, ["<i2", "<i2", "<i2", "<i4"]):
            weights.append(np.frombuffer(content, kind, size, at).reshape(shape))
            at += weights[-1].nbytes
        return Network(architecture, quantisation, weights, bytes(content[52:84]), command)

    @staticmethod
    def open(path):
        """Reads a file."""
        try:
            with open(path, "rb") as file:
                return Network.from_bytes(file.read())
        except OSError as error:
            raise Invalid(f"cannot read '{path}': {error.strerror}") from None
        except Invalid as error:
            raise Invalid(f"cannot read '{path}': {error}") from None


def quantise(architecture, parameters, quantisation, data, command):
    """The network of float parameters in the shapes of the architecture, each rounded; halves away from zero."""
    if not all(np.isfinite(weights).all() for weights in parameters):
        raise Invalid("the training has failed: weights that are not finite")
    hidden, output = np.float32(quantisation.hidden), np.float32(quantisation.output)
    ones = [(hidden,), (hidden,), (output,), (hidden, output)]
    integers = []
    for weights, factors in zip(parameters, ones):
        product = weights.astype(np.float32)
        for factor in factors:
            product = product * factor
        product = product.astype(np.float64)
        integers.append(np.trunc(product + np.copysign(0.5, product)).astype(np.int32))
    return Network(architecture, quantisation, integers, data, command)


def replace(path, content):
    """Writes a file, which replaces an old one once it is complete. A symbolic link is followed."""
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    # bartizan-tools recognises such names and deletes the files that a killed program has left, unless they are locked.
    name = os.fsencode(name)[:LONGEST_NAME].decode("utf-8", "ignore")
    new = os.path.join(folder, f"{name}.{os.getpid()}-{secrets.token_hex(3)}.bartizan-tmp")
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            # A device, such as /dev/null, or a pipe.
            with open(path, "wb") as file:
                file.write(content)
            return
        with open(new, "xb") as file:
            if fcntl:
                # On a file system without locks, nothing else deletes the file.
                with contextlib.suppress(OSError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            if os.path.exists(target):
                with contextlib.suppress(OSError):
                    shutil.copymode(target, new)
            if fcntl:
                os.replace(new, target)
        if not fcntl:
            # Windows cannot rename an open file.
            os.replace(new, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.remove(new)
        raise Invalid(f"cannot write '{path}': {error.strerror}") from None


def _divide(number, divisor):
    """Division towards zero."""
    return np.sign(number) * (np.abs(number) // divisor)
