// SPDX-License-Identifier: BSD-3-Clause

// Package folder is the folder of a survey: its plan, the marks of finished steps, and the files that a task
// makes. What the steps compute is in package survey.
package folder

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/option"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/job"
)

// PlanFile is the name of the file of the plan.
const PlanFile = "plan.json"

// Survey is the folder of a survey: plan.json, a folder for each step, and out/ with the results. The files
// of a task appear together, see files.go.
type Survey struct {
	Overrides map[string]string // options of the stage in this process, in place of options of the plan

	Host   host.Host
	Folder string
	Plan   *plan.Plan
	Sum    string // of plan.json
	Steps  []Step // in order
	Prefix string // of the progress of a tile
	Work   string // folder in which a task makes its files

	reading map[string]string // options of the plan, with copies of the files that they name
	unpin   func()            // removes the copies
	found   *markCache
}

// Step is a step of a survey. Its folder has its files and, written last, the mark N.json when
// it is finished for source or tile N (0 for Once). A step runs again if its mark, or
// a file that the mark lists, is missing or has another size, or is of another plan or other
// inputs.
type Step struct {
	Name  string
	Over  Over
	Reads string   // results of earlier steps that it reads
	Makes []string // files in its folder; N and K stand for the number of a tile and a source
	Help  string

	// Needs returns what it reads: a unit, as "cut 3", or all units of a step, as "embed".
	Needs  func(p *plan.Plan, n int) []string
	Halo   func(p *plan.Plan) float64             // of which it reads the points; nil = none
	Memory Memory                                 // at its peak
	Inputs func(v *Survey, n int) (string, error) // checksum of what it reads
	Do     func(v *Survey, n int, m *Mark) error  // of a tile, or all
	Batch  Batch                                  // of sources, in place of Do
}

// Memory returns an estimate of the memory of a unit that reads points, in bytes. perPoint is the memory of
// the filter.
type Memory func(p *plan.Plan, points, perPoint float64) float64

// Over is the set over which a step is parallel.
type Over string

// The sets over which a step may be parallel.
const (
	Sources Over = "sources"
	Tiles   Over = "tiles"
	Once    Over = "once" // one process
)

// Batch makes the results of sources in a work folder, from the files that are their content.
type Batch func(v *Survey, which []int, inputs []job.Pinned, work string) ([]Prepared, error)

// Prepared is a result that has not its place yet.
type Prepared interface {
	// Place gives the files their places, and adds what is known of them to the mark.
	Place(v *Survey, n int, m *Mark) error
}

