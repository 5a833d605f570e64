//go:build nvidia && cgo

// SPDX-License-Identifier: BSD-3-Clause

package device_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

// sizes are the surveys' points in millions: SUPERPOINT_SIZES, or 1, 10 and 20.
func sizes(t *testing.T) (points []int) {
	for text := range strings.SplitSeq(cmp.Or(os.Getenv("SUPERPOINT_SIZES"), "1,10,20"), ",") {
		size, err := strconv.ParseFloat(text, 64)
		if err != nil || size <= 0 {
			t.Fatalf("SUPERPOINT_SIZES: %q is not a number of millions of points", text)
		}
		points = append(points, int(size*1e6))
	}
	return points
}

// survey scans a simulated village from the air.
func survey(t *testing.T, points int) *filter.View {
	t.Helper()
	scene := must.Get(scenes.New("village", scenes.Options{Seed: 1}))(t)
	cloud := must.Get(scan.Cloud(parallel.Run{}, scene, scan.Options{Mode: scan.Aerial, Points: points,
		Seed: 1}))(t)
	return &filter.View{X: cloud.X, Y: cloud.Y, Z: cloud.Z, Reference: georef.Reference{HorizontalUnit: 1,
		VerticalUnit: 1}}
}

// outcome is what the filter found, how long each step took, and what the GPU did.
type outcome struct {
	ids     []uint32
	count   int
	energy  float64
	device  string
	seconds map[string]float64
	notes   []string
}

// segment runs the whole filter; GPU and model are open before the first step.
func segment(t *testing.T, view *filter.View, settings map[string]string) (o outcome) {
	t.Helper()
	options := must.Get(filter.OptionsOf(settings))(t)
	var notes []string
	f := must.Get(filter.New(options, func(_ int, text string) {
		if strings.HasPrefix(text, "device: ") || strings.Contains(text, "on the CPU: ") {
			notes = append(notes, text)
		}
	}))(t)
	s := must.Get(f.Segment(filter.Run{}, view))(t)
	text := must.Get(f.Metadata())(t)
	var metadata struct {
		Energy  float64
		Device  string
		Seconds map[string]float64
	}
	must.OK(t, json.Unmarshal(text, &metadata))
	f.Close()
	return outcome{s.ID, s.Count, metadata.Energy, metadata.Device, metadata.Seconds, notes}
}

// TestGPUFilter runs the whole filter, without PDAL, on simulated surveys with one thread, four, 16 and
// so on, on the CPU, on the GPU, and there once more with every kernel waited for, and prints the
// seconds of each step, copies, kernels, peak memory and what the CPU did instead; the ids are the same.
func TestGPUFilter(t *testing.T) {
	g, err := gpu.Open("auto")
	if err != nil {
		t.Skipf("not run, no GPU: %v", err)
	}
	t.Logf("device: %s", g.Name())
	g.Close()
	steps := append(filter.Steps(), "total")
	name := func(s string) string { return s }
	t.Logf("%10s %7s %-5s %s %9s", "points", "threads", "", columns(steps, name), "M points/s")
	for _, points := range sizes(t) {
		view := survey(t, points)
		for threads := 1; threads <= runtime.NumCPU(); threads *= 4 {
			var on [3]outcome
			for i, device := range []string{"cpu", "cuda", "cuda"} {
				t.Setenv("SUPERPOINT_CUDA_SYNC", []string{"", "", "1"}[i])
				on[i] = segment(t, view, map[string]string{"device": device,
					"threads": strconv.Itoa(threads)})
				seconds := on[i].seconds
				t.Logf("%10d %7d %-5s %s %9.3f", view.Len(), threads, device,
					columns(steps, func(s string) string { return fmt.Sprintf("%.3f", seconds[s]) }),
					float64(view.Len())/seconds["total"]/1e6)
				for _, note := range on[i].notes {
					t.Log(note)
				}
				must.Hold(t, strings.HasPrefix(on[i].device, device), "%d points ran on %q", points,
					on[i].device)
				must.Hold(t, slices.Equal(on[0].ids, on[i].ids),
					"%d points: ids differ from the CPU's, of %d and %d superpoints",
					points, on[i].count, on[0].count)
				must.Equal(t, on[i].energy, on[0].energy, "%d points: energy", points)
			}
		}
	}
}

func columns(steps []string, of func(step string) string) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, " %9s", of(s))
	}
	return b.String()
}
