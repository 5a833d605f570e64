// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"superpoint/partition/base/arithmetic"
	"superpoint/testdata/must"
)

// TestKernelsAgree: all kernels compute the same bits as plain Go.
func TestKernelsAgree(t *testing.T) {
	t.Log(Kernels())
	in := mountain(t, 301, [3]float64{})
	for name, card := range cards() {
		m := randomModel(t, card, 17)
		want := embedWith(t, m, "go", 2, in)
		different := map[[2]float32]bool{}
		for i := 0; i < len(want); i += card.Dim() {
			different[[2]float32{want[i], want[i+1]}] = true
		}
		must.Hold(t, len(different) >= 60,
			"%s: only %d embeddings of 301 points differ; too few for a test", name, len(different))
		for _, kernel := range Kernels() {
			for i, v := range embedWith(t, m, kernel, 2, in) {
				if math.Float32bits(v) != math.Float32bits(want[i]) {
					t.Errorf("%s, %s: point %d has %x, plain Go %x", name, kernel, i/card.Dim(), v, want[i])
					break
				}
			}
		}
	}
}

// TestKernelsOfOtherProcessors compiles the kernel for AVX-512 VNNI with SIMDe's functions in place of its
// instructions, and compares it likewise.
func TestKernelsOfOtherProcessors(t *testing.T) {
	if testing.Short() || os.Getenv(arithmetic.KernelVariable) != "" {
		t.Skip("a kernel is chosen")
	}
	include := os.Getenv("SIMDE_INCLUDE")
	if _, err := os.Stat(filepath.Join(include, "simde")); err != nil || runtime.GOARCH != "amd64" {
		t.Skip(
			"SIMDE_INCLUDE names no folder with simde in it, which Debian's libsimde-dev puts into " +
				"/usr/include")
	}
	c := exec.Command("go", "test", "-count=1", "-run", "KernelsAgree", "-v", ".")
	c.Env = append(os.Environ(), "CGO_CFLAGS=-O2 -DLPE_SIMDE -Wno-psabi -I"+include)
	out, err := c.CombinedOutput()
	must.OK(t, err)
	must.Say(t, string(out), "[avx512 avx2 go]")
}

// For tests with the emulator, which imports this package.

// SetBlock sets the number of points per launch.
func (e *GPU) SetBlock(points int) { e.block = points }

var (
	Cards    = cards
	Mountain = mountain
)
