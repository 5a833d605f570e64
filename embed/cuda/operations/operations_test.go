//go:build cgo && (amd64 || arm64)

package operations

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"superpoint/embed/cuda/emulator"
	"superpoint/embed/lpe"
	"superpoint/partition/arithmetic"
	"superpoint/partition/device"
)

// seedOf is SUPERPOINT_SEED, for other clouds and orders of threads.
func seedOf(t testing.TB) uint64 {
	t.Helper()
	text, given := os.LookupEnv("SUPERPOINT_SEED")
	seed, err := strconv.ParseUint(text, 10, 32)
	if given && err != nil {
		t.Fatalf("SUPERPOINT_SEED: %v", err)
	}
	return seed
}

// made is a scene and, by plain Go, what operations have to give.
type made struct {
	*Scene
	want map[string]Result
}

// given is the case and the seed of a scene.
type given struct {
	Case
	seed uint64
}

// scenes are those that tests made.
var scenes = map[given]made{}

// sceneOf returns the scene that an operation is tried on, and what it has to give.
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

// Every kernel of this processor gives the bytes of plain Go.
func TestKernels(t *testing.T) {
	equal := map[string]int{} // clouds, for each operation and kernel
	for _, c := range Cases(false) {
		for _, o := range All() {
			s, want := sceneOf(t, o, c)
			for _, kernel := range lpe.Kernels() {
				t.Setenv(arithmetic.KernelVariable, kernel)
				got, err := o.Do(nil, s)
				if apart := o.Apart(got, want); err != nil || apart != 0 {
					t.Errorf("%v, %s: %s is %.1e from plain Go (%v)", c, o.Name, kernel, apart, err)
				} else {
					equal[o.Name+kernel]++
				}
			}
		}
	}
	t.Logf("%-32s clouds with equal bytes by %v", "", lpe.Kernels())
	for _, o := range All() {
		line := ""
		for _, kernel := range lpe.Kernels() {
			line += fmt.Sprintf(" %d", equal[o.Name+kernel])
		}
		t.Logf("%-32s%s", o.Name, line)
	}
}

// onMachine tries every operation on a machine that open returns: within its limit
// of the reference, nothing left behind, and small ones the same from run to run.
func onMachine(t *testing.T, large bool, open func(t *testing.T) device.Machine) {
	worst := map[string]float64{}
	t.Logf("clouds and orders of seed %d", seedOf(t))
	for _, c := range Cases(large) {
		for _, o := range All() {
			if !o.Fits(c) {
				continue
			}
			t.Run(o.Name+"/"+c.String(), func(t *testing.T) {
				s, want := sceneOf(t, o, c)
				machine := &Short{Machine: open(t)}
				if machine.Left = machine.Machine.Memory(); c.Short {
					machine.Left = o.Pieces * c.Points
				}
				got, err := o.Do(machine, s)
				if err != nil {
					t.Fatal(err)
				}
				apart, err := o.Check(got, want)
				if worst[o.Name] = max(worst[o.Name], apart); err != nil {
					t.Error(err)
				}
				if c.Points < 1000 { // blocks and threads in another order
					if again, err := o.Do(machine, s); err != nil || (Operation{}).Apart(again, got) != 0 {
						t.Errorf("not the same from run to run (%v)", err)
					}
				}
				if machine.Used() != 0 {
					t.Errorf("%d bytes not freed", machine.Used())
				}
			})
		}
	}
	for _, o := range All() {
		t.Logf("%-32s %8.1e from plain Go at most, %.0e allowed", o.Name, worst[o.Name], o.Limit)
	}
}

func TestEmulator(t *testing.T) {
	onMachine(t, false, func(*testing.T) device.Machine { return new(emulator.Machine) })
}

// BenchmarkOperations is the speed of every operation by every kernel of this
// processor, in points a second.
func BenchmarkOperations(b *testing.B) {
	s, err := New(Case{Kind: "street", Points: 20_000}, 0)
	if err != nil {
		b.Fatal(err)
	}
	for _, o := range All() {
		for _, kernel := range lpe.Kernels() {
			b.Run(o.Name+"/"+kernel, func(b *testing.B) {
				b.Setenv(arithmetic.KernelVariable, kernel)
				start := time.Now()
				for range b.N {
					if _, err := o.Do(nil, s); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N*s.Points)/time.Since(start).Seconds(), "points/s")
			})
		}
	}
}
