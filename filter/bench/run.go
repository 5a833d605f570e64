package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"superpoint/testdata/las"
)

// stage is one stage of a PDAL pipeline.
type stage map[string]any

// system is something to measure.
type system struct {
	name    string
	threads int
	run     func(t tile, base result) (result, error)
}

// Names of systems that are not the filter's methods, and the stage with its name.
const (
	vccsOfPCL  = "VCCS of PCL"
	supervoxel = "filters.supervoxel"
	superpoint = "filters.superpoint"
)

const (
	meanSize = 100 // mean points of a segment of other systems
	voxels   = 7   // along a segment of VCCS, as ours chooses by itself
)

// measure runs everything on one tile.
func (s *settings) measure(t tile) ([]result, error) {
	all := []system{s.ours("superpoint", 1, nil), s.ours("superpoint", 2, nil)}
	if t.points <= large {
		seed, err := s.seed(t, "vccs")
		if err != nil {
			return nil, err
		}
		lin, err := s.seed(t, "lin")
		if err != nil {
			return nil, err
		}
		for threads := 1; threads <= 2; threads++ {
			all = append(all, s.ours("superpoint, method vccs", threads,
				stage{"method": "vccs", "seed_resolution": seed, "voxel_resolution": seed / voxels}),
				s.ours("superpoint, method lin", threads, stage{"method": "lin", "seed_resolution": lin}))
		}
		all = append(append(all, s.pcl(seed)...), s.supervoxel()...)
	}
	repeat := 1
	if t.points <= small {
		repeat = s.repeat
	}
	best := make([]result, len(all))
	for range repeat {
		base, _, err := s.pipeline(t)
		if err != nil {
			return nil, err
		}
		for i, c := range all {
			r, err := c.run(t, base)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if b := &best[i]; b.seconds == 0 || r.seconds < b.seconds {
				r.tile, r.name, r.threads, r.points, r.bytes = t.name, c.name, c.threads, t.points, max(r.bytes, b.bytes)
				*b = r
			}
		}
	}
	if a, b := best[0], best[1]; a.superpoints != b.superpoints || a.energy != b.energy {
		return nil, fmt.Errorf("1 thread gave %d superpoints of energy %v, 2 threads %d of %v", a.superpoints, a.energy,
			b.superpoints, b.energy)
	}
	return best, nil
}

// report is what filters.superpoint writes to the metadata.
type report struct {
	Superpoints    int                `json:"superpoints"`
	Energy         float64            `json:"energy"`
	SeedResolution float64            `json:"seed_resolution"`
	Seconds        map[string]float64 `json:"seconds"`
}

// pipeline reads the tile, runs the stages and writes nothing. It returns the wall time
// and the peak of resident bytes of the process, and the filter's metadata.
func (s *settings) pipeline(t tile, stages ...stage) (r result, own report, err error) {
	all := append(append([]stage{{"type": "readers.las", "filename": t.path}}, stages...), stage{"type": "writers.null"})
	text, err := json.Marshal(all)
	if err != nil {
		return r, own, err
	}
	metadata := filepath.Join(s.folder, "metadata.json")
	command := exec.Command(s.pdal, "pipeline", "--stdin", "--metadata", metadata)
	var complaint bytes.Buffer
	command.Stdin, command.Stderr = bytes.NewReader(text), &complaint
	start := time.Now()
	if err := command.Run(); err != nil {
		return r, own, fmt.Errorf("%w\n%s", err, complaint.Bytes())
	}
	r.seconds = time.Since(start).Seconds()
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return r, own, errors.New("no resource usage of the child process")
	}
	r.bytes = float64(usage.Maxrss) * 1024
	if text, err = os.ReadFile(metadata); err != nil {
		return r, own, err
	}
	document := map[string]map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &document); err != nil {
		return r, own, err
	}
	if of := document["stages"][superpoint]; of != nil {
		err = json.Unmarshal(of, &own)
	}
	return r, own, err
}

// written is the bytes of SuperpointID and Embedding0..3, columns of PDAL's table.
const written = 4 + 4*4

// ours is filters.superpoint with options.
func (s *settings) ours(name string, threads int, options stage) system {
	return system{name, threads, func(t tile, base result) (result, error) {
		own := stage{"type": superpoint, "threads": threads}
		for k, v := range options {
			own[k] = v
		}
		r, m, err := s.pipeline(t, own)
		if err != nil {
			return r, err
		}
		if m.Seconds["total"] <= 0 {
			return r, errors.New("the stage wrote no seconds to the metadata")
		}
		r.bytes = (r.bytes-base.bytes)/float64(t.points) - written
		r.seconds, r.steps, r.superpoints, r.energy = m.Seconds["total"], m.Seconds, m.Superpoints, m.Energy
		return r, nil
	}}
}

// seed returns the seed resolution at which a method's segments have the mean size.
func (s *settings) seed(t tile, method string) (float64, error) {
	_, m, err := s.pipeline(t, stage{"type": superpoint, "method": method, "target_size": meanSize})
	return m.SeedResolution, err
}

// supervoxel is PDAL's filter, if this PDAL has it.
func (s *settings) supervoxel() []system {
	known, err := exec.Command(s.pdal, "--drivers").Output()
	if err != nil || !strings.Contains(string(known), supervoxel+" ") {
		fmt.Fprintln(os.Stderr, supervoxel, "is not in this PDAL and is left out")
		return nil
	}
	return []system{{supervoxel, 1, func(t tile, base result) (result, error) {
		r, _, err := s.pipeline(t, stage{"type": "filters.normal"}, stage{"type": supervoxel})
		return result{seconds: r.seconds - base.seconds, bytes: (r.bytes - base.bytes) / float64(t.points)}, err
	}}}
}

// pcl is the VCCS of the Point Cloud Library, if its headers are installed. Its seconds
// are those of the library's work alone, without any reading.
func (s *settings) pcl(seed float64) []system {
	program := filepath.Join(s.folder, "pcl_vccs")
	if err := buildPCL(program); err != nil {
		fmt.Fprintln(os.Stderr, vccsOfPCL, "is left out:", err)
		return nil
	}
	return []system{{vccsOfPCL, 1, func(t tile, _ result) (r result, err error) {
		text := filepath.Join(s.folder, t.name+".txt")
		if err := writeText(t.path, text); err != nil {
			return r, err
		}
		defer os.Remove(text)
		out, err := exec.Command(program, text, fmt.Sprint(seed/voxels), fmt.Sprint(seed),
			filepath.Join(s.folder, "pcl")).Output()
		if err != nil {
			return r, err
		}
		if _, err := fmt.Sscan(string(out), new(float64), &r.superpoints, &r.seconds); err != nil {
			return r, fmt.Errorf("it printed %q: %w", out, err)
		}
		return r, nil
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
