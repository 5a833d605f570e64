// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"superpoint/filter/cloud"

	"superpoint/embed/lpe"
	"superpoint/partition/base/arithmetic"
	"superpoint/testdata/must"
)

// village is ground with a slope, two gabled roofs, walls and trees, in whole
// millimetres from whole random numbers, so that every machine has the same.
func village(n int) *cloud.View {
	r := rand.New(rand.NewPCG(11, uint64(n)))
	v := metres(nil, nil, nil)
	for range n {
		x, y := r.IntN(40_000), r.IntN(30_000)
		z := x/20 + r.IntN(40)
		switch u, w := x%20_000, y; {
		case u > 5_000 && u < 15_000 && w > 5_000 && w < 15_000: // roof
			z += 6_000 - max(u-10_000, 10_000-u)/2
		case u > 4_700 && u <= 5_000 && w > 5_000 && w < 15_000: // wall
			x, z = x-u+5_000, z+r.IntN(4_000)
		case w > 20_000 && w < 26_000 && u < 6_000: // tree
			z += 2_000 + r.IntN(5_000)
		}
		v.X, v.Y, v.Z = append(v.X, float64(x)/1000), append(v.Y, float64(y)/1000),
			append(v.Z, float64(z)/1000)
		for _, d := range []string{"Red", "Green", "Blue", "Intensity"} {
			v.Dimensions[d] = append(v.Dimensions[d], float64(r.IntN(256)))
		}
		v.Dimensions["ReturnNumber"] = append(v.Dimensions["ReturnNumber"], 1)
		v.Dimensions["NumberOfReturns"] = append(v.Dimensions["NumberOfReturns"], float64(1+r.IntN(3)))
	}
	return v
}

// parityOptions are options whose results no machine may change.
var parityOptions = []string{
	`{}`, `{"target_size":40}`, `{"model":"paper"}`, `{"model":"aerial"}`,
	`{"model":"paper","solver":"local"}`,
	`{"model":"geometric"}`, `{"regularization":1}`, `{"solver":"cut-pursuit",` +
		`"regularization":2}`,
	`{"method":"ssp-cluster"}`, `{"method":"vccs"}`, `{"method":"lin"}`,
}

// TestEveryKernelGivesTheSameIds forces each kernel of this processor in turn. With SUPERPOINT_PARITY it also
// appends what it found to that file, for partition/base/arithmetic/parity.sh to compare with other machines.
func TestEveryKernelGivesTheSameIds(t *testing.T) {
	points := 900
	kernels := lpe.Kernels()
	for _, options := range parityOptions {
		var first string
		for _, kernel := range kernels {
			t.Setenv(arithmetic.KernelVariable, kernel)
			view := village(points)
			s := mustSegment(t, mustFilter(t, options), view)
			sum := sumOf(s)
			if first == "" {
				first = sum
			}
			must.Hold(t, sum == first, "%s: %s gives %s, %s gives %s", options, kernels[0],
				first, kernel, sum)
		}
		t.Logf("%s %s", first, options)
		note(t, first, options)
	}
}

// sumOf is a hash of ids and embeddings.
func sumOf(s *Segmentation) string {
	h := sha256.New()
	_ = binary.Write(h, binary.LittleEndian, s.ID)
	ids := h.Sum(nil)
	_ = binary.Write(h, binary.LittleEndian, s.embedding)
	return fmt.Sprintf("ids %x embedding %x, %d superpoints", ids[:6], h.Sum(nil)[:6], s.Count)
}

// note appends a line to the file that SUPERPOINT_PARITY names.
func note(t *testing.T, sum, options string) {
	path := os.Getenv("SUPERPOINT_PARITY")
	if path == "" {
		return
	}
	f := must.Get(os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644))(t)
	defer f.Close()
	must.Get(fmt.Fprintln(f, strings.TrimSpace(sum), options))(t)
}
