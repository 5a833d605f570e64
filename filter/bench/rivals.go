package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"superpoint/testdata/las"
)

// meanSize is the wanted mean number of points of a segment for VCCS.
const meanSize = 100

// voxels is the number of voxels along a segment, as ours chooses by itself.
const voxels = 7

// ownVCCS is our VCCS at the seed resolution that gives segments of the mean
// size, which is returned as well.
func (s *settings) ownVCCS(t tile) (contender, float64, error) {
	o, err := s.pipeline(t, stage{"type": "filters.superpoint", "method": "vccs", "target_size": meanSize})
	if err != nil {
		return contender{}, 0, err
	}
	seed := o.own.SeedResolution
	return ours("superpoint, method vccs", 2,
		stage{"method": "vccs", "seed_resolution": seed, "voxel_resolution": seed / voxels}), seed, nil
}

// pdalRivals are PDAL's filters that this PDAL has.
func (s *settings) pdalRivals(t tile) []contender {
	known, err := exec.Command(s.pdal, "--drivers").Output()
	if err != nil {
		return nil
	}
	var all []contender
	for _, c := range []struct {
		threads int
		stages  []stage
	}{
		{2, []stage{{"type": "filters.covariancefeatures", "knn": 20, "threads": 2}}},
		{1, []stage{{"type": "filters.dbscan", "eps": 1, "min_points": 6}}},
		{1, []stage{{"type": "filters.normal"}, {"type": "filters.supervoxel"}}},
	} {
		var names []string
		there := true
		for _, st := range c.stages {
			name := fmt.Sprint(st["type"])
			names = append(names, name)
			there = there && strings.Contains(string(known), name+" ")
		}
		name := strings.Join(names, " + ")
		if !there {
			fmt.Fprintf(os.Stderr, "%s is not in this PDAL and is left out\n", name)
			continue
		}
		all = append(all, contender{name, c.threads, func(s *settings, t tile, base outcome) (result, error) {
			o, err := s.pipeline(t, c.stages...)
			if err != nil {
				return result{}, err
			}
			return result{seconds: o.seconds - base.seconds, bytes: float64(o.peak-base.peak) / float64(t.points)}, nil
		}})
	}
	return all
}

// pcl is the VCCS of the Point Cloud Library, if its headers are installed.
// Its seconds are those of the library's work alone, without any reading.
func (s *settings) pcl(seed float64) []contender {
	program := filepath.Join(s.folder, "pcl_vccs")
	if err := buildPCL(program); err != nil {
		fmt.Fprintln(os.Stderr, "PCL's VCCS is left out:", err)
		return nil
	}
	return []contender{{"VCCS of PCL", 1, func(s *settings, t tile, _ outcome) (result, error) {
		text := filepath.Join(s.folder, t.name+".txt")
		if err := writeText(t.path, text); err != nil {
			return result{}, err
		}
		defer os.Remove(text)
		out, err := exec.Command(program, text, fmt.Sprint(seed/voxels), fmt.Sprint(seed),
			filepath.Join(s.folder, "pcl")).Output()
		if err != nil {
			return result{}, err
		}
		fields := strings.Fields(string(out))
		if len(fields) != 3 {
			return result{}, fmt.Errorf("it printed %q", out)
		}
		seconds, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return result{}, err
		}
		count, err := strconv.Atoi(fields[1])
		return result{seconds: seconds, superpoints: count}, err
	}}}
}

// buildPCL compiles the program that runs PCL.
func buildPCL(program string) error {
	if _, err := os.Stat(program); err == nil {
		return nil
	}
	modules := []string{"pcl_segmentation", "pcl_octree", "pcl_kdtree", "pcl_search", "pcl_common"}
	found, err := exec.Command("pkg-config", append([]string{"--cflags", "--libs"}, modules...)...).Output()
	if err != nil {
		return errors.New("pkg-config does not find it; apt-get install libpcl-dev pkg-config")
	}
	source := filepath.Join("partition", "vccs", "_pcl", "pcl_vccs.cpp")
	args := append([]string{"-O3", "-DNDEBUG", "-std=c++17", source, "-o", program}, strings.Fields(string(found))...)
	return loud(exec.Command("g++", args...))
}

// writeText writes "x y z" lines, relative to the cloud's first point because
// PCL holds positions as float32.
func writeText(cloud, text string) (err error) {
	p, err := las.ReadFile(cloud)
	if err != nil {
		return err
	}
	file, err := os.Create(text)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := bufio.NewWriter(file)
	for i := range p.Len() {
		fmt.Fprintf(w, "%.3f %.3f %.3f\n", p.X[i]-p.X[0], p.Y[i]-p.Y[0], p.Z[i]-p.Z[0])
	}
	return w.Flush()
}
