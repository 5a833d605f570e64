// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

func TestPaperNetworkHasThePapersParameterCount(t *testing.T) {
	c := PaperCard()
	must.OK(t, c.Validate())
	st, lpe := 0, 0
	l := c.Layers()
	for _, layer := range append(l.STConv, l.STFC...) {
		st += layer.Parameters()
	}
	for _, layer := range append(l.LPEConv, l.LPEFC...) {
		lpe += layer.Parameters()
	}
	must.Equal(t, st, 4068, "spatial transform")
	must.Equal(t, lpe, 9748, "embedder")
	must.Equal(t, c.Parameters(), 13816, "together")
	must.Need(t, len(c.Inputs.Neighbor) == 6, "channels: got %v, want 6", len(c.Inputs.Neighbor))
	must.Need(t, len(c.Inputs.Point) == 11, "len(c.Inputs.Point) is %v, want 11", len(c.Inputs.Point))
	must.Equal(t, c.Dim(), 4, "c.Dim()")
	must.Equal(t, c.OmegaAt(3), 10, "last of Ω")
	c.Network.LPE.Conv = []int{32, 128} // the paper's table
	must.Hold(t, c.Parameters() == 21320, "with the table's widths %d parameters, want 21320", c.Parameters())
}

func TestCardSurvivesYAML(t *testing.T) {
	c := PaperCard()
	c.Training = Training{Data: []Source{{Name: "a", Licence: "b", Points: 3}},
		Figures: map[string]float64{"OOA": 0.9},
		Limits:  []string{"rooms"}}
	text := must.Get(c.YAML())(t)
	back, err := ParseCard(text)
	must.Need(t, err == nil, "%v\n%s", err, text)
	again, _ := back.YAML()
	must.Hold(t, string(again) == string(text), "card changed:\n%s\n%s", text, again)
}

func TestCardErrorsNameFieldAndRemedy(t *testing.T) {
	for _, test := range []struct {
		field, remedy string
		change        func(*Card)
	}{
		{"format", "update", func(c *Card) { c.Format = "superpoint-model/9" }},
		{"name", "lower case", func(c *Card) { c.Name = "../etc" }},
		{"inputs.neighbors", "1 to 64", func(c *Card) { c.Inputs.Neighbors = 1 << 30 }},
		{"inputs.neighbor_channels", "begin with x, y, z",
			func(c *Card) { c.Inputs.Neighbor = []string{"x", "z", "y"} }},
		{"inputs.neighbor_channels", "must be among", func(c *Card) { c.Inputs.Neighbor[5] = "smell" }},
		{"inputs.neighbor_channels", "twice", func(c *Card) { c.Inputs.Neighbor[5] = "red" }},
		{"inputs.point_channels", "must be among", func(c *Card) { c.Inputs.Point[0] = "d_red" }},
		{"inputs.point_channels", "spatial transform", func(c *Card) { c.Network.ST = PointNet{} }},
		{"network.norm", "batch", func(c *Card) { c.Network.Norm = "layer" }},
		{"network.norm_groups", "the paper has 4", func(c *Card) { c.Network.Norm = NormGroup }},
		{"network.norm_groups", "left out", func(c *Card) { c.Network.Groups = 4 }},
		{"network.norm_groups", "also 16", func(c *Card) {
			c.Network.Norm,
				c.Network.Groups = NormGroup, 32
		}},
		{"integer", "computed in floats", func(c *Card) {
			c.Network.Sphere, c.Integer = new(bool),
				&Integer{}
		}},
		{"network.order", "linear-norm-relu", func(c *Card) { c.Network.Order = "" }},
		{"network.norm_epsilon", "1e-5", func(c *Card) { c.Network.Epsilon = 0 }},
		{"network.st.fc", "4", func(c *Card) { c.Network.ST.FC = []int{32, 9} }},
		{"network.st.conv", "widths", func(c *Card) { c.Network.ST.Conv = nil }},
		{"network.st.fc", "2 to 8", func(c *Card) { c.Network.ST.FC = []int{4} }},
		{"network.lpe.conv", "1 to 1024", func(c *Card) { c.Network.LPE.Conv = []int{8, 1 << 40} }},
		{"network.lpe.fc", "2 to 8", func(c *Card) { c.Network.LPE.FC = make([]int, 99) }},
		{"network.lpe.fc", "2 to 64", func(c *Card) { c.Network.LPE.FC = []int{8, 1} }},
		{"partition.regularization", "above 0", func(c *Card) { c.Partition.Regularization = 0 }},
		{"partition.spatial_weight", "0 or more", func(c *Card) { c.Partition.SpatialWeight = -1 }},
		{"partition.min_size", "at least 1", func(c *Card) { c.Partition.MinSize = 0 }},
		{"partition.min_share", "a tenth", func(c *Card) { c.Partition.MinShare = 2 }},
		{"partition.edge_decay", "above 0", func(c *Card) { c.Partition.EdgeDecay = 0 }},
		{"partition.adjacency_knn", "1 to 64", func(c *Card) { c.Partition.AdjacencyKNN = 0 }},
		{"partition.max_edge", "metres", func(c *Card) { c.Partition.MaxEdge = -1 }},
		{"partition.volume", "context", func(c *Card) { c.Partition.Volume = &Volume{From: 0.4, To: 0.7} }},
		{"partition.volume", "from < to", func(c *Card) { c.Partition.Volume = &Volume{From: 0.7, To: 0.4} }},
		{"partition.volume", "weight_from < weight_to", func(c *Card) {
			c.Partition.Volume = &Volume{From: 0.2, To: 0.7, Weight: 3, WeightFrom: 0.6, WeightTo: 0.6}
		}},
		{"partition.volume", "to 100", func(c *Card) {
			c.Partition.Volume = &Volume{From: 0.2, To: 0.7, Weight: -1, WeightFrom: 0.3, WeightTo: 0.6}
		}},
		{"dimensions", "channels need", func(c *Card) { c.Dimensions = []string{"X"} }},
		{"weights_sha256", "64", func(c *Card) { c.Weights = "abc" }},
	} {
		c := PaperCard()
		test.change(c)
		text, err := c.YAML()
		must.OK(t, err)
		_, err = ParseCard(text)
		var fault *CardError
		must.Need(t, errors.As(err, &fault), "%s: error %v, want fault", test.field, err)
		must.Equal(t, fault.Field, test.field, "%s: fault.Field", test.field)
		must.Hold(t, strings.Contains(fault.Error(), test.remedy),
			"%s: got %q, want %q in it", test.field, fault.Error(), test.remedy)
	}
}

