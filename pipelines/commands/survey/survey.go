// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/land"
	"superpoint/filter/message"
	"superpoint/filter/option"
	"superpoint/partition/base/parallel"
	"superpoint/partition/local"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/job"
)

const planFile = "plan.json"

// Survey is the folder of a survey: plan.json, a folder for each step (Steps), and out/ with
// the results. The files of a task appear together, see files.go.
type Survey struct {
	Overrides map[string]string // options of the stage in this process, in place of options of the plan

	host    host.Host
	folder  string
	plan    *plan.Plan
	reading map[string]string // options of the plan, with copies of the files that they name
	unpin   func()            // removes the copies
	sum     string            // of plan.json
	prefix  string            // of the progress of a tile
	found   *markCache
	steps   []Step // in order
	work    string // folder in which a task makes its files
}

// Close removes temporary files.
func (v *Survey) Close() { v.unpin() }

// output returns an output file; it fails if path is a source.
func (v *Survey) output(path string) (*atomicfile.Output, error) {
	files := &atomicfile.Files{Context: v.host.Context()}
	files.Inside(v.Path("out"))
	for i := range v.plan.Sources {
		files.Input(v.plan.Sources[i].Path)
	}
	return files.Output(path)
}

// Lock locks the folder of a survey: for single steps shared with other processes, else alone.
func Lock(folder string, shared bool) (release func(), err error) {
	if _, err := os.Stat(folder); err != nil {
		return func() {}, nil // Open has the error
	}
	return atomicfile.Lock(folder, shared)
}

