package survey

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"superpoint/filter"
	"superpoint/filter/memory"
)

// Over says what the processes of a step share between them.
type Over string

// What a step may be parallel over.
const (
	Sources Over = "sources"
	Tiles   Over = "tiles"
	Results Over = "results" // of sources or tiles, as the plan has it
	Once    Over = "once"    // one process
)

// Step is a step of a survey. Each has a folder of its name, in which N.json is the mark
// that says that it is done for source, tile or result N (0 for a step that is done once), beside
// what it makes. A mark is written last. A step is done again where its mark, or a file
// that the mark lists, is missing or of another size, or was made by another plan or from
// other inputs.
type Step struct {
	Name  string
	Over  Over
	Reads string   // what it takes from the steps before
	Makes []string // files in its folder; N, K and R stand for the number of a tile, a source and a result
	Help  string

	inputs func(v *Survey, n int) (string, error)
	do     func(v *Survey, n int, m *Mark) error
}

// Steps lists the steps behind the plan, in order.
func Steps() []Step {
	return []Step{
		{"cut", Sources, "source K", []string{"N/K.las", "N/K.cells", "K.order"},
			"what each tile sees of a source, the lowest points of cells of the ground around, and the tile of each point",
			(*Survey).inputsOfCut, (*Survey).cutAll},
		{"embed", Tiles, "cut", []string{"N.las", "N.points", "N.long"},
			"neighbors, embedding and edges of the points of a tile, and their records",
			(*Survey).inputsOfEmbed, (*Survey).embed},
		{"coarsen", Tiles, "embed of the tiles around, long edges of all", []string{"N.atoms", "N.state"},
			"initial components of the points of a tile, of at most 16 points",
			after("embed"), (*Survey).coarsen},
		{"merge", Once, "coarsen of all tiles", []string{"atoms", "components"},
			"the partition of the graph of all initial components",
			after("coarsen"), (*Survey).merge},
		{"refine", Tiles, "coarsen of the tile, merge", []string{"N.pieces"},
			"label moves of the points of a tile, and the connected pieces of components there",
			after("merge"), (*Survey).refine},
		{"number", Once, "refine of all tiles", []string{"N.ids"},
			"pieces of all tiles that touch are joined, and superpoints get their ids",
			after("refine"), (*Survey).number},
		{"label", Tiles, "embed and refine of the tile, number", []string{"N.las"},
			"the records of a tile with their ids",
			after("number"), (*Survey).label},
		{"write", Results, "label of all tiles, cut", []string{"out/….laz"},
			"the points of a source, in their order, or those of a tile",
			after("label"), (*Survey).write},
		{"index", Once, "write of all results", []string{"out/survey.vpc"},
			"a virtual point cloud of the results, for QGIS and PDAL",
			after("write"), (*Survey).index},
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
	return nil, fmt.Errorf("%q is no step; steps are %s", name, strings.Join(names, ", "))
}

// Mark says that a step is done.
type Mark struct {
	Step   string           `json:"step"`
	Number int              `json:"number"` // of the source or tile
	Plan   string           `json:"plan"`   // checksum of plan.json
	Inputs string           `json:"inputs"` // checksum of what the step took
	Files  map[string]int64 `json:"files"`  // bytes of what it made, by the path in the survey's folder
	Sum    uint32           `json:"sum"`    // checksum of what it made

	Seconds float64 `json:"seconds"`
	Memory  int64   `json:"memory"` // most bytes that the process had; 0 = not known
	Points  int64   `json:"points"` // of the source, of the core of the tile, of the survey

	Slices     map[string]int `json:"slices,omitempty"`      // cut: points by tile
	Cells      map[string]int `json:"cells,omitempty"`       // cut: cells of the ground by tile
	Cores      map[string]int `json:"cores,omitempty"`       // cut: points by tile, without halos
	Records    uint32         `json:"records,omitempty"`     // embed: checksum of the core's records
	Dim        int            `json:"dim,omitempty"`         // embed: columns of the embedding
	Long       int            `json:"long_edges,omitempty"`  // embed: edges that are longer than the reach
	HaloPoints int64          `json:"halo_points,omitempty"` // embed, coarsen: points around the core
	Halo       float64        `json:"halo,omitempty"`        // embed, coarsen: its width, in units of the coordinates
	Places     int            `json:"places,omitempty"`      // embed: beyond the halo, around which it took more
	Merged     *mergedHead    `json:"merged,omitempty"`      // merge
	Pieces     int            `json:"pieces,omitempty"`      // refine, number
	*Superpoints
	File string `json:"file,omitempty"` // write: the name in out; none if the tile has no points
}

// Superpoints counts those of a survey.
type Superpoints struct {
	Tiles       int   `json:"tiles"`
	Superpoints int64 `json:"superpoints"`
	Crossing    int64 `json:"crossing"` // pieces of those that lie in several tiles
}

func (v *Survey) markPath(s *Step, n int) string { return v.Path(s.Name, strconv.Itoa(n)+".json") }

// count returns how often a step is done.
func (v *Survey) count(s *Step) int {
	switch s.Over {
	case Sources:
		return len(v.plan.Sources)
	case Tiles:
		return len(v.plan.Tiles)
	case Results:
		return len(v.plan.Results)
	}
	return 1
}

// what says in words what a step is done for.
func (v *Survey) what(s *Step, n int) string {
	switch s.Over {
	case Sources:
		return fmt.Sprintf("source %d, %s", n, v.plan.Sources[n].Path)
	case Tiles:
		return v.plan.Tiles[n].String()
	case Results:
		return "result " + v.plan.Results[n]
	}
	return "the survey"
}

// done returns the mark of a step, or nil where it has to be done.
func (v *Survey) done(s *Step, n int, inputs string) *Mark {
	m := new(Mark)
	text, err := os.ReadFile(v.markPath(s, n))
	if err != nil || json.Unmarshal(text, m) != nil || m.Plan != v.sum || m.Inputs != inputs {
		return nil
	}
	for name, size := range m.Files {
		if info, err := os.Stat(v.Path(name)); err != nil || info.Size() != size {
			return nil
		}
	}
	return m
}

// mark returns the mark of a step that others need, or says what to do first.
func (v *Survey) mark(name string, n int) (*Mark, error) {
	s, err := step(name)
	if err != nil {
		return nil, err
	}
	inputs, err := s.inputs(v, n)
	if err != nil {
		return nil, err
	}
	if m := v.done(s, n, inputs); m != nil {
		return m, nil
	}
	number := ""
	if s.Over != Once {
		number = fmt.Sprint(" ", n)
	}
	return nil, fmt.Errorf("%s: step %s is not done; run: pdal superpoint survey run %s %s%s", v.what(s, n), name,
		v.folder, name, number)
}

// marks returns all marks of a step, and a checksum of what it made.
func (v *Survey) marks(name string) (all []*Mark, sum string, err error) {
	if got, ok := v.found[name]; ok {
		return got.marks, got.sum, nil
	}
	s, err := step(name)
	if err != nil {
		return nil, "", err
	}
	body, points := []byte(v.sum), int64(0)
	for n := range v.count(s) {
		m, err := v.mark(name, n)
		if err != nil {
			return nil, "", err
		}
		body, points = binary.LittleEndian.AppendUint32(body, m.Sum), points+m.Points
		all = append(all, m)
	}
	if s.Over == Tiles {
		if err := v.complete(points); err != nil {
			return nil, "", err
		}
	}
	sum = fmt.Sprintf("%08x", crc32.Checksum(body, castagnoli))
	v.found[name] = found{all, sum}
	return all, sum, nil
}

// found are the marks of a step, once all are there.
type found struct {
	marks []*Mark
	sum   string
}

// after are the inputs of steps that depend on all that another one made.
func after(name string) func(v *Survey, n int) (string, error) {
	return func(v *Survey, _ int) (string, error) { _, sum, err := v.marks(name); return sum, err }
}

// Do does a step for source or tile n, unless that is done.
func (v *Survey) Do(name string, n int) (*Mark, error) {
	s, err := step(name)
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= v.count(s) {
		return nil, fmt.Errorf("step %s is done for %s, 0 to %d, and not for %d", name, s.Over, v.count(s)-1, n)
	}
	inputs, err := s.inputs(v, n)
	if err != nil {
		return nil, err
	}
	if m := v.done(s, n, inputs); m != nil {
		return m, nil
	}
	start := time.Now()
	m := &Mark{Step: name, Number: n, Plan: v.sum, Inputs: inputs, Files: map[string]int64{}}
	if err := os.MkdirAll(v.Path(name), 0o755); err != nil {
		return nil, err
	}
	if err := s.do(v, n, m); err != nil {
		return nil, fmt.Errorf("%s: %w", v.what(s, n), err)
	}
	all := Steps()
	m.Seconds, m.Memory = math.Round(1000*time.Since(start).Seconds())/1000, memory.Peak()
	for later := slices.IndexFunc(all, func(o Step) bool { return o.Name == name }); later < len(all); later++ {
		delete(v.found, all[later].Name)
	}
	return m, writeJSON(v.markPath(s, n), m)
}

// made notes a file that a step made.
func (v *Survey) made(m *Mark, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	name, err := filepath.Rel(v.folder, path)
	m.Files[filepath.ToSlash(name)] = info.Size()
	return err
}

// Each does a step for all sources or tiles. One that fails does not keep the others from
// being done.
func (v *Survey) Each(name string) (all []*Mark, err error) {
	s, err := step(name)
	if err != nil {
		return nil, err
	}
	var failed []error
	count := v.count(s)
	for n := range count {
		m, err := v.Do(name, n)
		if stopped := v.host.Context().Err(); stopped != nil {
			return nil, stopped
		}
		if err != nil {
			failed = append(failed, err)
			v.host.Log(filter.LogError, err.Error())
		}
		all = append(all, m)
		v.host.Progress(name, float64(n+1)/float64(count))
	}
	if len(failed) > 1 || len(failed) == 1 && count > 1 {
		return nil, fmt.Errorf("step %s: %d of %d %s failed, the first: %w; fix the cause and rerun; what is done is kept",
			name, len(failed), count, s.Over, failed[0])
	}
	if len(failed) == 1 {
		return nil, failed[0]
	}
	return all, nil
}

// All does all steps in this process, and returns the mark of the one that counts the
// superpoints. Sources are cut when the first tile needs them.
func (v *Survey) All() (counted *Mark, err error) {
	if err := v.foreign(v.plan.Results); err != nil {
		return nil, err
	}
	for _, s := range Steps() {
		if s.Over == Sources {
			continue
		}
		all, err := v.Each(s.Name)
		if err != nil {
			return nil, err
		}
		if all[0].Superpoints != nil {
			counted = all[0]
		}
	}
	return counted, nil
}

// complete checks that the tiles have every point of the sources.
func (v *Survey) complete(points int64) error {
	for _, s := range v.plan.Sources {
		if s.Direct {
			return nil // an octree's header may round
		}
	}
	if points != v.plan.Points {
		return fmt.Errorf("the tiles have %d points, the sources %d: files changed after they were planned; plan again",
			points, v.plan.Points)
	}
	return nil
}
