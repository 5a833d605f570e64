// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"superpoint/filter/option"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/land"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/partition/local"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/job"
)

const planFile = "plan.json"

// Survey is the folder of a survey: plan.json, a folder for each step (Steps), and out/ with
// the results. The files of a task appear together, see files.go.
type Survey struct {
	Overrides map[string]string // options of the stage in this process that replace those of the plan

	host    host.Host
	folder  string
	plan    *plan
	reading map[string]string // options of the plan, with copies of the files that they name
	unpin   func()            // removes the copies
	sum     string            // of plan.json
	prefix  string            // of the progress of a tile
	found   *markCache
	work    string // folder in which a task makes its files
}

// Open reads the plan of a folder.
func Open(h host.Host, folder string) (*Survey, error) {
	path := filepath.Join(folder, planFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing; plan first: pdal superpoint survey plan --output %s FILE…",
			path, folder)
	}
	if err != nil {
		return nil, err
	}
	plan, err := parsePlan(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	if err := plan.checkVersion(); err != nil {
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	options, unpin, err := job.PinOptions(folder, plan.Options, nil)
	if err == nil {
		err = plan.checkContent(options.Content)
	}
	if err != nil {
		unpin()
		return nil, fmt.Errorf("%s: %w; remove the folder and plan again", path, err)
	}
	return &Survey{
		Overrides: map[string]string{},
		host:      h,
		folder:    folder,
		plan:      plan,
		reading:   options.Reading,
		unpin:     unpin,
		sum:       job.Checksum(text),
		found:     newMarkCache(),
	}, nil
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
	for _, s := range Steps() {
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

// Over is the set over which a step is parallel.
type Over string

// The sets over which a step may be parallel.
const (
	Sources Over = "sources"
	Tiles   Over = "tiles"
	Once    Over = "once" // one process
)

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

// Steps lists the steps behind the plan, in order.
func Steps() []Step {
	return []Step{
		{"cut", Sources, "source K", []string{"N/K.las"},
			"the points of a source by tile",
			(*Survey).inputsOfCut, nil, cut(allTiles)},
		{"embed", Tiles, "cut of the tiles around", []string{"N.outputs", "N.points", "N.long"},
			"neighbors, embedding, edges and outputs of the points of a tile",
			(*Survey).inputsOfEmbed, (*Survey).embed, nil},
		{"coarsen", Tiles, "embed of the tiles around, long edges of all", []string{"N.atoms", "N.state"},
			"initial components of the points of a tile, of at most 16 points",
			dependsOn("embed"), (*Survey).coarsen, nil},
		{"merge", Once, "coarsen of all tiles", []string{"atoms", "components"},
			"the partition of the reduced graph of all initial components",
			dependsOn("coarsen"), (*Survey).merge, nil},
		{"refine", Tiles, "coarsen of the tile, merge", []string{"N.pieces"},
			"boundary refinement in a tile, and the connected parts of components there",
			dependsOn("merge"), (*Survey).refine, nil},
		{"number", Once, "refine of all tiles", []string{"N.ids"},
			"adjacent parts of all tiles merged to superpoints, and their ids",
			dependsOn("refine"), (*Survey).number, nil},
		{classifyStep, Once, "cut, embed and refine of all tiles, number", []string{"N.classes"},
			"the classes of all points, with the option classes",
			dependsOn("number"), (*Survey).classify, nil},
		{"label", Tiles, "embed and refine of the tile, number, classify", []string{"N.las"},
			"the outputs of a tile with their ids",
			(*Survey).inputsOfLabel, (*Survey).label, nil},
		{"write", Sources, "label of its tiles, cut", []string{"out/….laz"},
			"the points of a source, in their order, with the outputs",
			(*Survey).inputsOfWrite, nil, (*Survey).write},
	}
}

// step returns a step by name.
func step(name string) (*Step, error) {
	var names []string
	for _, s := range Steps() {
		if s.Name == name {
			return &s, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("%q is not a step; the steps are %s", name, strings.Join(names, ", "))
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
	Places int         `json:"places,omitempty"`
	Merged *mergedHead `json:"merged,omitempty"` // merge
	Pieces int         `json:"pieces,omitempty"` // refine, number
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
		return v.plan.Tiles[n].String()
	}
	return "the survey"
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
	s, err := step(name)
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
	s, err := step(name)
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

// dependsOn returns the inputs function of steps that depend on all results of another step.
func dependsOn(name string) func(v *Survey, n int) (string, error) {
	return func(v *Survey, _ int) (string, error) { _, sum, err := v.marks(name); return sum, err }
}

// untilExact computes something of a tile with a halo that grows until it is exact. again is false at first.
func (v *Survey) untilExact(t *plannedTile, halo *float64, compute func(again bool) error) error {
	for again := false; ; again = true {
		err := compute(again)
		var narrow *local.HaloError
		if !errors.As(err, &narrow) {
			return err
		}
		*halo *= haloGrowth
		v.host.Log(message.Debug, fmt.Sprintf("tile %d: %s not yet exact; again with a halo of %.3g m",
			t.Index, message.Count(narrow.Points, "point"), *halo*v.plan.Unit))
	}
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

// checksumOf returns a checksum of checksums.
func checksumOf(sums ...uint32) uint32 {
	var body []byte
	for _, s := range sums {
		body = binary.LittleEndian.AppendUint32(body, s)
	}
	return crc32.ChecksumIEEE(body)
}

// newFilter returns the filter of the plan.
func (v *Survey) newFilter() (*filter.Filter, error) {
	options, err := v.options()
	if err != nil {
		return nil, err
	}
	f, err := filter.New(options, v.host.Log)
	if err == nil {
		_, err = f.Describe(append([]string{"X", "Y", "Z"}, v.plan.Reads...))
	}
	return f, err
}