// clean removes what killed processes left; there are no others.
func (v *Survey) clean() error {
	for _, s := range v.steps {
		atomicfile.Sweep(v.Path(s.Name))
	}
	// by las.Writer
	for _, unfinished := range []string{"cut/*/.[0-9]*.las-[0-9]*", "label/.[0-9]*.las-[0-9]*"} {
		names, err := fs.Glob(os.DirFS(v.folder), unfinished)
		for _, name := range names {
			err = cmp.Or(err, os.Remove(v.Path(name)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Path returns the path of a file in the folder.
func (v *Survey) Path(parts ...string) string {
	return filepath.Join(append([]string{v.folder}, parts...)...)
}

// file returns the path of the file of a kind that a step makes for source or tile n.
func (v *Survey) file(step string, n int, kind string) string {
	return v.Path(step, strconv.Itoa(n)+"."+kind)
}

// slice returns the path of the points of source k in tile n.
func (v *Survey) slice(n, k int) string {
	return v.Path("cut", strconv.Itoa(n), strconv.Itoa(k)+".las")
}

// tree returns the files of a task.
func (v *Survey) tree() atomicfile.Tree { return atomicfile.Tree{Folder: v.folder, Work: v.work} }

// name returns the path of a file in the folder of the survey.
func (v *Survey) name(path string) string {
	name, err := filepath.Rel(v.folder, path)
	if err != nil { // not of this folder
		return path
	}
	return name
}

// title returns the survey and the name of a file, for its seal.
func (v *Survey) title(path string) string { return v.sum + " " + filepath.ToSlash(v.name(path)) }

// Over is the set over which a step is parallel.
type Over string

// The sets over which a step may be parallel.
const (
	Sources Over = "sources"
	Tiles   Over = "tiles"
	Once    Over = "once" // one process
)

// classifyStep is the step that a survey with classes has.
const classifyStep = "classify"

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

	inputs func(v *Survey, n int) (string, error)
	do     func(v *Survey, n int, m *Mark) error // of a tile, or all
	batch  batch                                 // of sources, in place of do
}

// batch makes the results of sources in a work folder, from the files that are their content.
type batch func(v *Survey, which []int, inputs []job.Pinned, work string) ([]prepared, error)

// prepared is a result that has not its place yet.
type prepared interface {
	// place gives the files their places, and adds what is known of them to the mark.
	place(v *Survey, n int, m *Mark) error
}

// Mark is the record of a finished step.
type Mark struct {
	job.Mark

	Points int64 `json:"points"` // of the source, of the core of the tile, of the survey

	Cores   map[string]int `json:"cores,omitempty"`   // cut: points by tile
	Records uint32         `json:"records,omitempty"` // cut: checksum of the records of the source
	// checksums of records: cut by tile, label by source
	Parts map[string]uint32 `json:"parts,omitempty"`
	Dim   int               `json:"dim,omitempty"` // embed: columns of the embedding
	// embed: number of edges longer than the reach
	Long       int   `json:"long_edges,omitempty"`
	HaloPoints int64 `json:"halo_points,omitempty"` // embed, coarsen: points around the core
	// embed, coarsen: its width, in units of the coordinates
	Halo float64 `json:"halo,omitempty"`
	// embed: places around which it read more points
	Places         int         `json:"places,omitempty"`
	Merged         *mergedHead `json:"merged,omitempty"` // merge
	CoreComponents int         `json:"pieces,omitempty"` // refine, number: core components
	*Superpoints
	Classes *land.Summary `json:"classes,omitempty"` // classify
	File    string        `json:"file,omitempty"`    // write: file name in out
}

// Superpoints has counts of a survey.
type Superpoints struct {
	Tiles       int     `json:"tiles"`
	Superpoints int64   `json:"superpoints"`
	Crossing    int64   `json:"crossing"`          // parts of superpoints that lie in several tiles
	Coarser     []int64 `json:"coarser,omitempty"` // superpoints of coarser levels
}

// all returns the numbers of sources or tiles.
func (v *Survey) all(of Over) (numbers []int) {
	for n := range map[Over]int{Sources: len(v.plan.Sources), Tiles: len(v.plan.Tiles), Once: 1}[of] {
		numbers = append(numbers, n)
	}
	return numbers
}

// describe returns the source or tile n of a step for messages.
func (v *Survey) describe(s *Step, n int) string {
	switch s.Over {
	case Sources:
		return fmt.Sprintf("source %d, %s", n, v.plan.Sources[n].Path)
	case Tiles:
		t := &v.plan.Tiles[n]
		return fmt.Sprintf("%s of %s", t, v.plan.FilesOf(t))
	}
	return "the survey"
}

// options returns the options of the stage in this process.
func (v *Survey) options() (*option.Options, error) {
	given := maps.Clone(v.reading)
	maps.Copy(given, v.Overrides)
	return option.OptionsOf(given)
}

// parallel returns the threads of this process.
func (v *Survey) parallel() parallel.Run {
	threads, _ := strconv.Atoi(v.Overrides["threads"])
	return parallel.Run{Context: v.host.Context(), Threads: threads}
}

// newFilter returns the filter of the plan.
func (v *Survey) newFilter() (*filter.Filter, error) {
	options, err := v.options()
	if err != nil {
		return nil, err
	}
	f, err := filter.New(options, message.Log(v.host.Log).Of(v.folder))
	if err == nil {
		_, err = f.Describe(append([]string{"X", "Y", "Z"}, v.plan.Reads...))
	}
	return f, err
}

func (v *Survey) progress(step string, fraction float64) { v.host.Progress(v.prefix+step, fraction) }

// in returns the survey for a task that makes its files in a work folder.
func (v *Survey) in(work string) *Survey {
	w := *v
	w.work = work
	return &w
}

// withPrefix returns the survey with a text before the progress of its steps.
func (v *Survey) withPrefix(prefix string) *Survey {
	w := *v
	w.prefix = prefix
	return &w
}

func unitName(step string, n int) string { return step + " " + strconv.Itoa(n) }

var errChanged = errors.New("changed since the survey was planned; put it back, or plan in another folder")

// mergedHead is the part of the merged partition that every tile reads.
type mergedHead struct {
	Initial int                `json:"initial_components"`
	Head    local.MergedHeader `json:"head"`
}

// markSet has all marks of a step.
type markSet struct {
	marks []*Mark
	sum   string
}

// markCache has the marks of steps that are finished for all sources or tiles.
type markCache struct {
	lock sync.Mutex // results are written at once
	sets map[string]markSet
}

func newMarkCache() *markCache { return &markCache{sets: map[string]markSet{}} }

func (c *markCache) get(step string) (s markSet, ok bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	s, ok = c.sets[step]
	return s, ok
}

func (c *markCache) put(step string, s markSet) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.sets[step] = s
}
