//go:build cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package operations

import (
	"bytes"
	"os"
	"strconv"
	"testing"

	"superpoint/embed/cuda/emulator"
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/gpu"
	"superpoint/testdata/must"
)

// seedOf returns SUPERPOINT_SEED, which determines the clouds and orders of threads.
func seedOf(t testing.TB) uint64 {
	t.Helper()
	text, given := os.LookupEnv("SUPERPOINT_SEED")
	seed, err := strconv.ParseUint(text, 10, 32)
	if given && err != nil {
		t.Fatalf("SUPERPOINT_SEED: %v", err)
	}
	return seed
}

// reference returns the scene that an operation is tested on, and the bytes that plain Go
// computes.
func reference(t *testing.T, o Operation, c Case) (s *Scene, want []byte) {
	t.Helper()
	t.Setenv(arithmetic.KernelVariable, "go")
	s = must.Get(New(c, seedOf(t)))(t)
	return s, must.Get(o.Do(nil, s))(t)
}

// onBackend runs every operation on a backend that open returns: results equal the
// reference, all memory is freed, and small problems give the same in a second run, with
// blocks and threads in another order. New memory is poisoned unless SUPERPOINT_POISON is
// "off", for tools that find memory which is read before it is written.
func onBackend(t *testing.T, large bool, open func(t *testing.T) gpu.Backend) {
	for _, c := range Cases(large) {
		for _, o := range All() {
			// a crowd is embedded for minutes in plain Go, and only the search depends on densities and does with less memory
			if o.Embeds && (c.Kind == "crowd" || c.Short) {
				continue
			}
			t.Run(o.Name+"/"+c.String(), func(t *testing.T) {
				s, want := reference(t, o, c)
				m := &gpu.Meter{Backend: open(t), Poison: os.Getenv("SUPERPOINT_POISON") != "off"}
				if c.Short {
					m.Most = pieceBytes * c.Points
				}
				for range 1 + 1000/c.Points {
					if !bytes.Equal(must.Get(o.Do(m, s))(t), want) {
						t.Error("differs")
					}
				}
				t.Logf("%-26s %-36s %6.1f MB at most, %4d launches", o.Name, c, float64(m.Peak)/1e6, m.Launches)
				if m.Used != 0 {
					t.Errorf("%d bytes not freed", m.Used)
				}
			})
		}
	}
}

func TestEmulator(t *testing.T) {
	onBackend(t, false, func(*testing.T) gpu.Backend { return new(emulator.Backend) })
}
