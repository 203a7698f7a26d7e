"""The floating-point network and its training steps, as in crates/training. Needs PyTorch."""

from typing import NamedTuple

import numpy as np
import torch
from torch.nn import Parameter
from torch.nn.functional import dropout, embedding_bag

from architecture import PIECE_SQUARES, Invalid, factors
from network import Quantisation
from positions import KINDS, NO_PIECE, OUR_KING, PHASES, THEIR_KING, decode

# The maximum absolute value of a weight. Biases of the outputs have no limit.
WEIGHT_LIMIT = 1.98
QUANTISATION = Quantisation()


class Examples(NamedTuple):
    """Positions on the device."""

    # On a CPU the active inputs, where those of a position begin at its place in `starts`; on a GPU, where multiplying
    # by zeros costs less than looking rows up, a row of zeros and ones for each position and no starts.
    inputs: torch.Tensor
    starts: torch.Tensor | None
    bucket: torch.Tensor
    target: torch.Tensor
    # The number of the phase in PHASES.
    phase: torch.Tensor
    # The values of the hand-written terms, in units of the output, if the network is averaged with them.
    terms: torch.Tensor | None


class Model(torch.nn.Module):
    """Sums of input weights, a squared clipped ReLU for both sides, and one output of those for the numbers of men.

    With factorised weights, `parts` has the shared parts, and `input` the rest."""

    def __init__(self, parameters, dropped=0.0):
        super().__init__()
        self.input, self.hidden_bias, self.output, self.output_bias, *parts = (
            Parameter(torch.tensor(numbers)) for numbers in parameters
        )
        self.parts, self.dropped = parts[0] if parts else None, dropped
        if parts:
            self.register_buffer("rows", torch.tensor(factors(len(self.input))))
            with torch.no_grad():
                self.input -= self.shared()

    def shared(self):
        """The shared parts of each weight of the inputs."""
        return self.parts[self.rows[:, 0]] + self.parts[self.rows[:, 1]]

    def weights(self):
        """The weights of the inputs."""
        return self.input if self.parts is None else self.input + self.shared()

    def clip(self):
        """Clips the weights to their limits."""
        with torch.no_grad():
            for weights in (self.input, self.hidden_bias, self.output, self.parts):
                if weights is not None:
                    weights.clamp_(-WEIGHT_LIMIT, WEIGHT_LIMIT)
            if self.parts is not None:
                self.input.copy_(self.weights().clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT) - self.shared())
            # The products of an output's weights with hidden values must together fit in 32 bits, each weight rounded.
            most = (2**31 - 1) / QUANTISATION.hidden**2 - self.output.shape[1] / 2
            sums = self.output.abs().sum(1, keepdim=True, dtype=torch.float64)
            self.output.mul_((most / QUANTISATION.output / sums).clamp(max=1).to(self.output.dtype))

    def forward(self, examples):
        """The logits of the expected results."""
        if examples.starts is None:
            sums = torch.addmm(self.hidden_bias, examples.inputs, self.weights())
        else:
            sums = embedding_bag(examples.inputs, self.weights(), examples.starts, mode="sum") + self.hidden_bias
        hidden = sums.clamp(0, 1).square()
        if self.training and self.dropped:
            hidden = dropout(hidden, self.dropped)
        ours, theirs = hidden.chunk(2)
        outputs = torch.cat([ours, theirs], 1) @ self.output.T + self.output_bias
        output = outputs.gather(1, examples.bucket[:, None]).squeeze(1)
        return output if examples.terms is None else (output + examples.terms) / 2


class Trainer:
    """A model in training: AdamW with clipped weights."""

    def __init__(self, parameters, weight_decay, device, dropped=0.0):
        self.model = Model(parameters, dropped).to(device)
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(), lr=0.001, betas=(0.9, 0.999), eps=1e-8, weight_decay=weight_decay, fused=True
        )
        self.device = device
        self.steps = 0

    def step(self, examples, rate):
        """Takes a step. Returns the sum of the squared errors before it, on the device."""
        self.optimiser.param_groups[0]["lr"] = rate
        self.optimiser.zero_grad()
        errors = (torch.sigmoid(self.model(examples)) - examples.target).square()
        errors.mean().backward()
        self.optimiser.step()
        self.model.clip()
        self.steps += 1
        return errors.detach().sum(dtype=torch.float64)

    def loss(self, examples):
        """The sum of squared errors and the number of positions of each phase."""
        self.model.eval()
        with torch.no_grad():
            errors = (torch.sigmoid(self.model(examples)) - examples.target).square().cpu().numpy()
        self.model.train()
        phase = examples.phase.cpu().numpy()
        return np.bincount(phase, errors, len(PHASES)), np.bincount(phase, minlength=len(PHASES))

    def numbers(self):
        """The parameters, the averages of their gradients and of the squared gradients, as arrays. The weights of the
        inputs include their shared parts."""
        groups = [[], [], []]
        for parameter in self.model.parameters():
            state = self.optimiser.state.get(parameter, {})
            zeros = torch.zeros_like(parameter)
            values = (parameter.detach(), state.get("exp_avg", zeros), state.get("exp_avg_sq", zeros))
            for group, value in zip(groups, values):
                group.append(value.cpu().numpy())
        groups[0][0] = self.model.weights().detach().cpu().numpy()
        return groups

    def restore(self, steps, first, second):
        """Continues with these averages after `steps` steps."""
        self.steps = steps
        for parameter, mean, square in zip(self.model.parameters(), first, second):
            self.optimiser.state[parameter] = {
                "step": torch.tensor(float(steps), device=self.device),
                "exp_avg": torch.tensor(mean, device=self.device),
                "exp_avg_sq": torch.tensor(square, device=self.device),
            }


