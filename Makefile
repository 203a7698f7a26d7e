# For OpenBench, which runs `make EXE=name` and expects the engine in this folder under that name.
# Everybody else: `cargo build --release`.

# CC, CXX and EVALFILE may be given and mean nothing here.
EXE ?= bartizan

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif
# The name may come with its ending or without.
NAME := $(patsubst %.exe,%,$(EXE))$(SUFFIX)

# Built for the machine it is built on, unless told otherwise.
RUSTFLAGS ?= -C target-cpu=native
CARGO_TARGET_DIR ?= target
export RUSTFLAGS CARGO_TARGET_DIR

.PHONY: all clean

all:
	cargo build --release --package bartizan
	cp "$(CARGO_TARGET_DIR)/release/bartizan$(SUFFIX)" "$(NAME)"

clean:
	cargo clean
	rm -f "$(NAME)"
