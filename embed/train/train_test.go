// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// memory is a host with simulated files: a floor (class 2), a box on it (class 6) and vegetation (classes 3
// and 5).
type memory struct {
	log    bytes.Buffer
	stop   func() bool
	cancel context.CancelFunc
	ctx    context.Context
}

func newMemory() *memory {
	m := &memory{}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	return m
}

func (m *memory) Read(path string, dimensions []string) (*Columns, error) {
	if strings.Contains(path, "broken") {
		return nil, errors.New("not a point cloud")
	}
	name := filepath.Base(path) // the folder of a test has another name each time
	seed := uint64(len(name)) + uint64(name[len(name)-5])
	rng := rand.New(rand.NewPCG(seed, 1))
	c := &Columns{Dimensions: map[string][]float64{}, Available: []string{"Classification"}}
	var class []float64
	for range 3000 {
		x, y, z, l := 20*rng.Float64(), 20*rng.Float64(), 0.02*rng.NormFloat64(), 2.0
		switch {
		case x > 5 && x < 12 && y > 5 && y < 12:
			z, l = z+4, 6
		case x > 14 && y > 14:
			z, l = 3*rng.Float64(), float64(3+2*rng.IntN(2))
		}
		c.X, c.Y, c.Z, class = append(c.X, x), append(c.Y, y), append(c.Z, z), append(class, l)
	}
	if slices.Contains(dimensions, "Classification") {
		c.Dimensions["Classification"] = class
	}
	return c, nil
}

func (m *memory) Log(text string) { fmt.Fprintln(&m.log, text) }

func (m *memory) Progress(string, float64) {
	if m.stop != nil && m.stop() {
		m.cancel()
	}
}

func (m *memory) Context() context.Context { return m.ctx }

const smallRecipe = `
name: small
description: for tests
inputs:
  neighbors: 8
  neighbor_channels: [x, y, z]
  point_channels: [radius, planarity, omega_xx, omega_xy, omega_yx, omega_yy]
network:
  st: {conv: [8, 16], fc: [16, 4]}
  lpe: {conv: [8, 16], fc: [16, 4]}
truth:
  merge: {vegetation: [3, 4, 5]}
batch: {clouds: 2, points: 800}
optimise: {epochs: 4, steps: 6, decay_at: [3]}
validation: {every: 1, target: 60}
`

// outputs has the outputs of a run.
type outputs struct{ model, checkpoint, table bytes.Buffer }

// fill is an Output that replaces the content of a buffer.
func fill(b *bytes.Buffer) Output {
	return func(body func(io.Writer) error) error { b.Reset(); return body(b) }
}

// options returns the options of a run of a recipe, and its outputs.
func options(t *testing.T, recipe string, threads int, inputs ...string) (Options, *outputs) {
	out := new(outputs)
	return Options{Inputs: inputs, Truth: "Classification", Recipe: mustParse(t, recipe), Seed: 7,
		Threads: threads,
		Model:   fill(&out.model), Checkpoint: fill(&out.checkpoint), Table: fill(&out.table)}, out
}

// TestTrainResumeThreads trains a model with one thread, and with three and an interruption:
// the weights must be equal bit by bit.
func TestTrainResumeThreads(t *testing.T) {
	o, _ := options(t, smallRecipe, 1, "t1.las", "t2.las")
	o.Validation = []string{"v1.las"}
	whole := must.Get(Train(newMemory(), o))(t)
	o, out := options(t, smallRecipe, 3, "t1.las", "t2.las")
	o.Validation = []string{"v1.las"}
	host, calls := newMemory(), 0
	host.stop = func() bool { calls++; return calls == 18 } // 3 files, then in the third epoch
	_, err := Train(host, o)
	must.Need(t, errors.Is(err, context.Canceled), "interrupted training returned %v", err)
	state := bytes.Clone(out.checkpoint.Bytes())
	o.Resume = bytes.NewReader(state)
	cut := must.Get(Train(newMemory(), o))(t)
	must.Hold(t, whole.Card.Weights == cut.Card.Weights,
		"an interrupted run ended with other weights than an uninterrupted one")
	must.Hold(t, must.Get(embed.Load(out.model.Bytes()))(t).Card.Weights == cut.Card.Weights,
		"the model that was written is another one")
	must.Hold(t, strings.Count(out.table.String(), "\n") == 5, "the table is %s", out.table.String())
	o.Seed++
	for _, text := range [][]byte{state, state[:len(state)/2], nil} {
		o.Resume = bytes.NewReader(text)
		_, err := Train(newMemory(), o)
		must.Hold(t, errors.Is(err, ErrCheckpoint), "%d bytes of a checkpoint of another seed: %v",
			len(text), err)
	}
}

