// SPDX-License-Identifier: BSD-3-Clause

// Package segment is the command segment: it computes the superpoints of files, one by one, each in its own pdal
// process. An output appears only when it is complete.
package segment

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"time"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// Request has the options of a batch.
type Request struct {
	Options            map[string]string // of the stage, by name
	command.References                   // of the host, as part of the record of a result
	Where              string            // expression of PDAL that selects points; "" = all
	Area               string            // vector file with polygons that select points; "" = all
	COPC               bool              // outputs in a folder are COPC
	JSON               bool              // report files as lines of JSON
	Files              *atomicfile.Files // that the program reads and writes
}

// Run segments inputs (files, folders, patterns) to the file or folder out. It returns the outputs, kept ones included.
func Run(h host.Host, inputs []string, out string, r Request) (outputs []string, err error) {
	s := &segmenter{Request: r, host: h, software: filter.Software()}
	defer s.warnOfOthers()
	if err := s.check(); err != nil {
		return nil, err
	}
	files, err := sources.Files(inputs, func(text string) { h.Log(filter.LogWarning, text) })
	if err != nil {
		return nil, err
	}
	tasks, folder, err := assign(files, out, r.COPC)
	if err != nil {
		return nil, err
	}
	if r.COPC {
		if err := pdalprocess.CheckCOPC(h.Context()); err != nil {
			return nil, err
		}
	}
	for k := range tasks {
		s.Files.Input(tasks[k].input)
	}
	if folder {
		release, err := s.Files.Folder(out)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	if err := s.prepare(tasks, folder && !r.Files.Force); err != nil {
		return nil, err
	}
	return s.all(tasks)
}

// check checks the options before any file is read, and makes paths in them absolute, because
// children run in other folders.
func (s *segmenter) check() error {
	options, err := filter.OptionsOf(s.Options)
	if err != nil {
		return err
	}
	if _, err := filter.New(options, func(int, string) {}); err != nil {
		return err
	}
	if s.Options, s.content, err = models.Pinned(s.Options); err != nil || s.Area == "" {
		return err
	}
	if s.area, err = openArea(s.host, s.Area); err != nil {
		return err
	}
	if s.content == nil {
		s.content = map[string]string{}
	}
	s.content["area"], err = sources.Identity(s.Area)
	return err
}

// prepare checks the outputs before any work. With resume, existing results of the same input and options are kept.
func (s *segmenter) prepare(tasks []task, resume bool) (err error) {
	for k := range tasks {
		t := &tasks[k]
		if t.to, err = s.Files.Output(t.output); err != nil {
			return err
		}
		if t.made, err = s.madeFrom(t.input); err != nil {
			return err
		}
		if resume {
			t.kept = t.done()
		}
	}
	return nil
}

// all runs all tasks, also if some fail, and returns their outputs.
func (s *segmenter) all(tasks []task) (outputs []string, err error) {
	var failed, kept int
	var selected int64      // points
	var all, finished int64 // bytes of the inputs
	for _, t := range tasks {
		all += t.bytes()
	}
	began := time.Now()
	for k, t := range tasks {
		label := func(step string) string { return step }
		if len(tasks) > 1 {
			left := host.Left(time.Since(began), finished, all)
			of := fmt.Sprintf("%d/%d %s%s: ", k+1, len(tasks), filepath.Base(t.input), left)
			label = func(step string) string { return of + step }
		}
		finished += t.bytes()
		if t.kept != "" {
			kept++
			if err := s.report(&segmented{Input: t.input, Output: t.kept, Kept: true}); err != nil {
				return nil, err
			}
			outputs = append(outputs, t.kept)
			continue
		}
		done, err := s.file(t, label)
		if err := s.host.Context().Err(); err != nil {
			return nil, err
		}
		if err != nil && len(tasks) == 1 && !s.JSON {
			return nil, message.File(t.input, err)
		}
		if err != nil {
			failed++
			s.host.Log(filter.LogError, message.File(t.input, err).Error())
			done = &segmented{Input: t.input, Error: err.Error()}
		}
		if err := s.report(done); err != nil {
			return nil, err
		}
		if errors.Is(err, syscall.ENOSPC) {
			return nil, fmt.Errorf("the disk is full after %d of %s; make room, or name another folder, and run again: "+
				"finished outputs are kept", len(outputs), message.Count(len(tasks), "file"))
		}
		outputs = append(outputs, done.Output)
		selected += done.Points
	}
	if s.selects() && selected == 0 && kept+failed == 0 {
		s.host.Log(filter.LogWarning, "no points are processed: `where` or the polygons of `area` select none")
	}
	if kept > 0 {
		s.host.Log(filter.LogInfo, fmt.Sprintf("%d of %s of the same inputs and options kept; --force computes "+
			"them again", kept, message.Count(len(tasks), "output")))
	}
	if failed > 0 {
		return nil, fmt.Errorf("%d of %s failed; correct them or leave them out, and run again: finished outputs are kept",
			failed, message.Count(len(tasks), "file"))
	}
	return outputs, nil
}
