"""Network files, integer evaluation and checkpoints; needs only numpy."""

import os
import tempfile
import types
import unittest
import zlib
from unittest import mock

import numpy as np

import train
from architecture import KING_BUCKETS, Architecture, Invalid, first_weights, grown
from checkpoint import MORE_HEAD, OLD_HEAD, OLD_PLAN, Checkpoint
from network import Network, Quantisation, quantise, replace
from positions import decode
from test_positions import FENS, pack, slow_inputs

SHAPE = Architecture(64, tuple(KING_BUCKETS[4]), 8)


def random_network(seed, most_input=505, most_output=127):
    """A network with weights up to these sizes. Every second row of the outputs is small enough for the limits."""
    random = np.random.default_rng(seed)
    most = [most_input, most_input, most_output, 1 << 20]
    weights = [random.integers(-limit, limit, shape, endpoint=True) for limit, shape in zip(most, SHAPE.shapes)]
    return Network(SHAPE, Quantisation(), weights, bytes(range(32)), "a command")


def slow_value(network, fen):
    """The value of a position, computed number by number."""
    truncated = lambda number, divisor: abs(number) // divisor * (1 if number >= 0 else -1)  # noqa: E731
    rows, biases, outputs, output_biases = [weights.tolist() for weights in network.weights]
    men = sum(letter.isalpha() for letter in fen.split()[0])
    bucket = (men - 2) * network.architecture.outputs // 31
    hidden = network.architecture.hidden
    total = 0
    for side, inputs in enumerate(slow_inputs(fen, network.architecture)):
        for neuron in range(hidden):
            value = biases[neuron] + sum(rows[at][neuron] for at in inputs)
            total += min(max(value, 0), 255) ** 2 * outputs[bucket][side * hidden + neuron]
    value = truncated((truncated(total, 255) + output_biases[bucket]) * 400, 255 * 64)
    return min(max(value, -7500), 7500)


class Evaluation(unittest.TestCase):
    def test_values_equal_their_definition(self):
        for seed, most in enumerate([(505, 127), (40, 20), (20, 3)]):
            network = random_network(seed, *most)
            values = network.evaluate(decode(np.array([pack(fen) for fen in FENS]), SHAPE))
            self.assertEqual(values.tolist(), [slow_value(network, fen) for fen in FENS])

    def test_a_larger_network_has_the_same_values(self):
        some = np.array([pack(fen) for fen in FENS])
        # Integer multiples of the units, so that only the weights of new neurons are rounded.
        for kings, outputs in ((1, 1), (1, 8), (4, 8)):
            small = Architecture(32, tuple(KING_BUCKETS[kings]), outputs)
            random = np.random.default_rng(kings + outputs)
            weights = [random.integers(-limit, limit, shape) for limit, shape in zip((40, 40, 30, 900), small.shapes)]
            network = Network(small, Quantisation(), weights)
            for larger in (small, Architecture(96, tuple(KING_BUCKETS[4]), 8)):
                if larger.outputs < outputs:
                    continue
                parameters = grown(network.parameters(), small, larger, 4)
                again = quantise(larger, parameters, Quantisation(), bytes(32), "")
                values = again.evaluate(decode(some, larger))
                self.assertEqual(values.tolist(), network.evaluate(decode(some, small)).tolist())
            self.assertTrue((parameters[0][:, 32:] != 0).all())
            self.assertFalse(parameters[2].reshape(8, 2, 96)[:, :, 32:].any())
        np.testing.assert_array_equal(parameters[0][:, 32:], first_weights(larger, 4)[0][:, 32:])

    def test_shapes_that_are_not_larger_are_refused(self):
        weights = first_weights(SHAPE, 1)
        for hidden, kings, outputs in ((32, 4, 8), (64, 1, 8), (64, 8, 8), (64, 4, 1), (64, 4, 16)):
            with self.assertRaisesRegex(Invalid, "its shape, 64 neurons, 4 king buckets and 8 output buckets, cannot"):
                grown(weights, SHAPE, Architecture(hidden, tuple(KING_BUCKETS[kings]), outputs), 1)

    def test_large_weights_are_refused(self):
        for layer, limit in enumerate([1020, 32767 - 32 * 505, 128, (1 << 30) - 1]):
            weights = [array.copy() for array in random_network(1, 505, 16).weights]
            weights[0][3, 7] = 505
            for value, is_fine in ((limit, layer != 0), (limit + 1, False)):
                weights[layer].flat[5] = value
                if is_fine:
                    Network(SHAPE, Quantisation(), weights)
                else:
                    with self.assertRaisesRegex(Invalid, "weights too large"):
                        Network(SHAPE, Quantisation(), weights)
        # Each weight fits, but all weights of an output together do not.
        weights = [np.zeros(shape, np.int32) for shape in Architecture(512, (0,) * 32, 1).shapes]
        weights[2][:] = 100
        with self.assertRaisesRegex(Invalid, "together"):
            Network(Architecture(512, (0,) * 32, 1), Quantisation(), weights)

    def test_weights_are_rounded_half_away_from_zero(self):
        weights = [np.zeros(shape, np.float32) for shape in SHAPE.shapes]
        weights[2][0, :6] = np.array([0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997]) / 64
        weights[3][:2] = [0.25, -1]
        network = quantise(SHAPE, weights, Quantisation(), bytes(32), "")
        self.assertEqual(network.weights[2][0, :6].tolist(), [1, -1, 2, 3, -3, 0])
        self.assertEqual(network.weights[3][:2].tolist(), [4080, -16320])
        weights[1][0] = np.nan
        with self.assertRaisesRegex(Invalid, "not finite"):
            quantise(SHAPE, weights, Quantisation(), bytes(32), "")


