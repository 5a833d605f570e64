// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestEmulatedGPU runs the filter with a libcuda.so.1 that emulates a GPU on the CPU.
func TestEmulatedGPU(t *testing.T) {
	t.Parallel()
	build := filepath.Dir(launcher(t))
	if _, err := os.Stat(filepath.Join(build, "libsuperpoint_cuda.so")); err != nil ||
		runtime.GOARCH != "amd64" {
		t.Skip("this build has no CUDA library (SUPERPOINT_CUDA=OFF)")
	}
	folder, top := t.TempDir(), filepath.Join("..", "..")
	emulator := filepath.Join(top, "embed", "cuda", "emulator")
	compile(t, "gcc", "-shared", "-fPIC", "-O2", "-std=c11", "-D_GNU_SOURCE",
		"-I"+filepath.Join(build, "driver"), "-I"+emulator, "-o", filepath.Join(folder, "libcuda.so.1"),
		filepath.Join("testdata", "fakecuda.c"), filepath.Join(emulator, "emulator.c"), "-lm")
	onCPU, want := segmentOn(t, "cpu")
	onCPU.ok(t)
	e := &emulated{"LD_LIBRARY_PATH=" + folder + ":" + os.Getenv("LD_LIBRARY_PATH"), want}
	t.Run("auto leaves a small view to the CPU", func(t *testing.T) {
		name := fmt.Sprint(e.same(t, "auto", e.path).stage[0]["device"])
		must.Hold(t, strings.HasPrefix(name, "cpu"), "ran on %s", name)
	})
	for name, test := range map[string]func(t *testing.T){"gives what the CPU gives": e.parity,
		"faults":        e.faults,
		"wrong results": e.wrong, "shared": e.shared, "left alone": e.leftAlone, "info": e.info,
		"survey": e.survey} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// emulated is the emulated GPU.
type emulated struct {
	path string      // setting that puts its driver on the loader's path
	want *las.Points // what the CPU gives
}

// with is the environment of a run: the driver, views of any size on the GPU, and settings.
func (e *emulated) with(set ...string) []string {
	return append([]string{e.path, "SUPERPOINT_CUDA_POINTS=0"}, set...)
}

// segmentOn runs the aerial model on a house and returns the outcome and points.
func segmentOn(t *testing.T, device string, environment ...string) (outcome, *las.Points) {
	t.Helper()
	input, _ := houseFile(t, 500000, 5000000, 7)
	output := filepath.Join(t.TempDir(), "out.las")
	o := pipeline(t, environment, reader(input), superpoint(stage{"model": "aerial", "device": device}),
		writer(output))
	if o.code != 0 {
		must.Fail(os.Stat(output))(t) // no file is left
		return o, nil
	}
	return o, read(t, output)
}

// same runs the model; its ids and embeddings have to equal the CPU's, bit by bit.
func (e *emulated) same(t *testing.T, device string, environment ...string) outcome {
	t.Helper()
	o, got := segmentOn(t, device, environment...)
	o.ok(t)
	for _, name := range []string{"SuperpointID", "Embedding0", "Embedding1", "Embedding2", "Embedding3"} {
		must.Need(t, len(e.want.Extra[name]) != 0,
			"%s with %q: len(e.want.Extra[name]) is 0", device, environment)
		must.Equal(t, got.Extra[name], e.want.Extra[name],
			"%s with %q: got.Extra[name]", device, environment)
	}
	return o
}

// fails runs the model on the GPU, which has to be refused with the words.
func (e *emulated) fails(t *testing.T, environment []string, words ...string) {
	t.Helper()
	o, _ := segmentOn(t, "cuda", environment...)
	refused(t, o, "", words...)
}

// The whole chain (search, embedding) through PDAL, the CUDA library and gorgonia.org/cu on an emulated GPU:
// every launch, argument and copy is real, only the GPU is not. Embeddings and ids are the CPU's, bit by bit,
// also where the GPU has memory for a part of the lists only, when the search runs in blocks, without a
// warning.
func (e *emulated) parity(t *testing.T) {
	for _, c := range []struct{ device, set string }{{"auto", ""}, {"cuda", ""}, {"cuda:0", ""},
		{"cuda", "FAKE_CUDA_MEMORY=1200000"}} {
		o := e.same(t, c.device, e.with(c.set)...)
		name := o.stage[0]["device"]
		must.Hold(t, name == "cuda:0 (Emulated GPU 0)", "%v ran on %v\n%s", c, name, o.stderr)
		must.Hold(t, !strings.Contains(o.stderr, "GPU"), "%v: it warned\n%s", c, o.stderr)
	}
}

// What happens when the GPU or its driver is not as it should be: auto continues
// with the CPU, cuda ends the pipeline with a clear error.
func (e *emulated) faults(t *testing.T) {
	for _, test := range []struct {
		name    string
		set     string
		warns   bool   // auto says that the GPU failed
		message string // in the error of device: cuda, and in the warning
	}{
		{"no driver", "", false, "no NVIDIA driver"},
		{"no device", "FAKE_CUDA_DEVICES=0", false, "finds no GPU"},
		{"init fails", "FAKE_CUDA_INIT=999", false, "does not start (CUDA error 999)"},
		{"no device by error", "FAKE_CUDA_INIT=100", false, "finds no GPU"},
		{"old GPU", "FAKE_CUDA_CAPABILITY=6", false, "compute capability 6.0"},
		{"no memory", "FAKE_CUDA_MEMORY=10000", true, "not enough memory on the GPU"},
		{"lost in the proof", "FAKE_CUDA_LOST=3", true, "IllegalAddress"}, // of eight kernels
		{"lost in the search", "FAKE_CUDA_LOST=11", true, "the neighbour search"},
		{"lost in the embedding", "FAKE_CUDA_LOST=15", true, "the embedding"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var set []string
			if test.set != "" {
				set = e.with(test.set)
			}
			o := e.same(t, "auto", set...)
			warned := strings.Contains(o.stderr, test.message) &&
				strings.Contains(o.stderr, "on the CPU: ")
			must.Hold(t, warned == test.warns, "warned %v:\n%s", warned, o.stderr)
			e.fails(t, set, "option device", test.message)
		})
	}
}