class Reader:
    """Makes examples from records: with numpy on a CPU; on a GPU, which copies and decodes cheaply, there."""

    def __init__(self, architecture, score_weight, scale, device):
        self.architecture, self.score_weight, self.scale, self.device = architecture, score_weight, scale, device

        def table(numbers, kind):
            return torch.tensor(numbers, dtype=kind, device=device)

        self.kinds = table(KINDS, torch.int64)
        self.first = table(np.array(architecture.king_buckets) * PIECE_SQUARES, torch.int64)
        self.bits, self.squares = table(np.arange(8), torch.uint8), table(np.arange(64), torch.int64)
        self.buckets = table(architecture.output_bucket(np.arange(65)), torch.int64)

    def examples(self, records, terms=None):
        """Positions on the device, with the values of the hand-written terms if the network is averaged with them.
        Records that are not positions raise Invalid."""
        if terms is not None:
            terms = self._tensor(terms).float() / self.scale
        return (self._decoded if self.device.type == "cpu" else self._looked_up)(records)._replace(terms=terms)

    def _tensor(self, array):
        return torch.from_numpy(np.array(array)).to(self.device)

    def _decoded(self, records):
        batch = decode(records, self.architecture)
        target = batch.target(self.score_weight, self.scale)
        tensors = (batch.inputs, batch.starts, batch.bucket.astype(np.int64), target, phase(batch.men))
        return Examples(*map(self._tensor, tensors), None)

    def _looked_up(self, records):
        count = len(records)
        content = self._tensor(np.ascontiguousarray(records).view(np.uint8).reshape(count, 32))
        occupied = (content[:, :8, None] >> self.bits & 1).reshape(count, 64)
        men = occupied.sum(1)
        codes = torch.stack([content[:, 8:24] & 15, content[:, 8:24] >> 4], 2).reshape(count, 32)
        code = codes.gather(1, (occupied.cumsum(1) - 1).clamp(0, 31)).long()
        black = (content[:, 25] >= 128).long()
        kind = self.kinds[black[:, None], code].where(occupied.bool(), NO_PIECE)
        our_kings, their_kings = kind == OUR_KING, kind == THEIR_KING
        wrong = (men > 32) | (our_kings.sum(1) != 1) | (their_kings.sum(1) != 1)
        wrong |= ((kind == NO_PIECE) != (occupied == 0)).any(1)
        wrong = int(wrong.sum())
        if wrong:
            raise Invalid(f"{wrong} records that are no positions")

        # Black sees the board upside down, and a king on the files e to h mirrors it.
        inputs = torch.zeros(2 * count, self.architecture.inputs, device=self.device)
        views = ((our_kings, 56 * black, kind), (their_kings, 56 * (1 - black), (kind + 6) % 12))
        for half, (kings, flip, seen) in zip(inputs.chunk(2), views):
            king = kings.byte().argmax(1) ^ flip
            mirror = 7 * (king >> 2 & 1)
            king ^= mirror
            first = self.first[(king >> 3) * 4 + (king & 3)]
            at = first[:, None] + 64 * seen.where(occupied.bool(), 0) + (self.squares ^ (flip ^ mirror)[:, None])
            # An empty square adds nothing.
            half.scatter_add_(1, at, occupied.float())
        score = content[:, 28:30].contiguous().view(torch.int16).squeeze(1).float()
        white = content[:, 30].clamp(max=2).float() / 2
        result = torch.where(black.bool(), 1 - white, white)
        target = self.score_weight * torch.sigmoid(score / self.scale) + (1 - self.score_weight) * result
        return Examples(inputs, None, self.buckets[men], target, phase(men), None)


def phase(men):
    """The phases, as numbers in PHASES, for numbers of men."""
    return sum((men < least) * 1 for _, least in PHASES[:-1])
