# For OpenBench, which runs `make EXE=name` and expects an engine of that name in this folder.
# In all other cases, use `cargo build --release`.

# OpenBench may also set CC, CXX and EVALFILE; they are ignored.
EXE ?= bartizan

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif
# EXE may be given with or without its suffix.
NAME := $(patsubst %.exe,%,$(EXE))$(SUFFIX)

# By default, build for the processor of this machine.
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
