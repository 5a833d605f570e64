// Package batch makes superpoints of one file after the other, into files that get
// their names when they are whole. Each runs through a pdal of its own.
package batch

import (
	"fmt"
	"path/filepath"

	"superpoint/embed/atomicfile"
	"superpoint/filter"
	"superpoint/filter/child"
	"superpoint/filter/host"
	"superpoint/filter/models"
	"superpoint/filter/sources"
)

// Request says how files are segmented.
type Request struct {
	Options map[string]string // of the stage, as they were given
	SRS     string            // spatial reference of files that name none
	Where   string            // points to take, as an expression of PDAL; "" = all
	Unique  bool              // ids go on from file to file
	Force   bool              // make outputs in a folder again, whatever is there
	COPC    bool              // outputs in a folder are COPC
	JSON    bool              // lines about the files are JSON
	Files   *atomicfile.Files // that the program reads and writes
}

// Run segments the point clouds that inputs name, into a file or a folder.
func Run(h host.Host, inputs []string, out string, r Request) error {
	s := &segmenter{host: h, srs: r.SRS, where: r.Where, json: r.JSON, options: r.Options, files: r.Files}
	if r.Unique {
		s.ids = new(idRange)
	}
	if err := s.check(); err != nil {
		return err
	}
	files, err := sources.Files(inputs)
	if err != nil {
		return err
	}
	tasks, folder, err := assign(files, out, r.COPC)
	if err != nil {
		return err
	}
	if r.COPC {
		if err := child.CheckCOPC(h.Context()); err != nil {
			return err
		}
	}
	if err := s.prepare(tasks, folder && !r.Force); err != nil {
		return err
	}
	return s.all(tasks)
}

// check looks at the options before any file is read, and makes them good for
// every folder that a child may run in.
func (s *segmenter) check() error {
	options, err := filter.OptionsOf(s.options)
	if err != nil {
		return err
	}
	if _, err := filter.New(options, func(int, string) {}); err != nil {
		return err
	}
	if s.ids != nil {
		s.ids.next = max(1, uint64(options.FirstID))
	}
	s.options, s.content, err = models.Pinned(s.options)
	return err
}

// prepare opens the outputs, before any work. Where resume is true, results of the same
// input and options stay, and nothing is written over that segment did not make.
func (s *segmenter) prepare(tasks []task, resume bool) (err error) {
	for k := range tasks {
		s.files.Input(tasks[k].input)
	}
	for k := range tasks {
		t := &tasks[k]
		if t.to, err = s.files.Output(t.output); err != nil {
			return err
		}
		if t.made, err = s.madeFrom(t.input); err != nil {
			return err
		}
		if resume {
			if t.kept = t.done(); t.kept == "" && t.isForeign(t.output) {
				return fmt.Errorf("%s was not made by segment and would be lost; name another folder, or write over it with "+
					"--force", t.output)
			}
		}
		if t.kept == "" {
			continue
		}
		if err := s.ids.keep(s.host, t.kept, s.dimension()); err != nil {
			return err
		}
	}
	return nil
}

// all does all tasks. One that fails does not keep the others from being done.
func (s *segmenter) all(tasks []task) error {
	var failed, kept int
	for k, t := range tasks {
		label := func(step string) string { return step }
		if len(tasks) > 1 {
			label = func(step string) string {
				return fmt.Sprintf("%d/%d %s: %s", k+1, len(tasks), filepath.Base(t.input), step)
			}
		}
		if t.kept != "" {
			kept++
			if err := s.tell(&segmented{Input: t.input, Output: t.kept, Kept: true}); err != nil {
				return err
			}
			continue
		}
		done, err := s.file(t, label)
		if err := s.host.Context().Err(); err != nil {
			return err
		}
		if err != nil && len(tasks) == 1 && !s.json {
			return fmt.Errorf("%s: %w", t.input, err)
		}
		if err != nil {
			failed++
			s.host.Log(filter.LogError, fmt.Sprintf("%s: %v", t.input, err))
			done = &segmented{Input: t.input, Error: err.Error()}
		}
		if err := s.tell(done); err != nil {
			return err
		}
	}
	if kept > 0 {
		s.host.Log(filter.LogInfo, fmt.Sprintf("%d of %d outputs were there, made from the same inputs with the same "+
			"options, and are left as they are; --force makes them again", kept, len(tasks)))
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d files failed", failed, len(tasks))
	}
	return nil
}
