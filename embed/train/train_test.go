package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// memory is a host with simulated files: a floor (class 2), a box on it (class 6) and
// vegetation (classes 3 and 5).
type memory struct {
	out, log bytes.Buffer
	stop     func() bool
	cancel   context.CancelFunc
	ctx      context.Context
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

func (m *memory) Stdout() io.Writer        { return &m.out }
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

// folder makes empty files, which memory reads as clouds.
func folder(t *testing.T, names ...string) string {
	dir := t.TempDir()
	for _, n := range names {
		must.OK(t, os.WriteFile(filepath.Join(dir, n), nil, 0o644))
	}
	must.OK(t, os.WriteFile(filepath.Join(dir, "recipe.yaml"), []byte(smallRecipe), 0o644))
	return dir
}

func arguments(dir, output string, more ...string) []string {
	return append([]string{"--input", filepath.Join(dir, "t*.las"), "--val", filepath.Join(dir, "v*.las"),
		"--recipe", filepath.Join(dir, "recipe.yaml"), "--output", filepath.Join(dir, output), "--seed", "7"}, more...)
}

// TestTrainResumeThreads trains a model with one thread, and with three and an interruption:
// the weights must be equal bit by bit.
func TestTrainResumeThreads(t *testing.T) {
	dir := folder(t, "t1.las", "t2.las", "v1.las")
	host := newMemory()
	must.OK(t, Command(host, arguments(dir, "whole.model", "--threads", "1")))
	if !strings.Contains(host.out.String(), "final_loss") {
		t.Errorf("the command printed %q", host.out.String())
	}
	cut := newMemory()
	calls := 0
	cut.stop = func() bool { calls++; return calls == 18 } // 3 files, then in the third epoch
	err := Command(cut, arguments(dir, "cut.model", "--threads", "3"))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted training returned %v", err)
	}
	must.OK(t, Command(newMemory(), arguments(dir, "cut.model", "--threads", "3", "--resume")))
	a, b := mustLoad(t, filepath.Join(dir, "whole.model")), mustLoad(t, filepath.Join(dir, "cut.model"))
	if a.Card.Weights != b.Card.Weights {
		t.Error("an interrupted run ended with other weights than an uninterrupted one")
	}
	for _, suffix := range []string{curveSuffix, tableSuffix, checkpointSuffix} {
		if info, err := os.Stat(filepath.Join(dir, "cut.model"+suffix)); err != nil || info.Size() == 0 {
			t.Errorf("no %s beside the model: %v", suffix, err)
		}
	}
	err = Command(newMemory(), arguments(dir, "cut.model", "--resume", "--seed", "8"))
	must.Fail(err)(t, "another recipe, seed")
}

// TestMoreEpochs continues a finished training of two epochs to four: the weights must be those of four at once.
func TestMoreEpochs(t *testing.T) {
	dir := folder(t, "t1.las")
	train := func(output, epochs string, more ...string) {
		text := strings.Replace(smallRecipe, "epochs: 4", "epochs: "+epochs, 1)
		must.OK(t, os.WriteFile(filepath.Join(dir, "recipe.yaml"), []byte(text), 0o644))
		args := append([]string{"--input", filepath.Join(dir, "t1.las"), "--recipe", filepath.Join(dir, "recipe.yaml"),
			"--output", filepath.Join(dir, output)}, more...)
		must.OK(t, Command(newMemory(), args))
	}
	train("once.model", "4")
	train("more.model", "2")
	short := mustLoad(t, filepath.Join(dir, "more.model"))
	train("more.model", "4", "--resume")
	a, b := mustLoad(t, filepath.Join(dir, "once.model")), mustLoad(t, filepath.Join(dir, "more.model"))
	if a.Card.Weights != b.Card.Weights || short.Card.Weights == b.Card.Weights || b.Card.Training.Steps != 24 {
		t.Errorf("%d steps: weights %s after two epochs and two more, %s after four at once", b.Card.Training.Steps,
			b.Card.Weights, a.Card.Weights)
	}
}

// TestTrainInFloats trains with group normalisation and off the sphere: the models have no integer network.
func TestTrainInFloats(t *testing.T) {
	dir := folder(t, "t1.las", "v1.las")
	for _, network := range []string{"norm: group, norm_groups: 4", "sphere: false"} {
		text := strings.NewReplacer("network:\n  st: {conv: [8, 16], fc: [16, 4]}\n  lpe:", "network: {"+network+",\n  lpe:",
			"fc: [16, 4]}\ntruth", "fc: [16, 4]}}\ntruth", "epochs: 4", "epochs: 1",
			", omega_xx, omega_xy, omega_yx, omega_yy", "").Replace(smallRecipe)
		must.OK(t, os.WriteFile(filepath.Join(dir, "recipe.yaml"), []byte(text), 0o644))
		must.OK(t, Command(newMemory(), arguments(dir, "floats.model")))
		m := mustLoad(t, filepath.Join(dir, "floats.model"))
		if !m.Card.Network.InFloats() || m.Card.Integer != nil || len(m.Card.Training.Figures) == 0 {
			t.Errorf("%s: %+v", network, m.Card.Network)
		}
	}
}

func mustLoad(t *testing.T, file string) *embed.Model {
	t.Helper()
	return must.Get(readModel(file))(t)
}

func TestBadFileIsNamedOrSkipped(t *testing.T) {
	dir := folder(t, "t1.las", "t_broken.las", "v1.las")
	must.Fail(Command(newMemory(), arguments(dir, "m.model")))(t, "t_broken.las: not a point cloud")
	host := newMemory()
	must.OK(t, Command(host, arguments(dir, "m.model", "--on-error", "skip")))
	if !strings.Contains(host.log.String(), "left out:") || !strings.Contains(host.log.String(), "t_broken.las") {
		t.Errorf("the log does not name the file that was left out: %s", host.log.String())
	}
}

