// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"

	"superpoint/pipelines/job"
)

// task is a step for one source or tile.
type task struct {
	n      int
	inputs string // their checksum
	mark   *Mark  // nil = the step is not finished
	err    error
}

// step returns a step by name.
func (v *Survey) step(name string) (*Step, error) {
	var names []string
	for k, s := range v.steps {
		if s.Name == name {
			return &v.steps[k], nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("%q is not a step; the steps are %s", name, strings.Join(names, ", "))
}

// finished returns the mark of a step, or nil if the step must run.
func (v *Survey) finished(s *Step, n int, inputs string) *Mark {
	m := new(Mark)
	if !job.ReadMark(v.file(s.Name, n, "json"), v.folder, v.task(s, n, inputs), m) {
		return nil
	}
	return m
}

// task returns a step of source or tile n with the checksum of its inputs.
func (v *Survey) task(s *Step, n int, inputs string) job.Task {
	return job.Task{Step: s.Name, Number: n, Plan: v.sum, Inputs: inputs}
}

// look returns source or tile n of a step: with its mark if the step is finished, or with an error.
func (v *Survey) look(s *Step, n int) *task {
	t := &task{n: n}
	if last := len(v.all(s.Over)) - 1; n < 0 || n > last {
		t.err = fmt.Errorf("step %s runs for %s 0 to %d, not for %d", s.Name, s.Over, last, n)
		return t
	}
	if t.inputs, t.err = s.inputs(v, n); t.err == nil {
		t.mark = v.finished(s, n, t.inputs)
	}
	return t
}

// mark returns the mark of a step; it fails if the step is not finished.
func (v *Survey) mark(name string, n int) (*Mark, error) {
	s, err := v.step(name)
	if err != nil {
		return nil, err
	}
	t := v.look(s, n)
	if t.err != nil || t.mark != nil {
		return t.mark, t.err
	}
	number := ""
	if s.Over != Once {
		number = fmt.Sprint(" ", n)
	}
	return nil, fmt.Errorf("%s: step %s is not finished; run: pdal superpoint survey run %s %s%s",
		v.describe(s, n), name,
		v.folder, name, number)
}

// marks returns all marks of a step and the checksum of its results. It reads the marks once: a step all of
// whose marks are there does not run again in this process.
func (v *Survey) marks(name string) (all []*Mark, sum string, err error) {
	if known, ok := v.found.get(name); ok {
		return known.marks, known.sum, nil
	}
	s, err := v.step(name)
	if err != nil {
		return nil, "", err
	}
	body, points := []byte(v.sum), int64(0)
	for n := range v.all(s.Over) {
		m, err := v.mark(name, n)
		if err != nil {
			return nil, "", err
		}
		body, points = binary.LittleEndian.AppendUint32(body, m.Sum), points+m.Points
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

// dependsOn returns the inputs function of steps that depend on all results of another step.
func dependsOn(name string) func(v *Survey, n int) (string, error) {
	return func(v *Survey, _ int) (string, error) { _, sum, err := v.marks(name); return sum, err }
}

// checkComplete fails if the tiles have not as many points as the sources.
func (v *Survey) checkComplete(points int64) error {
	if points != v.plan.Points {
		return fmt.Errorf(
			"the tiles have %d points, the sources %d: files changed after they were planned; plan in "+
				"another folder", points, v.plan.Points)
	}
	return nil
}
