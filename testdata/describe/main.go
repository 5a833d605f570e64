// Command describe prints what tells kinds of clouds apart, a row of a table a
// file, so that a simulated cloud can be held against a real one:
//
//	go run ./testdata/describe FILE.laz…
//
// Spacing is the median distance to the nearest and to the fifth neighbour.
// Length/width is that of the 20 nearest neighbours, a ratio of standard
// deviations, which grows where lines are dense along and sparse across; median
// and the value that a tenth exceeds. Thickness is their standard deviation
// along the third axis: median, and the value that nine tenths exceed, which on
// smooth surfaces is the noise. Lengths are in metres.
package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/embed/shape"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/realdata"
)

const around = 20 // neighbours

func main() {
	fmt.Println("| file | points | points/m² from above | spacing | length/width | thickness | of several returns | " +
		"objects |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, path := range os.Args[1:] {
		p, err := read(path)
		if err == nil {
			var line string
			if line, err = row(filepath.Base(path), p); err == nil {
				fmt.Println(line)
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "describe:", err)
			os.Exit(1)
		}
	}
}

func read(path string) (*las.Points, error) {
	if !strings.EqualFold(filepath.Ext(path), ".laz") {
		return las.ReadFile(path)
	}
	dir, err := os.MkdirTemp("", "describe")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	raw := filepath.Join(dir, "cloud.las")
	if err := realdata.Translate(path, raw); err != nil {
		return nil, err
	}
	return las.ReadFile(raw)
}

func row(name string, p *las.Points) (string, error) {
	run := parallel.Run{}
	c, err := neighbor.New(p.X, p.Y, p.Z, run)
	if err != nil {
		return "", err
	}
	if c.Len() <= around {
		return "", fmt.Errorf("%s: %d points, too few to describe", name, c.Len())
	}
	near, err := c.Nearest(around, run)
	if err != nil {
		return "", err
	}
	n := c.Len()
	first, fifth, ratio, thick := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		var m shape.Moments
		m.Add(0, 0, 0)
		for k, j := range near.Of(i) {
			dx, dy, dz := c.Offset(uint32(i), j)
			m.Add(float64(dx), float64(dy), float64(dz))
			d := math.Sqrt(float64(dx*dx + dy*dy + dz*dz))
			switch k {
			case 0:
				first[i] = d
			case 4:
				fifth[i] = d
			}
		}
		l := m.Covariance().Eigenvalues()
		ratio[i], thick[i] = math.Sqrt(l[0]/max(l[1], 1e-12)), math.Sqrt(l[2])
	}
	several, objects := 0, map[uint16]bool{}
	for i := range n {
		if p.NumberOfReturns != nil && p.NumberOfReturns[i] > 1 {
			several++
		}
		if p.PointSourceID != nil && p.PointSourceID[i] > 0 {
			objects[p.PointSourceID[i]] = true
		}
	}
	return fmt.Sprintf("| %s | %d | %.3g | %.3f, %.3f | %.2f, %.2f | %.4f, %.4f | %.0f %% | %d |", name, n, density(p),
		quantile(first, .5), quantile(fifth, .5), quantile(ratio, .5), quantile(ratio, .9), quantile(thick,
			.5), quantile(thick, .1),
		100*float64(several)/float64(n), len(objects)), nil
}

func quantile(v []float64, q float64) float64 {
	slices.Sort(v)
	return v[int(q*float64(len(v)-1))]
}

// density is the points per square metre of the ground that they cover, in
// cells of a hundredth of the extent.
func density(p *las.Points) float64 {
	x0, x1, y0, y1 := slices.Min(p.X), slices.Max(p.X), slices.Min(p.Y), slices.Max(p.Y)
	side := max(x1-x0, y1-y0, 1e-3) / 100
	cells := map[[2]int]bool{}
	for i := range p.X {
		cells[[2]int{int((p.X[i] - x0) / side), int((p.Y[i] - y0) / side)}] = true
	}
	return float64(p.Len()) / (float64(len(cells)) * side * side)
}