// TestMoreEpochs continues a finished training of two epochs to four: the weights must equal those after
// four epochs at once.
func TestMoreEpochs(t *testing.T) {
	o, _ := options(t, smallRecipe, 0, "t1.las")
	once := must.Get(Train(newMemory(), o))(t)
	o, out := options(t, strings.Replace(smallRecipe, "epochs: 4", "epochs: 2", 1), 0, "t1.las")
	short := must.Get(Train(newMemory(), o))(t)
	o.Recipe, o.Resume = mustParse(t, smallRecipe), bytes.NewReader(bytes.Clone(out.checkpoint.Bytes()))
	more := must.Get(Train(newMemory(), o))(t)
	must.Equal(t, once.Card.Weights, more.Card.Weights, "once.Card.Weights")
	must.Hold(t, short.Card.Weights != more.Card.Weights,
		"short.Card.Weights equals more.Card.Weights: %q", short.Card.Weights)
	must.Equal(t, more.Card.Training.Steps, 24, "steps")
}

// TestTrainInFloats trains with group normalisation and off the sphere: the models have no integer network.
func TestTrainInFloats(t *testing.T) {
	for _, network := range []string{"norm: group, norm_groups: 4", "sphere: false"} {
		o, _ := options(t, strings.NewReplacer("network:\n  st: {conv: [8, 16], fc: [16, 4]}\n  lpe:",
			"network: {"+network+",\n  lpe:", "fc: [16, 4]}\ntruth", "fc: [16, 4]}}\ntruth",
			"epochs: 4", "epochs: 1",
			", omega_xx, omega_xy, omega_yx, omega_yy", "").Replace(smallRecipe), 0, "t1.las")
		o.Validation = []string{"v1.las"}
		m := must.Get(Train(newMemory(), o))(t)
		must.Need(t, m.Card.Network.InFloats(), "%s: m.Card.Network.InFloats() is false", network)
		must.Need(t, m.Card.Integer == nil, "%s: m.Card.Integer is %v, want nil", network, m.Card.Integer)
		must.Hold(t, len(m.Card.Training.Figures) != 0, "%s: len(m.Card.Training.Figures) is 0", network)
	}
}

const clusterRecipe = smallRecipe +
	"loss: {kind: clusters, clusters: {size: 60, embedding: 4, compactness: 0.01}}\n"

// TestClusterTraining: the card has γ and κ, and validation measures the superpoints of SSP-cluster.
func TestClusterTraining(t *testing.T) {
	o, _ := options(t, clusterRecipe, 0, "t1.las", "t2.las")
	o.Validation = []string{"v1.las"}
	m := must.Get(Train(newMemory(), o))(t)
	c := m.Card.Partition.Clusters
	must.Need(t, c != nil, "c is nil")
	must.Equal(t, c.Embedding, 4, "c.Embedding")
	must.Equal(t, c.Spatial, 1, "c.Spatial")
	must.Hold(t, len(m.Card.Training.Figures) == 3, "figures %v", m.Card.Training.Figures)
}

// TestCardNamesItsTraining: the card has the data and limits of the recipe, the command and the seed.
func TestCardNamesItsTraining(t *testing.T) {
	recipe := strings.Replace(smallRecipe, "epochs: 4", "epochs: 1", 1) +
		"data: [{name: first, licence: CC0}, {name: second, licence: MIT}]\n" +
		"limits: [no rooms, few trees]\n"
	o, out := options(t, recipe, 0, "t1.las")
	o.Command = "train --recipe small.yaml"
	must.Get(Train(newMemory(), o))(t)
	about := must.Get(embed.Load(out.model.Bytes()))(t).Card.Training
	data := []embed.Source{{Name: "first", Licence: "CC0"}, {Name: "second", Licence: "MIT"}}
	must.Equal(t, about.Data, data, "data")
	must.Equal(t, about.Limits, []string{"no rooms", "few trees"}, "limits")
	must.Equal(t, about.Command, o.Command, "command")
	must.Equal(t, about.Seed, o.Seed, "seed")
	must.Equal(t, about.Steps, 6, "steps")
}

func TestBadFileIsNamedOrSkipped(t *testing.T) {
	o, _ := options(t, smallRecipe, 0, "t1.las", "t_broken.las")
	must.Fail(Train(newMemory(), o))(t, "t_broken.las: not a point cloud")
	o.SkipBad = true
	host := newMemory()
	must.Get(Train(host, o))(t)
	must.Hold(t, strings.Contains(host.log.String(), "left out:"),
		"the log does not name the file that was left out: got %q, want %q in it",
		host.log.String(), "left out:")
	must.Hold(t, strings.Contains(host.log.String(), "t_broken.las"),
		"the log does not name the file that was left out: got %q, want %q in it",
		host.log.String(), "t_broken.las")
}

