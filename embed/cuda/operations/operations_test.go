//go:build cgo && (amd64 || arm64)

package operations

import (
	"cmp"
	"os"
	"strconv"
	"testing"

	"superpoint/embed/cuda/emulator"
	"superpoint/embed/lpe"
	"superpoint/partition/arithmetic"
	"superpoint/partition/device"
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

// made is a scene and the results of plain Go for it.
type made struct {
	*Scene
	want map[string]Result
}

// given is the case and the seed of a scene.
type given struct {
	Case
	seed uint64
}

// scenes are cached.
var scenes = map[given]made{}

// sceneOf returns the scene that an operation is tested on, and the reference result.
func sceneOf(t *testing.T, o Operation, c Case) (s *Scene, want Result) {
	t.Helper()
	at := given{c, seedOf(t)}
	found, ok := scenes[at]
	t.Setenv(arithmetic.KernelVariable, "go")
	var err error
	if !ok {
		if found.Scene, err = New(c, at.seed); err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		found.want = map[string]Result{}
		if len(scenes) > 20 { // large ones, on a GPU
			clear(scenes)
		}
		scenes[at] = found
	}
	want, ok = found.want[o.Name]
	if !ok {
		if want, err = o.Do(nil, found.Scene); err != nil {
			t.Fatalf("%v, %s: %v", c, o.Name, err)
		}
		found.want[o.Name] = want
	}
	return found.Scene, want
}

// TestKernels: every kernel of this processor computes the bytes of plain Go.
func TestKernels(t *testing.T) {
	for _, c := range Cases(false) {
		for _, o := range All() {
			s, want := sceneOf(t, o, c)
			for _, kernel := range lpe.Kernels() {
				t.Setenv(arithmetic.KernelVariable, kernel)
				got, err := o.Do(nil, s)
				if err = cmp.Or(err, got.Differ(want)); err != nil {
					t.Errorf("%v, %s by %s: %v", c, o.Name, kernel, err)
				}
			}
		}
	}
}

// onMachine runs every operation on a machine that open returns: results equal the
// reference, all memory is freed, and small problems give the same in a second run. each
// runs a subtest. New memory is poisoned unless SUPERPOINT_POISON is "off", for tools
// that find memory which is read before it is written.
func onMachine(t *testing.T, large bool, each subtest, open func(t *testing.T) device.Machine) {
	poison := os.Getenv("SUPERPOINT_POISON") != "off"
	for _, c := range Cases(large) {
		for _, o := range All() {
			if !o.Fits(c) {
				continue
			}
			each(t, o.Name+"/"+c.String(), func(t *testing.T) {
				s, want := sceneOf(t, o, c)
				m := &device.Meter{Machine: open(t), Poison: poison}
				if c.Short {
					m.Most = o.Pieces * c.Points
				}
				got, err := o.Do(m, s)
				must.OK(t, cmp.Or(err, got.Differ(want)))
				t.Logf("%-26s %-36s equal, %6.1f MB at most, %4d launches", o.Name, c, float64(m.Peak)/1e6, m.Launches)
				if c.Points < 1000 { // blocks and threads in another order
					again, err := o.Do(m, s)
					if err = cmp.Or(err, again.Differ(want)); err != nil {
						t.Errorf("the second time: %v", err)
					}
				}
				if m.Used != 0 {
					t.Errorf("%d bytes not freed", m.Used)
				}
			})
		}
	}
}

// subtest runs a part of a test.
type subtest func(t *testing.T, name string, f func(t *testing.T))

func TestEmulator(t *testing.T) {
	each := func(t *testing.T, name string, f func(t *testing.T)) { t.Run(name, f) }
	onMachine(t, false, each, func(*testing.T) device.Machine { return new(emulator.Machine) })
}