// Open reads the plan of a folder, for a survey of some steps.
func Open(h host.Host, folder string, steps []Step) (*Survey, error) {
	path := filepath.Join(folder, PlanFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing; plan first: pdal superpoint survey plan --output %s FILE…",
			path, folder)
	}
	if err != nil {
		return nil, err
	}
	p, err := plan.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	if err := p.CheckVersion(); err != nil {
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	options, unpin, err := job.PinOptions(folder, p.Options, nil)
	if err == nil {
		err = p.CheckContent(options.Content)
	}
	if err != nil {
		unpin()
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	return &Survey{
		Overrides: map[string]string{},
		Host:      h,
		Folder:    folder,
		Plan:      p,
		Sum:       job.Checksum(text),
		Steps:     steps,
		reading:   options.Reading,
		unpin:     unpin,
		found:     newMarkCache(),
	}, nil
}

// Close removes temporary files.
func (v *Survey) Close() { v.unpin() }

// Lock locks the folder of a survey: for single steps shared with other processes, else alone.
func Lock(folder string, shared bool) (release func(), err error) {
	if _, err := os.Stat(folder); err != nil {
		return func() {}, nil // Open has the error
	}
	return atomicfile.Lock(folder, shared)
}

// Clean removes what killed processes left; there are no others.
func (v *Survey) Clean() error {
	for _, s := range v.Steps {
		atomicfile.Sweep(v.Path(s.Name))
	}
	// by las.Writer
	for _, unfinished := range []string{"cut/*/.[0-9]*.las-[0-9]*", "label/.[0-9]*.las-[0-9]*"} {
		names, err := fs.Glob(os.DirFS(v.Folder), unfinished)
		for _, name := range names {
			err = cmp.Or(err, os.Remove(v.Path(name)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Output returns an output file; it fails if path is a source.
func (v *Survey) Output(path string) (*atomicfile.Output, error) {
	files := &atomicfile.Files{Context: v.Host.Context()}
	files.Inside(v.Path("out"))
	for i := range v.Plan.Sources {
		files.Input(v.Plan.Sources[i].Path)
	}
	return files.Output(path)
}

// Path returns the path of a file in the folder.
func (v *Survey) Path(parts ...string) string {
	return filepath.Join(append([]string{v.Folder}, parts...)...)
}

// File returns the path of the file of a kind that a step makes for source or tile n.
func (v *Survey) File(step string, n int, kind string) string {
	return v.Path(step, strconv.Itoa(n)+"."+kind)
}

// Slice returns the path of the points of source k in tile n.
func (v *Survey) Slice(n, k int) string {
	return v.Path("cut", strconv.Itoa(n), strconv.Itoa(k)+".las")
}

// Tree returns the files of a task.
func (v *Survey) Tree() atomicfile.Tree { return atomicfile.Tree{Folder: v.Folder, Work: v.Work} }

// Name returns the path of a file in the folder of the survey.
func (v *Survey) Name(path string) string {
	name, err := filepath.Rel(v.Folder, path)
	if err != nil { // not of this folder
		return path
	}
	return name
}

// title returns the survey and the name of a file, for its seal.
func (v *Survey) title(path string) string { return v.Sum + " " + filepath.ToSlash(v.Name(path)) }

// Numbers returns the numbers of sources or tiles.
func (v *Survey) Numbers(of Over) (numbers []int) {
	for n := range map[Over]int{Sources: len(v.Plan.Sources), Tiles: len(v.Plan.Tiles), Once: 1}[of] {
		numbers = append(numbers, n)
	}
	return numbers
}

// Describe returns the source or tile n of a step for messages.
func (v *Survey) Describe(s *Step, n int) string {
	switch s.Over {
	case Sources:
		return fmt.Sprintf("source %d, %s", n, v.Plan.Sources[n].Path)
	case Tiles:
		t := &v.Plan.Tiles[n]
		return fmt.Sprintf("%s of %s", t, v.Plan.FilesOf(t))
	}
	return "the survey"
}

// options returns the options of the stage in this process.
func (v *Survey) options() (*option.Options, error) {
	given := maps.Clone(v.reading)
	maps.Copy(given, v.Overrides)
	return option.OptionsOf(given)
}

// Parallel returns the threads of this process.
func (v *Survey) Parallel() parallel.Run {
	threads, _ := strconv.Atoi(v.Overrides["threads"])
	return parallel.Run{Context: v.Host.Context(), Threads: threads}
}

// NewFilter returns the filter of the plan.
func (v *Survey) NewFilter() (*filter.Filter, error) {
	options, err := v.options()
	if err != nil {
		return nil, err
	}
	f, err := filter.New(options, message.Log(v.Host.Log).Of(v.Folder))
	if err == nil {
		_, err = f.Describe(append([]string{"X", "Y", "Z"}, v.Plan.Reads...))
	}
	return f, err
}

// Progress reports the progress of a step.
func (v *Survey) Progress(step string, fraction float64) { v.Host.Progress(v.Prefix+step, fraction) }

// In returns the survey for a task that makes its files in a work folder.
func (v *Survey) In(work string) *Survey {
	w := *v
	w.Work = work
	return &w
}

// WithPrefix returns the survey with a text before the progress of its steps.
func (v *Survey) WithPrefix(prefix string) *Survey {
	w := *v
	w.Prefix = prefix
	return &w
}