class Files(unittest.TestCase):
    def test_networks_are_read_as_written(self):
        network = random_network(4)
        content = network.to_bytes()
        again = Network.from_bytes(content)
        self.assertEqual(again.to_bytes(), content)
        self.assertEqual((again.architecture, again.quantisation), (SHAPE, Quantisation()))
        self.assertEqual((again.data, again.command), (bytes(range(32)), "a command"))
        for one, other in zip(network.weights, again.weights):
            np.testing.assert_array_equal(one, other)

    def test_a_long_command_is_cut_between_letters(self):
        network = random_network(4)
        network.command = "x" + "ß" * 40000
        self.assertEqual(Network.from_bytes(network.to_bytes()).command, "x" + "ß" * 32767)

    def test_damaged_files_are_refused(self):
        plan = {"lambda": 0.7, "scale": 400, "weight_decay": 0.01, "threads": 2}
        state = {
            "plan": {**OLD_PLAN, **plan},
            "data": "",
            "batches": 3,
            "loss": {},
            "history": [],
        }
        numbers = [first_weights(SHAPE, seed) for seed in (1, 2, 3)]
        checkpoint = Checkpoint(SHAPE, state, 77, *numbers)
        for kind, content in ((Network, random_network(5).to_bytes()), (Checkpoint, checkpoint.to_bytes())):
            for cut in (0, 7, 8, 60, 91, len(content) - 1):
                with self.assertRaises(Invalid):
                    kind.from_bytes(content[:cut])
            for at in list(range(0, 100)) + list(range(100, len(content), 9973)):
                changed = bytearray(content)
                changed[at] ^= 0x10
                with self.assertRaises(Invalid, msg=f"byte {at}"):
                    kind.from_bytes(bytes(changed))
        for more in ({"with_terms": True}, {"dropout": 0.25}, {}):
            checkpoint.state = {**state, "plan": {**state["plan"], **more}}
            again = Checkpoint.from_bytes(checkpoint.to_bytes())
            self.assertEqual((again.architecture, again.state, again.steps), (SHAPE, checkpoint.state, 77))
        for group, read in zip(numbers, (again.parameters, again.first, again.second)):
            for one, other in zip(group, read):
                np.testing.assert_array_equal(one, other)

    def test_checkpoints_of_older_versions_are_read(self):
        plan = {"lambda": 0.7, "scale": 400, "weight_decay": 0.01, "threads": 2}
        state = {"data": "", "batches": 3, "loss": {}, "history": []}
        numbers = [first_weights(SHAPE, seed) for seed in (1, 2, 3)]
        for magic, with_terms in ((b"BZTRAIN1", False), (b"BZTRAIN2", True)):
            for note in (with_terms, not with_terms):
                old = plan | ({"with_terms": True} if note else {})
                content = Checkpoint(SHAPE, {**state, "plan": {**OLD_PLAN, **old}}, 77, *numbers).to_bytes()
                content = content[: OLD_HEAD.size] + content[OLD_HEAD.size + MORE_HEAD.size : -4]
                content = magic + content[8:]
                content += zlib.crc32(content).to_bytes(4, "little")
                if note == with_terms:
                    self.assertEqual(Checkpoint.from_bytes(content).state["plan"], {**OLD_PLAN, **old})
                else:
                    with self.assertRaisesRegex(Invalid, "wrong note"):
                        Checkpoint.from_bytes(content)

    def test_shared_parts_are_kept(self):
        plan = {**OLD_PLAN, "lambda": 0.7, "scale": 400, "weight_decay": 0.01, "threads": 2, "factorised": True}
        state = {"plan": plan, "data": "", "batches": 3, "loss": {}, "history": []}
        parts = np.arange(192 * 64, dtype=np.float32).reshape(192, 64)
        numbers = [first_weights(SHAPE, seed) + [parts * seed] for seed in (1, 2, 3)]
        again = Checkpoint.from_bytes(Checkpoint(SHAPE, state, 77, *numbers).to_bytes())
        for group, read in zip(numbers, (again.parameters, again.first, again.second)):
            self.assertEqual(len(read), 5)
            for one, other in zip(group, read):
                np.testing.assert_array_equal(one, other)

    def test_files_are_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file")
            replace(path, b"one")
            replace(path, b"two")
            self.assertEqual(os.listdir(folder), ["file"])
            link = os.path.join(folder, "link")
            os.symlink("file", link)
            replace(link, b"three")
            with open(path, "rb") as file:
                self.assertEqual(file.read(), b"three")
            self.assertTrue(os.path.islink(link))
            with self.assertRaisesRegex(Invalid, "cannot write"):
                replace(folder, b"")
            self.assertEqual(sorted(os.listdir(folder)), ["file", "link"])
            with self.assertRaisesRegex(Invalid, "cannot write"):
                replace(os.path.join(folder, "no", "folder"), b"")