// TestCancelledGraph: a graph that is cancelled is an error, and no cloud without a graph.
func TestCancelledGraph(t *testing.T) {
	r := mustParse(t, smallRecipe)
	one := must.Get((&source{host: newMemory(), truth: "Classification"}).read("cloud_1.las", r, 0))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := one.join(r.lossJoins(one), parallel.Run{Context: ctx})
	must.Hold(t, errors.Is(err, context.Canceled), "error %v, want %v", err, context.Canceled)
}

func TestBatchIsASubgraph(t *testing.T) {
	r := mustParse(t, smallRecipe)
	r.Augment = AugmentOptions{}
	// more than one file has: every slot adds a second subgraph
	r.Batch = BatchOptions{Clouds: 2, Points: 4000}
	s := &source{host: newMemory(), truth: "Classification"}
	one := must.Get(s.read("cloud_1.las", r, 0))(t)
	batcher := newBatcher(r, newLoader(r, []*labelled{one}), 1)
	b := must.Get(batcher.make(parallel.Run{}, 5))(t)
	must.Need(t, b.graph.Vertices() == 8000, "vertices: got %v, want 8000", b.graph.Vertices())
	must.Need(t, len(b.object) == 8000, "objects: got %v, want 8000", len(b.object))
	for u := range 3000 { // the first subgraph is the complete file
		got, want := b.graph.Of(u), one.graph.Of(u)
		must.Need(t, slices.Equal(got, want), "vertex %d has heads %v, the file's graph %v", u, got, want)
	}
	for u := 3000; u < 8000; u++ {
		last := uint32(u)
		for _, v := range b.graph.Of(u) {
			must.Need(t, v > last,
				"edge %d–%d leaves its subgraph or is out of order: want v more than last", u, v)
			must.Need(t, (u < 4000) == (v < 4000),
				"edge %d–%d leaves its subgraph or is out of order: u < 4000 is not v < 4000", u, v)
			last = v
		}
	}
	for i := range 4000 {
		must.Need(t, b.object[i] != b.object[i+4000], "two subgraphs share an object")
	}
	// each vertex has the channels and the position of its point, also a vertex of the second file of a
	// slot
	for i := range 3000 {
		q := one.cloud.Position(uint32(i)).Sub(one.cloud.Position(0))
		got := b.at(uint32(i)).Sub(b.at(0))
		must.Need(t, got.Sub(q).Norm() <= 1e-3, "vertex %d is at %v from the first, want %v", i, got, q)
	}
	for v := range 8000 {
		must.Need(t, b.at(uint32(v)).Norm() > 0, "vertex %d has no position", v)
	}
}

// TestShares draws files in proportion to their groups' shares.
func TestShares(t *testing.T) {
	r := must.Get(
		ParseRecipe([]byte(smallRecipe + "groups: [{match: 'a*', share: 3}, {match: 'b*', share: 0}]\n")))(t)
	s := &source{host: newMemory(), truth: "Classification"}
	var clouds []*labelled
	for _, name := range []string{"a_1.las", "a_2.las", "b_1.las", "c_1.las"} {
		one := must.Get(s.read(name, r, 0))(t)
		clouds = append(clouds, one)
	}
	l, count := newLoader(r, clouds), map[string]int{}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 4000 {
		count[l.draw(rng).name]++
	}
	must.Equal(t, count["b_1.las"], 0, `count["b_1.las"]`)
	must.Hold(t, math.Abs(float64(count["c_1.las"])-1000) <= 150,
		`count["c_1.las"] is %v, want 1000 within 150`, float64(count["c_1.las"]))
	must.Hold(t, math.Abs(float64(count["a_1.las"])-1500) <= 150,
		`count["a_1.las"] is %v, want 1500 within 150`, float64(count["a_1.las"]))
}

// FuzzParseRecipe reads recipes: a usable one, or an error.
func FuzzParseRecipe(f *testing.F) {
	f.Add([]byte("name: a\nbatch: {clouds: 2, points: 100}\n"))
	f.Add([]byte("inputs: {neighbors: 20, neighbor_channels: [x, y, z], point_channels: [radius]}"))
	f.Add([]byte("groups:\n- {match: 'a*', share: 1, instances: treeID}\n"))
	f.Add([]byte("network: &a [*a]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ParseRecipe(text)
		if err != nil {
			return
		}
		must.Need(t, r != nil, "r is nil")
		must.Need(t, r.Batch.Points >= 1, "r.Batch.Points is %v, want at least 1", r.Batch.Points)
		must.Need(t, r.Batch.Clouds >= 1, "r.Batch.Clouds is %v, want at least 1", r.Batch.Clouds)
	})
}
