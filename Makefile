# Everything a newcomer needs; `make` alone lists it. Cargo works without make too, once `make setup` has run.

CARGO ?= cargo

# A PKG_CONFIG_PATH in the environment would hide the entry for .z3 in .cargo/config.toml: put that in front of it.
ifneq ($(strip $(PKG_CONFIG_PATH)),)
export PKG_CONFIG_PATH := $(CURDIR)/.z3:$(PKG_CONFIG_PATH)
endif

# Clippy as the compiler, as `cargo clippy` calls it: what is built to be tested is linted in the same pass, and warnings are errors.
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__

.PHONY: help setup build demo test bench clean distclean

## help: list these targets
help:
	@echo 'Clausal: make TARGET, where TARGET is one of'
	@sed -n 's/^## \([a-z]*\): \(.*\)/    \1@\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F@ '{ printf "%-14s %s\n", $$1, $$2 }'

## setup: prepare Z3 in .z3/ (an installed one that is new enough, or else a pinned download)
setup:
	@command -v python3 > /dev/null || { echo 'make: python3 was not found; install it, it prepares Z3' >&2; exit 1; }
	@command -v $(CARGO) > /dev/null || { echo 'make: cargo was not found; install Rust 1.88 or newer' >&2; exit 1; }
	@python3 scripts/setup-z3

## build: build the program, target/release/clausal
build: setup
	$(CARGO) build --release

## demo: verify the programs in clp-programs/ and print what was found
demo: build
	@python3 scripts/demo

## test: check formatting, lints, all tests, the demo, and, where their packages are installed, BenchExec and Dask
test: setup
	$(CARGO) fmt --all --check
	$(LINTED) $(CARGO) test --locked --lib --bins --tests --benches
	$(LINTED) $(CARGO) build --locked --examples
	$(LINTED) $(CARGO) test --locked --doc
	@python3 scripts/demo --binary target/debug/clausal
	@python3 contrib/benchexec/test_benchexec
	@python3 contrib/dask/test_dask

## bench: compare with Spacer on the Horn files of the folder that CLAUSAL_CORPUS names
bench: build
	benches/horn-corpus

## clean: remove what was built
clean:
	$(CARGO) clean

## distclean: remove what was built and the prepared Z3
distclean: clean
	rm -rf .z3 .z3-*
