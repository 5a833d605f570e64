package command

import (
	"errors"
	"fmt"
	"path/filepath"

	"superpoint/embed/whole"
	"superpoint/filter"
)

const segmentUsage = `segment [options] IN… OUT

Superpoints of point clouds: every point of IN gets SuperpointID, Embedding0, …
and keeps all that it has, in LAS 1.4 of the same point format.

IN is a file of any kind that PDAL reads, a folder of LAS and LAZ, a pattern in
quotes, a virtual point cloud (.vpc), or EPT (ept.json). OUT is a file for one
IN, else a folder, in which the results have the names of the inputs. An output
has its name only when it is whole. In a folder, an output that is newer than
its input is left as it is. A file that fails is named and the others go on;
then the exit code is 1.

The options of the stage are options of this command.`

func runSegment(host Host, arguments []string) error {
	a := newArguments("segment", segmentUsage, host)
	force := a.Bool("force", false, "make outputs in a folder again that are there")
	unique := a.Bool("unique", false, "let ids go on from file to file, so that none is given twice")
	srs := a.String("default_srs", "", "spatial reference of files that name none, for example EPSG:32632")
	where := a.String("where", "", "points to take, as an `expression` of PDAL; the others get id 0")
	format := a.String("format", "text", "of the lines about the files on standard output: text or json")
	args, err := a.parse(arguments)
	if err != nil {
		return err
	}
	if *format != "text" && *format != "json" {
		return fmt.Errorf("option format: %q; give text or json", *format)
	}
	if len(args) < 2 {
		return errors.New("name the point clouds, and last where the result goes: pdal superpoint segment IN… OUT")
	}
	s := &segmenter{host: host, srs: *srs, where: *where, json: *format == "json", options: a.stageOptions()}
	if *unique {
		s.ids = new(idRange)
	}
	if err := s.check(); err != nil {
		return err
	}
	out := args[len(args)-1]
	inputs, err := sourceFiles(args[:len(args)-1])
	if err != nil {
		return err
	}
	tasks, folder, err := assign(inputs, out)
	if err != nil {
		return err
	}
	s.files = &a.files
	if err := s.prepare(tasks, folder && !*force); err != nil {
		return err
	}
	return s.all(tasks)
}

// segmenter runs the stage on one file after the other.
type segmenter struct {
	host    Host
	options map[string]string // of the stage, as they were given
	srs     string            // of files that name none
	where   string            // which points; "" = all
	files   *whole.Files
	ids     *idRange // that go on over the files; nil = each begins at 1
	json    bool
	packs   *bool // whether this PDAL can write LAZ with all classes; nil = not tried yet
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
	if filter.ModelFile(s.options["model"]) {
		s.options["model"], err = filepath.Abs(s.options["model"])
	}
	return err
}

// prepare opens the outputs, before any work. Where skip is true, what is there
// and newer than its input stays.
func (s *segmenter) prepare(tasks []task, skip bool) (err error) {
	for k := range tasks {
		s.files.Input(tasks[k].input)
	}
	for k := range tasks {
		t := &tasks[k]
		if t.to, err = s.files.Output(t.output); err != nil {
			return err
		}
		if skip {
			t.kept = t.done()
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
		s.host.Log(filter.LogInfo, fmt.Sprintf("%d of %d outputs were there, newer than their inputs, and are left as they are; --force makes them again", kept, len(tasks)))
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d files failed", failed, len(tasks))
	}
	return nil
}
