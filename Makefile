# Everything starts here: `make demo` and `make test`. Both get what is missing
# (PDAL, cmake), build, and run. The building itself is CMake's and go's work.

BUILD := build
MAKEFLAGS += --no-print-directory

.PHONY: all plugin demo report test test-qgis gpu-check clean test-cluster
all: $(BUILD)/Makefile
	@cmake --build $(BUILD) --parallel $$(getconf _NPROCESSORS_ONLN)

# Everything but the library with training, which takes longest to build and
# which only `pdal superpoint train` needs.
plugin: $(BUILD)/Makefile
	@cmake --build $(BUILD) --parallel $$(getconf _NPROCESSORS_ONLN) --target superpoint \
		--target pdal_plugin_filter_superpoint --target pdal_plugin_kernel_superpoint

# Runs once: finds or fetches PDAL and cmake and configures the build.
$(BUILD)/Makefile:
	@filter/pdal/need-cmake.sh
	@mkdir -p $(BUILD)
	@root=$$(filter/pdal/find-pdal.sh) && \
		if [ "$$root" = system ]; then root=; fi && \
		cmake -S . -B $(BUILD) -G "Unix Makefiles" -DPDAL_ROOT="$$root" >$(BUILD)/configure.log 2>&1 || \
		{ cat $(BUILD)/configure.log >&2; exit 1; }

# make demo                      a simulated street, scanned from the air
# make demo INPUT=tile.laz       a file of yours
# make demo SCENE=building       a real building that Debian's libcgal-demo carries
demo: plugin
	@INPUT="$(INPUT)" SCENE="$(SCENE)" pipelines/demo.sh

# make report                    every method on ../shared/data/val and simulated scenes
# make report DATA=folder        on labelled clouds of yours
# An interrupted report goes on; `rm -r report` begins anew.
report: plugin
	@DATA="$(DATA)" pipelines/report.sh

# go's ./... leaves out folders named testdata, so their packages are listed.
test: all
	@packages="./... $$(find testdata -name '*.go' -exec dirname {} \; | sort -u | sed 's#^#./#' | tr '\n' ' ')" && \
		set -x && go vet $$packages && SUPERPOINT_PDAL=$(CURDIR)/$(BUILD)/pdal go test $$packages

# The QGIS plugin in a real QGIS without a window; gets QGIS (0.9 GB) if missing.
test-qgis: all
	@pipelines/qgis/test.sh

# Dask and SLURM, really run on this machine. POINTS=40000000 TILES=64 make test-cluster: the large survey.
test-cluster: all
	@SUPERPOINT_PDAL=$(CURDIR)/$(BUILD)/pdal pipelines/cluster/test.sh

# Parity and speed on this machine's GPU. To run it on a machine without Go and
# PDAL, carry build/gpu-check.sh and build/cuda-check there.
gpu-check: all
	@CGO_CFLAGS="-O2 -I$(CURDIR)/embed/cuda/driver" CGO_LDFLAGS="-L$(CURDIR)/$(BUILD)/driver -ldl" \
		go test -c -tags nvidia -o $(BUILD)/cuda-check ./embed/cuda
	@cp embed/cuda/gpu-check.sh $(BUILD)/
	@$(BUILD)/gpu-check.sh

clean:
	rm -rf $(BUILD) out