class Settings(unittest.TestCase):
    def test_outputs_over_inputs_and_over_each_other_are_refused(self):
        for more, message in [
            (["--out", "./data"], "'./data' is an input and would be overwritten"),
            (["--out", "x", "--validation", "x"], "'x' is an input and would be overwritten"),
            (["--out", "x", "--start", "y", "--checkpoint", "./y"], "'./y' is an input and would be overwritten"),
            (["--out", "x", "--checkpoint", "./x"], "'./x' is given for two outputs"),
        ]:
            with self.subTest(more=more), self.assertRaisesRegex(Invalid, message):
                train.Training(train.parse(["--data", "data", *more]))

    def test_other_numbers_of_epochs_are_noted(self):
        plan = train.parse(["--data", "x", "--out", "y", "--epochs", "3"]).plan
        # Older checkpoints have no changes.
        state = {"plan": plan, "history": [1, 2, 3]}
        for epochs in (3, 5, 5, 4):
            train.plan_epochs(state, epochs)
        changes = [{"done": 3, "epochs": 5}, {"done": 3, "epochs": 4}]
        self.assertEqual((state["changes"], plan["epochs"]), (changes, 3))
        with self.assertRaisesRegex(Invalid, "3 epochs are done, more than --epochs 2"):
            train.plan_epochs(state, 2)
        command = train.command(plan, changes, types.SimpleNamespace(type="cpu"))
        self.assertIn(" --epochs 3 ", command)
        self.assertTrue(command.endswith(" --device cpu, after 3 --epochs 5, after 3 --epochs 4"), command)

    def test_a_phase_without_positions_has_no_loss(self):
        epoch = {"epoch": 1, "train": 0.5, "validation": 0.25, "phases": [0.25, None, 0.5]}
        line = train.line(epoch | {"rate": 0.001, "positions_per_second": 9})
        self.assertIn("validation 0.250000 (opening 0.250000, middlegame –, endgame 0.500000)", line)

    def test_architectures_without_sense_are_refused(self):
        for hidden, buckets, outputs in (
            (0, [0] * 32, 1),
            (33, [0] * 32, 1),
            (2080, [0] * 32, 1),
            (32, [1] * 32, 1),
            (32, [0] * 31 + [2], 1),
            (32, [0] * 32, 0),
            (32, [0] * 32, 33),
        ):
            with self.assertRaises(Invalid):
                Architecture(hidden, tuple(buckets), outputs)

    def test_first_weights_are_those_of_the_generator(self):
        inputs, hidden_bias, output, output_bias = first_weights(SHAPE, 1_234_567)
        # The first numbers of the generator for this seed, as published with its reference implementation.
        expected = [(number >> 40) / (1 << 23) - 1 for number in (6_457_827_717_110_365_317, 3_203_168_211_198_807_973)]
        np.testing.assert_allclose(inputs[0, :2], np.array(expected) / 768**0.5, rtol=1e-6)
        self.assertLess(np.abs(output).max(), 1 / 128**0.5)
        self.assertGreater(np.abs(output).max(), 0.99 / 128**0.5)
        self.assertFalse(hidden_bias.any() or output_bias.any())

    def test_arguments_are_those_of_the_tools(self):
        usual = ["--data", "a", "--out", "b"]
        args = train.parse(usual + ["--threads", "3"])
        self.assertEqual(args.checkpoint, "b.train")
        self.assertEqual(
            args.plan,
            {
                "hidden": 128,
                "king_buckets": 1,
                "output_buckets": 1,
                "epochs": 10,
                "batch": 16384,
                "rate": 0.001,
                "final_rate": 0.00001,
                "lambda": 1.0,
                "scale": 400,
                "dropout": 0.0,
                "weight_decay": 0.01,
                "seed": 1,
                "threads": 3,
                "with_terms": False,
                "factorised": False,
                "start_digest": None,
            },
        )
        self.assertGreater(train.parse(usual).plan["threads"], 0)

    def test_other_systems_have_fewer_functions_and_signals(self):
        with mock.patch.object(train, "os", types.SimpleNamespace(cpu_count=lambda: 3)):
            self.assertEqual((train.cores("auto"), train.cores("2")), (3, 2))
        with mock.patch.object(train, "signal", types.SimpleNamespace(SIGINT=2, SIGTERM=15)):
            self.assertEqual(train.signals(), [2, 15])

    def test_the_rate_falls_along_half_a_cosine(self):
        plan = {"rate": 0.01, "final_rate": 0.001}
        rates = [train.learning_rate(plan, step, 5) for step in range(6)]
        np.testing.assert_allclose(rates, [0.01, 0.0086819805, 0.0055, 0.0023180195, 0.001, 0.001])
        self.assertAlmostEqual(train.learning_rate(plan, 0, 1), 0.01)


if __name__ == "__main__":
    unittest.main()