func TestCardRefusesOtherYAML(t *testing.T) {
	good, _ := PaperCard().YAML()
	for name, text := range map[string]string{
		"unknown field": string(good) + "colour: red\n",
		"older field": strings.Replace(string(good), "partition:\n",
			"partition:\n  forest_climb: 192\n", 1),
		"two documents": string(good) + "---\n" + string(good),
		"wrong type":    strings.Replace(string(good), "neighbors: 20", "neighbors: many", 1),
		"empty":         "",
		"too long":      string(good) + "#" + strings.Repeat(" ", maxCard),
	} {
		_, err := ParseCard([]byte(text))
		must.Hold(t, err != nil, "%s: accepted", name)
	}
}

// TestSmallestOf: the smallest superpoint is a share of the wanted size.
func TestSmallestOf(t *testing.T) {
	for _, c := range []struct {
		share, size float64
		want        int
	}{{0, 100, 0}, {0.04, 10, 1}, {0.04, 50, 2}, {0.04, 400, 16}, {1, 1e6, 1e6}} {
		must.Equal(t, SmallestOf(c.share, c.size), c.want, "share %g of %g points", c.share, c.size)
	}
}

func FuzzParseCard(f *testing.F) {
	good, _ := PaperCard().YAML()
	f.Add(good)
	f.Add([]byte("a: &a [*a, *a]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := ParseCard(text)
		if err != nil {
			return
		}
		_, err = NewModel(c)
		if err != nil {
			must.Hold(t, c.Parameters() >= 1<<19,
				"a valid card made no model: c.Parameters() is %v, want at least %v", c.Parameters(), 1<<19)
		}
	})
}

func TestRequiredDimensions(t *testing.T) {
	c := PaperCard()
	must.Equal(t, strings.Join(c.Requires(), " "), "X Y Z Red Green Blue", "required dimensions")
	must.Equal(t, strings.Join(c.Missing([]string{"X", "Y", "Z", "Red"}), " "), "Green Blue",
		"missing dimensions")
	must.Hold(t, c.Halo() == 20, "halo %v", c.Halo())
}

// TestRamps: d rises from 0 at from to 1 at to, the weight from 1 at weight_from to 1 + weight at weight_to.
func TestRamps(t *testing.T) {
	damping, weight := (&Volume{From: 0.2, To: 0.7, Weight: 3, WeightFrom: 0.35, WeightTo: 0.6}).Ramps()
	for _, c := range []struct{ scattering, damping, weight float32 }{
		{0, 0, 1}, {0.2, 0, 1}, {0.35, 0.3, 1}, {0.475, 0.55, 2.5}, {0.6, 0.8, 4}, {1, 1, 4},
	} {
		d, b := damping(c.scattering), weight(c.scattering)
		must.Hold(t, math.Abs(float64(d-c.damping)) <= 1e-6,
			"near_scattering %g: damping: got %v, want %v within 1e-6", c.scattering, d, c.damping)
		must.Hold(t, math.Abs(float64(b-c.weight)) <= 1e-5,
			"near_scattering %g: weight: got %v, want %v within 1e-5", c.scattering, b, c.weight)
	}
	_, without := (&Volume{To: 1}).Ramps()
	must.Hold(t, without == nil, "weights without the field weight")
}

// TestDefaultPartition: the settings of the paper's table of parameters (column vKITTI) with a graph of ten
// neighbors.
func TestDefaultPartition(t *testing.T) {
	want := Partition{Regularization: 1, SpatialWeight: 0.02, MinSize: 10, EdgeDecay: 0.5, AdjacencyKNN: 10}
	must.Equal(t, DefaultPartition(), want, "settings of a model without its own")
}

// TestLongestCard: a card may have 65,536 bytes, and no byte more.
func TestLongestCard(t *testing.T) {
	text := must.Get(PaperCard().YAML())(t)
	fill := func(n int) []byte {
		return append(slices.Clone(text), "#"+strings.Repeat("x", n-len(text)-1)...)
	}
	must.Get(ParseCard(fill(1 << 16)))(t)
	must.Fail(ParseCard(fill(1<<16+1)))(t, "must be at most 65536 bytes")
}