func TestBatchIsASubgraph(t *testing.T) {
	r := mustParse(t, smallRecipe)
	r.Augment = AugmentOptions{}
	r.Batch = BatchOptions{Clouds: 2, Points: 4000} // more than one file has: every slot adds a second subgraph
	s := &source{host: newMemory(), truth: "Classification"}
	one := must.Get(s.read("cloud_1.las", r, nil))(t)
	batcher := newBatcher(r, newLoader(r, []*labelled{one}), 1)
	b := must.Get(batcher.make(parallel.Run{}, 5))(t)
	if b.graph.Vertices() != 8000 || len(b.object) != 8000 {
		t.Fatalf("%d vertices, %d objects", b.graph.Vertices(), len(b.object))
	}
	for u := range 3000 { // the first subgraph is the complete file
		if got, want := b.graph.Of(u), one.graph.Of(u); !slices.Equal(got, want) {
			t.Fatalf("vertex %d has heads %v, the file's graph %v", u, got, want)
		}
	}
	for u := 3000; u < 8000; u++ {
		last := uint32(u)
		for _, v := range b.graph.Of(u) {
			if v <= last || (u < 4000) != (v < 4000) {
				t.Fatalf("edge %d–%d leaves its subgraph or is out of order", u, v)
			}
			last = v
		}
	}
	for i := range 4000 {
		if b.object[i] == b.object[i+4000] {
			t.Fatal("two subgraphs share an object")
		}
	}
}

// TestShares draws files in proportion to their groups' shares.
func TestShares(t *testing.T) {
	r := must.Get(parseRecipe([]byte(smallRecipe + "groups: [{match: 'a*', share: 3}, {match: 'b*', share: 0}]\n")))(t)
	s := &source{host: newMemory(), truth: "Classification"}
	var clouds []*labelled
	for _, name := range []string{"a_1.las", "a_2.las", "b_1.las", "c_1.las"} {
		one := must.Get(s.read(name, r, nil))(t)
		clouds = append(clouds, one)
	}
	l, count := newLoader(r, clouds), map[string]int{}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 4000 {
		count[l.draw(rng).name]++
	}
	if count["b_1.las"] != 0 || math.Abs(float64(count["c_1.las"])-1000) > 150 ||
		math.Abs(float64(count["a_1.las"])-1500) > 150 {
		t.Errorf("drawn %v, want 1500 of each a, 1000 of c and no b", count)
	}
}

func TestHelp(t *testing.T) {
	host := newMemory()
	must.OK(t, Command(host, []string{"--help"}))
	for _, text := range []string{"usage: pdal superpoint train", "--recipe", "--resume", "recipe file (YAML)"} {
		if !strings.Contains(host.out.String(), text) {
			t.Errorf("the help lacks %q: %s", text, host.out.String())
		}
	}
}

// FuzzParseRecipe reads recipes: a usable one, or an error.
func FuzzParseRecipe(f *testing.F) {
	f.Add([]byte("name: a\nbatch: {clouds: 2, points: 100}\n"))
	f.Add([]byte("inputs: {neighbors: 20, neighbor_channels: [x, y, z], point_channels: [radius]}"))
	f.Add([]byte("groups:\n- {match: 'a*', share: 1, instances: treeID}\n"))
	f.Add([]byte("network: &a [*a]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parseRecipe(text)
		if err != nil {
			return
		}
		if r == nil || r.Batch.Points < 1 || r.Batch.Clouds < 1 {
			t.Fatalf("recipe %+v", r)
		}
	})
}

// unread is a host that fails the test when a file is read.
type unread struct{ t *testing.T }

func (u unread) Read(path string, _ []string) (*Columns, error) {
	u.t.Errorf("%s was read", path)
	return &Columns{}, nil
}
func (u unread) Log(string)               {}
func (u unread) Progress(string, float64) {}
func (u unread) Stdout() io.Writer        { return io.Discard }
func (u unread) Context() context.Context { return context.Background() }

// TestTrainingKeepsItsInputs: a file that training writes cannot be one that it reads, by
// the same path or by links.
func TestTrainingKeepsItsInputs(t *testing.T) {
	for _, suffix := range []string{"", checkpointSuffix, curveSuffix, tableSuffix} {
		for _, input := range []string{"input", "val", "recipe", "base"} {
			for kind, link := range map[string]func(string, string) error{"same path": nil, "symbolic link": os.Symlink,
				"hard link": os.Link} {
				folder := t.TempDir()
				output := filepath.Join(folder, "room")
				args := []string{"--output", output}
				for name, text := range map[string]string{"input": "points", "val": "points", "recipe": "name: model",
					"base": "model"} {
					path := filepath.Join(folder, name)
					if name == input && link == nil {
						path = output + suffix
					}
					must.OK(t, os.WriteFile(path, []byte(text), 0o666))
					if name == input && link != nil {
						must.OK(t, link(path, output+suffix))
					}
					args = append(args, "--"+name, path)
				}
				before, err := os.ReadFile(output + suffix)
				must.OK(t, err)
				err = Command(unread{t}, args)
				must.Fail(err)(t, "name another output", output+suffix)
				if after, _ := os.ReadFile(output + suffix); string(after) != string(before) {
					t.Errorf("--%s as %s, %s: %q has become %q", input, output+suffix, kind, before, after)
				}
			}
		}
	}
}
