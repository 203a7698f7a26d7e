"""Runs the examples of the documentation."""

import doctest
import inspect

import pytest

import bartizan
from bartizan import _bartizan, _score, eco, engine, pgn, polyglot, svg, syzygy


def documented():
    modules = [bartizan, _bartizan, _score, engine, pgn, eco, polyglot, svg, syzygy]
    for module in modules:
        for name, thing in vars(module).items():
            if name.startswith("__") or not (inspect.isclass(thing) or callable(thing)):
                continue
            yield f"{module.__name__}.{name}", thing
            if inspect.isclass(thing):
                for inner, member in vars(thing).items():
                    yield f"{module.__name__}.{name}.{inner}", member


def examples():
    parser, seen = doctest.DocTestParser(), set()
    for name, thing in documented():
        text = inspect.getdoc(thing) or ""
        if ">>>" in text and text not in seen:
            seen.add(text)
            yield parser.get_doctest(text, {}, name, None, None)


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.name)
def test_example(example):
    flags = doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE
    assert doctest.DocTestRunner(optionflags=flags).run(example).failed == 0


def test_native_names_are_documented():
    for name, thing in vars(_bartizan).items():
        if inspect.isclass(thing):
            public = [member for member in vars(thing) if not member.startswith("_")]
            assert all(inspect.getdoc(vars(thing)[member]) for member in public if member not in
                       ("name", "set_option", "process", "built_in")), name
