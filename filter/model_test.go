// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"superpoint/filter/option"
	"superpoint/filter/steps"

	"superpoint/embed"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// randomModel writes a model of random weights that reads Intensity.
func randomModel(t testing.TB) string {
	t.Helper()
	return smallModel(t, "random", 1, []string{"x", "y", "z", "intensity"}, []string{"radius", "elevation",
		"intensity"})
}

// smallModel writes a model of random weights with the given channels.
func smallModel(t testing.TB, name string, seed uint64, neighbor, point []string) string {
	t.Helper()
	card := embed.PaperCard()
	card.Name, card.Inputs.Neighbor, card.Inputs.Point = name, neighbor, point
	card.Network.ST = embed.PointNet{Conv: []int{8, 8}, FC: []int{8, 4}}
	card.Network.LPE = embed.PointNet{Conv: []int{8, 16}, FC: []int{16, 4}}
	card.Partition.AdjacencyKNN = 7
	m := must.Get(embed.NewModel(card))(t)
	must.OK(t, m.RandomizeIntegers(seed))
	return saved(t, m)
}

// saved writes a model to a file.
func saved(t testing.TB, m *embed.Model) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), m.Card.Name+".safetensors")
	must.OK(t, os.WriteFile(path, must.Get(m.Save())(t), 0o644))
	return path
}

func TestModelFile(t *testing.T) {
	path := randomModel(t)
	view, _ := roof(3000, 20)
	must.Fail(mustFilter(t, `{"model":"`+path+`"}`).Segment(steps.Run{}, view))(t, `"Intensity" is missing`)
	f := mustFilter(t, `{"model":"`+path+`"}`)
	must.Fail(f.Describe([]string{"Classification", "Intensitty"}))(t, "did you mean Intensitty")
	d, err := f.Describe([]string{"Intensity"})
	must.OK(t, err)
	must.Need(t, slices.Equal(d.Required, []Dimension{{"Intensity", "float", "input of model random"}}),
		`d.Required is not []Dimension{{"Intensity", "float", "input of model random"}}`)
	view.Dimensions["Intensity"] = make([]float64, view.Len())
	for i := range view.X {
		view.Dimensions["Intensity"][i] = 100 * view.Z[i]
	}
	s := mustSegment(t, f, view)
	rows := unitRows(t, s)
	m := f.Summary()
	must.Equal(t, m.Model, "random", "m.Model")
	must.Need(t, len(m.ModelHash) == 16, "len(m.ModelHash) is %v, want 16", len(m.ModelHash))
	must.Equal(t, m.AdjacencyKNN, 7, "m.AdjacencyKNN")
	must.Equal(t, column(t, s, "Embedding3")[5], float64(rows[5*s.Dim+3]), "Embedding3 of point 5")
	names, err := option.Inputs(&option.Options{Model: path, Vote: "Classification"})
	must.OK(t, err)
	must.Equal(t, names, []string{"Intensity", "Classification"}, "names")
}

func TestModelSettings(t *testing.T) {
	path := randomModel(t)
	for _, knn := range []int{10, 30} {
		must.Fail(New(&option.Options{Model: path, KNN: knn}, nil))(t, "embeds the 20 neighbours")
	}
	must.Get(New(&option.Options{Model: path, KNN: 20}, nil))(t)
	must.Fail(New(&option.Options{Model: "/"}, nil))(t, "is a folder")
	must.Fail(New(&option.Options{Model: path, MaxEdge: 1}, nil))(t,
		"option max_edge: the graph has no Delaunay edges")
	o := &option.Options{Model: path}
	m := must.Get(models.Load(path, models.DefaultKNN, nil))(t)
	s, err := o.Resolve(m)
	must.Need(t, err == nil, "from the model: %v", err)
	must.Equal(t, s.Graph.Nearest, 7, "from the model: s.Graph.Nearest")
	must.Equal(t, s.KNN, 20, "from the model: s.KNN")
	must.Equal(t, s.Regularization, 1, "from the model: s.Regularization")
	must.Equal(t, s.EdgeDecay, 0.5, "from the model: s.EdgeDecay")
	must.Equal(t, s.MinSize, 10, "from the model: s.MinSize")
	must.Equal(t, s.SpatialWeight, 0.02, "from the model: s.SpatialWeight")
	zero, yes := 0.0, true
	o = &option.Options{Model: path, Regularization: 3, SpatialWeight: &zero, AdjacencyKNN: 30,
		Delaunay:  &yes,
		EdgeDecay: 2,
		MinSize:   1, MaxEdge: 9}
	want := option.Settings{
		Settings: method.Settings{Regularization: 3, MinSize: 1, MinGiven: true, EdgeDecay: 2},
		KNN:      30,
		Graph: neighbor.GraphOptions{Nearest: 30, Around: 20, Across: neighbor.ScanLines, Clumps: true,
			Longest: 9},
		Delaunay: true,
	}
	s = must.Get(o.Resolve(m))(t)
	must.Hold(t, reflect.DeepEqual(s, want), "from the options: %+v", s)
}

func TestMethodsIgnoreTheModel(t *testing.T) {
	f := mustFilter(t, `{"method":"vccs"}`)
	d, err := f.Describe(nil)
	must.OK(t, err)
	must.Equal(t, d.Model, "", "d.Model")
	must.Equal(t, len(d.Outputs), 1, "len(d.Outputs)")
	view, _ := roof(2000, 21)
	mustSegment(t, f, view)
	m := f.Summary()
	must.Need(t, m.SeedResolution != nil, "m.SeedResolution is nil")
	must.Need(t, m.Regularization == nil, "m.Regularization is %v, want nil", m.Regularization)
	must.Equal(t, m.Device, "cpu", "m.Device")
}

// TestLeavesKeepTheirEmbeddings: points that fill a volume count less with their
// embeddings in the partition; what is handed out is not damped.
func TestLeavesKeepTheirEmbeddings(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 1))
	v := metres(nil, nil, nil)
	for range 6000 {
		v.X, v.Y, v.Z = append(v.X, 9*r.Float64()), append(v.Y, 9*r.Float64()), append(v.Z, 9*r.Float64())
	}
	f := mustFilter(t, `{"model":"any","target_size":100,"embedding":true}`)
	unitRows(t, mustSegment(t, f, v))
}

// unitRows returns the embedding; it fails the test unless every point has one of length 1.
func unitRows(t *testing.T, s *Segmentation) []float32 {
	t.Helper()
	rows := s.Embedding()
	must.Need(t, len(rows) == s.Dim*len(s.ID),
		"%d values of %d for %d points: len(rows) is not s.Dim*len(s.ID)", len(rows), s.Dim, len(s.ID))
	must.Need(t, s.Dim != 0, "%d values of %d for %d points: s.Dim is 0", len(rows), s.Dim, len(s.ID))
	for i := range s.ID {
		square := 0.0
		for _, e := range rows[i*s.Dim : (i+1)*s.Dim] {
			square += float64(e) * float64(e)
		}
		must.Need(t, math.Abs(square-1) <= 1e-4, "point %d: squared length %g, want 1", i, square)
	}
	return rows
}
