// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"math/rand/v2"

	"superpoint/embed"
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
	"superpoint/testdata/must"
)

var update = flag.Bool("update", false, "write testdata/steps.txt again")

// mountain returns a cloud of millimetres, moved by a vector, with every attribute, equal on every machine.
func mountain(t testing.TB, n int, shift [3]float64) *embed.Input {
	t.Helper()
	r := rand.New(rand.NewPCG(3, uint64(n)))
	var xyz [3][]float64
	in := &embed.Input{Attributes: map[string][]float32{}}
	raw := map[string][]float32{}
	names := []string{"Red", "Green", "Blue", "Infrared", "Intensity", "ReturnNumber", "NumberOfReturns"}
	for i := range n {
		x, y := r.IntN(20_000), r.IntN(15_000)
		z := x/7 + r.IntN(30) + i%5/4*r.IntN(3_000)
		if i%6 == 0 {
			x = 9_000 + r.IntN(3)
		}
		for a, v := range []int{x, y, z} {
			xyz[a] = append(xyz[a], float64(v)/1000+shift[a])
		}
		for k, d := range names {
			raw[d] = append(raw[d], float32(r.IntN(4)+1)*[]float32{1, 9, 17, 50, 200, 1, 1}[k])
		}
	}
	in.Cloud = must.Get(neighbor.New(xyz[0], xyz[1], xyz[2], parallel.Run{}))(t)
	in.Neighbors = must.Get(in.Cloud.Nearest(20, parallel.Run{}))(t)
	for _, d := range names {
		for _, i := range in.Cloud.Order {
			in.Attributes[d] = append(in.Attributes[d], raw[d][i])
		}
	}
	return in
}

// steps returns the hashes of the results of each step with the named kernels.
func steps(t *testing.T, kernel string) []string {
	t.Setenv(arithmetic.KernelVariable, kernel)
	var lines []string
	note := func(step string, values any) {
		h := sha256.New()
		must.OK(t, binary.Write(h, binary.LittleEndian, values))
		lines = append(lines, fmt.Sprintf("%-22s %x", step, h.Sum(nil)[:8]))
	}
	in := mountain(t, 700, [3]float64{})
	note("neighbours", in.Neighbors.Index)
	note("spacing", in.Cloud.Spacing(in.Neighbors))
	for _, name := range []string{"paper", "every channel"} {
		card := embed.PaperCard()
		if name != "paper" {
			card.Inputs.Neighbor, card.Inputs.Point = embed.NeighborChannelNames(), embed.PointChannelNames()
			card.Inputs.Spacing = 0.25
		}
		m := randomModel(t, card, 21)
		inputs := must.Get(embed.NewInputs(parallel.Run{}, card, in))(t)
		note("columns, "+name, inputs.Table())
		e := must.Get(New(m))(t)
		values := must.Get(e.Embed(parallel.Run{Threads: 2}, in))(t)
		note("embedding, "+name, values)
		graph := must.Get(neighbor.Adjacency(in.Neighbors, 10, parallel.Run{}))(t)
		terms := problem.Terms{Embedding: values, Dim: 4, EdgeDecay: .5}
		note("edge weights", must.Get(problem.Build(parallel.Run{}, graph, terms))(t).Contrast)
		note("strength", problem.Lambda(graph, nil, 3.7))
	}
	return lines
}

// TestStepsEqualOnEveryMachine compares the bits of each step with a file
// for all machines: go test ./embed/lpe -run Steps -update writes it.
func TestStepsEqualOnEveryMachine(t *testing.T) {
	path := filepath.Join("testdata", "steps.txt")
	if *update {
		text := strings.Join(steps(t, "go"), "\n") + "\n"
		must.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
	text := must.Get(os.ReadFile(path))(t)
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, kernel := range Kernels() {
		got := steps(t, kernel)
		must.Need(t, len(got) == len(want), "%s: %d steps, %d in %s", kernel, len(got), len(want), path)
		for i, line := range got {
			must.Hold(t, line == want[i], "%s: %s, on other machines %s", kernel, line, want[i])
		}
	}
}
