// SPDX-License-Identifier: BSD-3-Clause

package folder

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"superpoint/pipelines/job"
)

// Task is a step for one source or tile.
type Task struct {
	Number int
	Inputs string // their checksum
	Mark   *Mark  // nil = the step is not finished
	Err    error
}

// Step returns a step by name.
func (v *Survey) Step(name string) (*Step, error) {
	var names []string
	for k, s := range v.Steps {
		if s.Name == name {
			return &v.Steps[k], nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("%q is not a step; the steps are %s", name, strings.Join(names, ", "))
}

// finished returns the mark of a step, or nil if the step must run.
func (v *Survey) finished(s *Step, n int, inputs string) *Mark {
	m := new(Mark)
	if !job.ReadMark(v.File(s.Name, n, "json"), v.Folder, v.task(s, n, inputs), m) {
		return nil
	}
	return m
}

// task returns a step of source or tile n with the checksum of its inputs.
func (v *Survey) task(s *Step, n int, inputs string) job.Task {
	return job.Task{Step: s.Name, Number: n, Plan: v.Sum, Inputs: inputs}
}

// NewMark returns the mark of a task that begins.
func (v *Survey) NewMark(s *Step, t *Task) *Mark {
	return &Mark{Mark: job.Mark{Task: v.task(s, t.Number, t.Inputs), Files: map[string]int64{}}}
}

// Look returns source or tile n of a step: with its mark if the step is finished, or with an error.
func (v *Survey) Look(s *Step, n int) *Task {
	t := &Task{Number: n}
	if last := len(v.Numbers(s.Over)) - 1; n < 0 || n > last {
		t.Err = fmt.Errorf("step %s runs for %s 0 to %d, not for %d", s.Name, s.Over, last, n)
		return t
	}
	if t.Inputs, t.Err = s.Inputs(v, n); t.Err == nil {
		t.Mark = v.finished(s, n, t.Inputs)
	}
	return t
}

// Mark returns the mark of a step; it fails if the step is not finished.
func (v *Survey) Mark(name string, n int) (*Mark, error) {
	s, err := v.Step(name)
	if err != nil {
		return nil, err
	}
	t := v.Look(s, n)
	if t.Err != nil || t.Mark != nil {
		return t.Mark, t.Err
	}
	number := ""
	if s.Over != Once {
		number = fmt.Sprint(" ", n)
	}
	return nil, fmt.Errorf("%s: step %s is not finished; run: pdal superpoint survey run %s %s%s",
		v.Describe(s, n), name, v.Folder, name, number)
}

// Marks returns all marks of a step and the checksum of its results. It reads the marks once: a step all of
// whose marks are there does not run again in this process.
func (v *Survey) Marks(name string) (all []*Mark, sum string, err error) {
	if known, ok := v.found.get(name); ok {
		return known.marks, known.sum, nil
	}
	s, err := v.Step(name)
	if err != nil {
		return nil, "", err
	}
	body := []byte(v.Sum)
	points := int64(0)
	for n := range v.Numbers(s.Over) {
		m, err := v.Mark(name, n)
		if err != nil {
			return nil, "", err
		}
		body = binary.LittleEndian.AppendUint32(body, m.Sum)
		points += m.Points
		all = append(all, m)
	}
	if s.Over == Tiles {
		if err := v.checkComplete(points); err != nil {
			return nil, "", err
		}
	}
	sum = fmt.Sprintf("%08x", crc32.ChecksumIEEE(body))
	v.found.put(name, markSet{all, sum})
	return all, sum, nil
}

// DependsOn returns the Inputs of a step that depends on all results of another step.
func DependsOn(name string) func(v *Survey, n int) (string, error) {
	return func(v *Survey, _ int) (string, error) {
		_, sum, err := v.Marks(name)
		return sum, err
	}
}

// checkComplete fails if the tiles have not as many points as the sources.
func (v *Survey) checkComplete(points int64) error {
	if points != v.Plan.Points {
		return fmt.Errorf(
			"the tiles have %d points, the sources %d: files changed after they were planned; plan in "+
				"another folder", points, v.Plan.Points)
	}
	return nil
}
