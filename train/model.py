"""The network in floating point and its steps of training, as in crates/train. Needs PyTorch."""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import Parameter
from torch.nn.functional import embedding_bag

from positions import PHASES, decode

# The greatest absolute value of a weight. Biases of the outputs have no limit.
WEIGHT_LIMIT = 1.98


class Examples(NamedTuple):
    """Positions on the device."""

    inputs: torch.Tensor
    starts: torch.Tensor
    bucket: torch.Tensor
    target: torch.Tensor
    # The number of the phase in PHASES, not on the device.
    phase: np.ndarray


class Model(torch.nn.Module):
    """Sums of input weights, a squared clipped ReLU for both sides, and one output of those for the numbers of men."""

    def __init__(self, parameters):
        super().__init__()
        self.input, self.hidden_bias, self.output, self.output_bias = (Parameter(torch.tensor(p)) for p in parameters)

    def forward(self, examples):
        """The logits of the expected results."""
        sums = embedding_bag(examples.inputs, self.input, examples.starts, mode="sum") + self.hidden_bias
        ours, theirs = sums.clamp(0, 1).square().chunk(2)
        outputs = torch.cat([ours, theirs], 1) @ self.output.T + self.output_bias
        return outputs.gather(1, examples.bucket[:, None]).squeeze(1)


class Trainer:
    """A model in training: AdamW with clipped weights."""

    def __init__(self, parameters, weight_decay, device):
        self.model = Model(parameters).to(device)
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
        with torch.no_grad():
            for weights in (self.model.input, self.model.hidden_bias, self.model.output):
                weights.clamp_(-WEIGHT_LIMIT, WEIGHT_LIMIT)
        self.steps += 1
        return errors.detach().sum(dtype=torch.float64)

    def loss(self, examples):
        """The sum of squared errors and the number of positions of each phase."""
        with torch.no_grad():
            errors = (torch.sigmoid(self.model(examples)) - examples.target).square().cpu().numpy()
        return np.bincount(examples.phase, errors, len(PHASES)), np.bincount(examples.phase, minlength=len(PHASES))

    def numbers(self):
        """The parameters, the averages of their gradients and of the squares of these, as arrays."""
        groups = [[], [], []]
        for parameter in self.model.parameters():
            state = self.optimiser.state.get(parameter, {})
            zeros = torch.zeros_like(parameter)
            values = (parameter.detach(), state.get("exp_avg", zeros), state.get("exp_avg_sq", zeros))
            for group, value in zip(groups, values):
                group.append(value.cpu().numpy())
        return groups

    def restore(self, steps, first, second):
        """Continues with these averages after so many steps."""
        self.steps = steps
        for parameter, mean, square in zip(self.model.parameters(), first, second):
            self.optimiser.state[parameter] = {
                "step": torch.tensor(float(steps), device=self.device),
                "exp_avg": torch.tensor(mean, device=self.device),
                "exp_avg_sq": torch.tensor(square, device=self.device),
            }


def examples(records, architecture, score_weight, scale, device):
    """Positions on the device."""
    batch = decode(records, architecture)
    tensors = (batch.inputs, batch.starts, batch.bucket.astype(np.int64), batch.target(score_weight, scale))
    phase = np.select([batch.men >= least for _, least in PHASES], range(len(PHASES)))
    return Examples(*(torch.from_numpy(array).to(device) for array in tensors), phase)


def batches(read, count, first, threads, device):
    """The batches `read(first)` to `read(count - 1)`. A GPU does not wait for them: threads read ahead."""
    if device.type == "cpu":
        yield from map(read, range(first, count))
        return
    with ThreadPoolExecutor(threads) as pool:
        ahead = [pool.submit(read, number) for number in range(first, min(first + 2 * threads, count))]
        for number in range(first, count):
            if number + 2 * threads < count:
                ahead.append(pool.submit(read, number + 2 * threads))
            yield ahead.pop(0).result()
