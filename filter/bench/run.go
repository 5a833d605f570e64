package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// stage is one stage of a PDAL pipeline.
type stage map[string]any

// outcome is what one pipeline took.
type outcome struct {
	seconds float64 // wall time of the process
	peak    int64   // resident bytes at most
	own     *report // metadata of our filter, if it ran
}

// report is what filters.superpoint writes to the metadata.
type report struct {
	Superpoints    int                `json:"superpoints"`
	Energy         float64            `json:"energy"`
	SeedResolution float64            `json:"seed_resolution"`
	Seconds        map[string]float64 `json:"seconds"`
}

// pipeline reads the tile, runs the stages and writes nothing.
func (s *settings) pipeline(t tile, stages ...stage) (outcome, error) {
	all := []stage{{"type": "readers.las", "filename": t.path}}
	all = append(append(all, stages...), stage{"type": "writers.null"})
	text, err := json.Marshal(all)
	if err != nil {
		return outcome{}, err
	}
	metadata := filepath.Join(s.folder, "metadata.json")
	if err := os.Remove(metadata); err != nil && !os.IsNotExist(err) {
		return outcome{}, err
	}
	command := exec.Command(s.pdal, "pipeline", "--stdin", "--metadata", metadata)
	command.Stdin = bytes.NewReader(text)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	start := time.Now()
	if err := command.Run(); err != nil {
		return outcome{}, fmt.Errorf("%w\n%s", err, complaint.Bytes())
	}
	o := outcome{seconds: time.Since(start).Seconds()}
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return o, fmt.Errorf("no resource usage of the child process")
	}
	o.peak = int64(usage.Maxrss) * 1024
	if text, err = os.ReadFile(metadata); err != nil {
		return o, err
	}
	var document struct {
		Stages struct {
			Superpoint *report `json:"filters.superpoint"`
		} `json:"stages"`
	}
	err = json.Unmarshal(text, &document)
	o.own = document.Stages.Superpoint
	return o, err
}

// contender is something to measure.
type contender struct {
	name    string
	threads int
	run     func(s *settings, t tile, base outcome) (result, error)
}

// result is one line of the history.
type result struct {
	tile, name      string
	points, threads int
	seconds         float64
	bytes           float64            // a point, beyond PDAL's table; 0 = not measured
	steps           map[string]float64 // seconds of our steps
	superpoints     int
	energy          float64
}

func (r result) rate() float64 { return float64(r.points) / r.seconds }

// written is the bytes of SuperpointID and Embedding0..3, columns of PDAL's table.
const written = 4 + 4*4

// ours is filters.superpoint with options.
func ours(name string, threads int, options stage) contender {
	return contender{name, threads, func(s *settings, t tile, base outcome) (result, error) {
		own := stage{"type": "filters.superpoint", "threads": threads}
		for k, v := range options {
			own[k] = v
		}
		o, err := s.pipeline(t, own)
		if err != nil {
			return result{}, err
		}
		if o.own == nil || o.own.Seconds["total"] <= 0 {
			return result{}, fmt.Errorf("the stage wrote no seconds to the metadata")
		}
		return result{
			seconds: o.own.Seconds["total"], steps: o.own.Seconds, superpoints: o.own.Superpoints, energy: o.own.Energy,
			bytes: float64(o.peak-base.peak)/float64(t.points) - written,
		}, nil
	}}
}
