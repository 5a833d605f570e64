# Everything starts here: `make demo` and `make test`. Both get what is missing
# (PDAL, cmake), build, and run. The building itself is CMake's and go's work.

BUILD := build
MAKEFLAGS += --no-print-directory

# What is given on the command line reaches the recipes through the environment
# only, and as it was typed: in a name such as a$(b)`c`.laz nothing is for make or
# the shell. So no recipe has a variable of make in it.
MAKEOVERRIDES :=
$(foreach v,$(.VARIABLES),$(if $(findstring command line,$(origin $v)),\
  $(eval override $v := $$(value $v))$(eval export $v)))
export BUILD SIZES

.PHONY: all plugin configured demo evidence bench clean package release sbom wheel lint race parity gpu-proof ptx \
	help check test test-cluster test-qgis test-package test-root test-wheel
all: configured
	@cmake --build "$$BUILD" --parallel $$(getconf _NPROCESSORS_ONLN)

# Everything but the library with training, which takes longest to build and
# which only `pdal superpoint train` needs.
plugin: configured
	@cmake --build "$$BUILD" --parallel $$(getconf _NPROCESSORS_ONLN) --target superpoint \
		--target pdal_plugin_filter_superpoint --target pdal_plugin_kernel_superpoint

# Lists the targets below what this file says of them.
help:
	@sed -n 's/^#//p; s/^\([a-z-]\{3,\}\):.*/make \1\n/p' Makefile

# Finds or fetches PDAL and cmake and configures the build: once, and again when
# the checkout was moved or its PDAL is gone.
configured:
	@filter/pdal/configure.sh "$$BUILD"

# make demo                      a simulated village, scanned from the air
# make demo INPUT=tile.laz       a file of yours
demo: plugin
	@pipelines/demo.sh

# make evidence                  the comparisons with other methods, from ../shared/data to RESULTS.md
evidence: plugin
	@pipelines/evidence/measure.sh val second third simulated && go run ./pipelines/evidence

# make bench                     speed and memory, beside Lin and VCCS
# make bench SIZES=0.2,1         the short one;  INPUT="a.laz b.laz": tiles of yours;  RECORD=1: keep the rows
# Then the share of the time that is not in parallel loops.
SIZES := 0.2,1,10,30
bench: plugin
	@set -f; python3 pipelines/bench/bench.py --sizes "$$SIZES" $${RECORD:+--record} -- $$INPUT
	@go test ./filter -run '^$$' -bench SerialShare -benchtime 3x

# All tests, also those through pdal. go's ./... leaves out folders named testdata, so their packages are listed. The
# slowest package is first, so that it does not begin when others end. gotestsum, a tool of go.mod, is go test that
# lists at the end what was skipped and why. Packages are compiled as for the libraries (their flags in
# CMakeLists.txt; pie and c-shared are one code), so that Go compiles them once. Not for go vet: with -trimpath Go
# gives it cgo's files of another checkout, if that compiled the same before, and vet fails if that is gone.
test: all
	@packages="./filter/pdaltest ./..." && \
		packages="$$packages $$(find testdata -name '*.go' -exec dirname {} \; | sort -u | sed 's#^#./#' | tr '\n' ' ')" && \
		set -x && go vet -buildmode=pie -trimpath=false $$packages && SUPERPOINT_PDAL="$$PWD/$$BUILD/pdal" go tool \
		gotestsum --format standard-quiet -- -buildmode=pie -trimpath -timeout 30m -vet=off $$packages

# Before a release: the style, the wheel, clusters, QGIS, the newest PDAL in the folder ROOT, the hashes of
# testdata/runs.txt, pictures, parity, the package, the race detector, the C boundary and all tests, each where its
# tools are here, with a line and a log for each (testdata/check.sh).
check: all
	@testdata/check.sh

# The style of what is written here: Go by a linter that is compiled on the first use,
# C++, shell and Python by tools from PyPI.
lint:
	@testdata/style/lint.sh
	@go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.5.0 run ./...

# The library's own tests under the race detector, on small clouds. Left out are those that compare numbers of one
# thread for minutes: gradients with differences, kernels with their plain twins, energies of solvers and exact optima;
# and memory, which the detector multiplies.
race:
	@go test -race -short -timeout 60m \
		-skip 'Gradient$$|^TestKernelsAgree|^TestStepsEqualOn|Energy|EveryPartition|Memory|^TestDamagedFiles' \
		./embed/... ./partition/... ./filter ./filter/method/... ./cexport

# The same bits on every kind of processor that this system can be; arm64 if qemu-user is there.
parity:
	@partition/base/arithmetic/parity.sh

# Makes the PTX of the CUDA kernels and their registers again with nvcc of the PATH, and compares every byte.
ptx:
	@embed/cuda/ptx/ptx.sh compare

# The QGIS plugin in a real QGIS without a window; gets QGIS (0.9 GB) if missing.
test-qgis: all
	@pipelines/qgis/test.sh

# The Python package, build/wheel/superpoint-….whl; SUPERPOINT_TARGET=linux-aarch64
# or windows-x86_64 for another system. Needs Python with venv.
wheel: configured
	@pipelines/python/wheel.sh

# The wheel in an empty virtual environment, and its ids against those of the stage.
test-wheel: plugin wheel
	@pipelines/python/test.sh

# Surveys on Dask and on SLURM, on this machine: ids, and what happens if workers, processes, files and disks fail.
test-cluster: plugin wheel
	@pipelines/python/cluster/test.sh

# Proof of the kernels on a GPU: builds build/gpu-proof, a folder to carry to a machine with an NVIDIA driver and no
# more, and runs it here; fails without a GPU. REHEARSE=1: on the emulator.
gpu-proof: configured
	@embed/cuda/proof/make.sh

# A .tar.gz and, where PDAL is a Debian package itself, a .deb, in build/.
package: all
	@cmake --build "$$BUILD" --target package
	@ls -1 "$$BUILD"/*.tar.gz "$$BUILD"/*.deb 2>/dev/null || true

# What a release has, in out/release: archive, .deb, wheel, QGIS plugin, bills of materials, licences and hashes, each
# tried. REHEARSE=1: also of a checkout with changes. Nothing is uploaded.
release: all
	@filter/pdal/packages/release.sh

# Bills of materials of the built libraries (CycloneDX), build/*.cdx.json; the tool is
# compiled at the first time.
sbom: all
	@version=$$(sed -n 's/^const Version = "\(.*\)"$$/v\1/p' filter/software.go) && \
	for library in "$$PWD/$$BUILD"/libsuperpoint*.so; do \
		go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 bin -json -std -version "$$version" \
			-output "$${library%.so}.cdx.json" "$$library" && \
		echo "$${library%.so}.cdx.json" || exit 1; \
	done

# As root: builds the .deb in a clean Debian and installs it in another one.
test-package:
	@filter/pdal/packages/test-deb.sh

# As root: make demo, test and test-qgis in the system in the folder
# ROOT, for example a Debian 13 with PDAL 2.10. TARGETS="demo test": only these.
test-root:
	@set -f; filter/pdal/packages/test-root.sh "$$ROOT" $$TARGETS

clean:
	rm -rf "$$BUILD" out