// A GPU whose results differ from the CPU's is not used: auto warns and uses the CPU, cuda fails.
func (e *emulated) wrong(t *testing.T) {
	for kernel, step := range map[string]string{"knn_search": "neighbor search", "lpe_embed": "embedding"} {
		wrong := e.with("FAKE_CUDA_WRONG=" + kernel)
		o := e.same(t, "auto", wrong...)
		text := fmt.Sprint(o.stage[0]["device_fallbacks"])
		must.Hold(t, strings.Contains(text, step+": its results"),
			"%s: got %q, want %q in it", kernel, text, step+": its results")
		must.Hold(t, strings.Contains(o.stderr, step+": its results"),
			"%s: no %q in %s", kernel, step+": its results", o.stderr)
		e.fails(t, wrong, step+": its results")
	}
}

// The caller's context is current again after every call, and the primary one is released. auto takes a GPU
// with room; a step that does not fit is in the metadata.
func (e *emulated) shared(t *testing.T) {
	contexts := filepath.Join(t.TempDir(), "contexts")
	e.same(t, "auto", e.with("FAKE_CUDA_CONTEXTS="+contexts)...)
	var entered, restored int
	must.Get(fmt.Sscan(string(must.Get(os.ReadFile(contexts))(t)), &entered, &restored))(t)
	must.Hold(t, entered >= 10, "the context was set times: got %v, want at least 10", entered)
	must.Equal(t, entered, restored, "the context was set times")
	name := e.same(t, "auto", e.with("FAKE_CUDA_DEVICES=2", "FAKE_CUDA_SMALL=0")...).stage[0]["device"]
	must.Hold(t, name == "cuda:1 (Emulated GPU 1)", "auto took %v", name)
	e.fails(t, e.with("SUPERPOINT_CUDA_SYNC=1", "FAKE_CUDA_LOST=15"), "kernel ") // the failed one is named
}

// device: cpu, --drivers and --options do not touch the driver.
func (e *emulated) leftAlone(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "touched")
	set := e.with("FAKE_CUDA_TRACE=" + trace)
	e.same(t, "cpu", set...)
	pdal(t, set, "--drivers").ok(t)
	pdal(t, set, "--options", "filters.superpoint").ok(t)
	must.Fail(os.Stat(trace))(t) // cuInit is not called
	e.same(t, "auto", set...)
	must.Get(os.Stat(trace))(t) // it is for device: auto
}

// info checks that the command info describes the GPU.
func (e *emulated) info(t *testing.T) {
	for text, set := range map[string][]string{
		"GPU cuda:0, Emulated GPU 0, 4.3 GB free; its results on a small cloud are": e.with(),
		"GPU not used: Emulated GPU 0: embedding: its results": e.with(
			"FAKE_CUDA_WRONG=lpe_embed"),
		"GPU not used: the NVIDIA driver finds no": e.with(
			"FAKE_CUDA_DEVICES=0"),
		"GPU not used: no NVIDIA driver": nil,
	} {
		o := pdal(t, set, "superpoint", "info").ok(t)
		must.Hold(t, strings.Contains(o.stdout, text), "want %q:\n%s", text, o.stdout)
	}
}

// survey plans with a GPU and runs without: machines of both kinds share a survey, because their results are
// equal.
func (e *emulated) survey(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "survey")
	input, _ := houseFile(t, 500000, 5000000, 7)
	pdal(t, e.with(), "superpoint", "survey", "plan", "--model", "aerial", "--output", folder, input).ok(t)
	do(t, "survey", "run", folder)
}
