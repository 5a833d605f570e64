// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/testdata/las"
)

// jitterCells has the agreement of superpoints before and after the points were moved.
const jitterCells = "cells/jitter.csv"

// jitterSeed is the seed of the moves.
const jitterSeed = 1

// agreement is the range of the indices of clouds.
type agreement struct {
	Clouds              int
	Least, Median, Most float64
}

// Jitter returns the agreement of superpoints before and after the points were moved.
func (p *page) Jitter() (agreement, error) {
	lines, err := readTable(filepath.Join(p.folder, jitterCells))
	if err != nil {
		return agreement{}, err
	}
	if len(lines) == 0 {
		return agreement{}, fmt.Errorf("%s has no cloud", jitterCells)
	}
	var indices []float64
	for _, line := range lines {
		index, err := strconv.ParseFloat(fmt.Sprint(line["index"]), 64)
		if err != nil {
			return agreement{}, fmt.Errorf("%s: %w", jitterCells, err)
		}
		indices = append(indices, index)
	}
	slices.Sort(indices)
	return agreement{
		Clouds: len(indices),
		Least:  indices[0],
		Median: indices[len(indices)/2],
		Most:   indices[len(indices)-1],
	}, nil
}

// jitterCommand measures, for each cloud, how much the superpoints of the defaults change when every
// coordinate is moved by at most one unit of its file.
func jitterCommand(paths []string) error {
	scratch, done, err := atomicfile.Temporary()
	if err != nil {
		return err
	}
	defer done()
	lines := [][]string{{"cloud", "points", "unit", "index"}}
	for _, path := range paths {
		line, err := jitterOf(path, scratch)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Println(strings.Join(line, ","))
		lines = append(lines, line)
	}
	return atomicfile.Write(filepath.Join(home, jitterCells), func(w io.Writer) error {
		return csv.NewWriter(w).WriteAll(lines)
	})
}

// jitterOf returns the line of a cloud: name, points, unit of X and index.
func jitterOf(path, scratch string) (line []string, err error) {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	still := filepath.Join(scratch, name+".las")
	if err := pdal("translate", path, still, "--writers.las.forward=all"); err != nil {
		return nil, err
	}
	file, err := las.Read(still)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(jitterSeed, 0))
	for _, record := range file.Records {
		jitter(record, random)
	}
	moved := filepath.Join(scratch, name+"_moved.las")
	if err := file.Write(moved); err != nil {
		return nil, err
	}
	before, err := superpointsOf(still)
	if err != nil {
		return nil, err
	}
	after, err := superpointsOf(moved)
	if err != nil {
		return nil, err
	}
	points := strconv.Itoa(len(before))
	unit := fmt.Sprint(file.Scale[0])
	index := fmt.Sprintf("%.4f", randIndex(before, after))
	return []string{name, points, unit, index}, nil
}

// jitter moves each coordinate of a record by −1, 0 or 1 unit.
func jitter(record []byte, random *rand.Rand) {
	for axis := range 3 {
		place := record[4*axis:]
		value := int32(binary.LittleEndian.Uint32(place))
		binary.LittleEndian.PutUint32(place, uint32(value+random.Int32N(3)-1))
	}
}

// superpointsOf segments a file with the defaults and returns the id of each point.
func superpointsOf(path string) ([]float64, error) {
	segmented := strings.TrimSuffix(path, ".las") + "_segmented.las"
	if err := pdal("superpoint", "segment", "--quiet", path, segmented); err != nil {
		return nil, err
	}
	points, err := las.ReadFile(segmented)
	if err != nil {
		return nil, err
	}
	return points.Extra["SuperpointID"], nil
}

func pdal(args ...string) error {
	output, err := exec.Command("build/pdal", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
}

// randIndex returns the adjusted Rand index of two partitions of the same points: 1 if they are equal, 0 in
// the mean of partitions by chance with these sizes (Hubert and Arabie 1985, equation 5,
// doi:10.1007/BF01908075).
func randIndex(a, b []float64) float64 {
	ofA := map[float64]int{}
	ofB := map[float64]int{}
	ofBoth := map[[2]float64]int{}
	for i := range a {
		ofA[a[i]]++
		ofB[b[i]]++
		ofBoth[[2]float64{a[i], b[i]}]++
	}
	inA := pairsWithin(ofA)
	inB := pairsWithin(ofB)
	expected := inA * inB / pairs(len(a))
	most := (inA + inB) / 2
	if most == expected {
		return 1 // both are one superpoint, or single points
	}
	return (pairsWithin(ofBoth) - expected) / (most - expected)
}

// pairsWithin returns how many pairs of points are in one superpoint.
func pairsWithin[K comparable](sizes map[K]int) (sum float64) {
	for _, n := range sizes {
		sum += pairs(n)
	}
	return sum
}

func pairs(n int) float64 { return float64(n) * float64(n-1) / 2 }
