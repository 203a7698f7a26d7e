# For OpenBench, which runs `make EXE=name` and expects an engine of that name in this folder.
# In all other cases, use `cargo build --release`.

# OpenBench may also set CC, CXX and EVALFILE; they are ignored.
EXE ?= bartizan

# Features of the build; a branch that OpenBench is to tune sets `FEATURES = tuning`.
FEATURES ?=

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif
# EXE may be given with or without its suffix.
NAME := $(patsubst %.exe,%,$(EXE))$(SUFFIX)

HOST := $(shell rustc -vV | sed -n 's/^host: //p')

# By default, build for the processor of this machine, on Linux with fixed addresses as in the released programs.
RUSTFLAGS ?= -C target-cpu=native $(if $(filter x86_64-%-linux-gnu,$(HOST)),-C relocation-model=static)
CARGO_TARGET_DIR ?= target
export RUSTFLAGS CARGO_TARGET_DIR

.PHONY: all clean

# With a target, the flags do not apply to build scripts and macros, which need other addresses.
all:
	cargo build --release --package bartizan $(if $(FEATURES),--features "$(FEATURES)") --target "$(HOST)"
	cp "$(CARGO_TARGET_DIR)/$(HOST)/release/bartizan$(SUFFIX)" "$(NAME)"

clean:
	cargo clean
	rm -f "$(NAME)"
