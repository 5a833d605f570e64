// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"fmt"
	"math"
	"regexp"

	"superpoint/embed/layout"
)

// Format is the value of a card's format field.
const Format = "superpoint-model/1"

// Limits of a card, far above what the network needs, so that a hostile file
// cannot exhaust the memory.
const (
	maxCard      = 1 << 16 // bytes of YAML
	maxNeighbors = layout.MostNeighbors
	maxChannels  = layout.MostChannels
	maxLayers    = layout.MostLayers
	maxWidth     = 1024
	maxWeight    = 100 // of Volume
)

// Card describes a model: what it reads, the shape of its network, the
// partition settings it was validated with, and where it comes from. It is
// kept as YAML inside the model file; models/README.md explains every field.
type Card struct {
	Format      string `yaml:"format"`      // always "superpoint-model/1"
	Name        string `yaml:"name"`        // lower case letters, digits, - and _
	Description string `yaml:"description"` // one line: which clouds it is for
	// "auto" selects the built-in model of the highest rank whose dimensions the cloud has; 0 is never
	// selected
	Rank      int       `yaml:"rank"`
	Inputs    Channels  `yaml:"inputs"`
	Network   Network   `yaml:"network"`
	Integer   *Integer  `yaml:"integer,omitempty"` // quantized network; absent with Network.InFloats
	Partition Partition `yaml:"partition"`
	// PDAL dimensions that a cloud must have; Save fills them in
	Dimensions []string `yaml:"dimensions,flow"`
	Training   Training `yaml:"training"`
	Weights    string   `yaml:"weights_sha256"` // of all tensors' bytes in file order; filled in by Save
}

// Channels names what the network reads.
type Channels struct {
	Neighbors int      `yaml:"neighbors"`              // k, neighbours per point
	Neighbor  []string `yaml:"neighbor_channels,flow"` // x, y, z first
	Point     []string `yaml:"point_channels,flow"`
	// Spacing is the reference spacing: the distance of neighbouring points, in metres,
	// of the clouds in training. Every cloud is scaled to it before the channels are
	// computed, so that no channel depends on the unit of length. 0: channels are in
	// metres of the cloud, which is not scaled.
	Spacing float64 `yaml:"spacing,omitempty"`
}

// Values of Network.Norm.
const (
	NormBatch = "batch" // with the statistics of training, which are stored
	// over the neighbours of a point and the channels of a group (Wu and He 2018,
	// doi:10.1007/978-3-030-01261-8_1); there is no integer network
	NormGroup = "group"
)

// Network holds the widths of the layers, in the order of the paper's table of
// parameters.
type Network struct {
	Norm   string `yaml:"norm"`                  // NormBatch or NormGroup
	Groups int    `yaml:"norm_groups,omitempty"` // of channels, of NormGroup; the paper has 4
	// linear-norm-relu: as in the authors' code (not as in their text)
	Order   string   `yaml:"order"`
	Epsilon float64  `yaml:"norm_epsilon"`     // added to the variance, 1e-5
	Sphere  *bool    `yaml:"sphere,omitempty"` // embeddings are scaled to length 1; left out: true
	ST      PointNet `yaml:"st"`               // spatial transform; empty lists leave it out
	LPE     PointNet `yaml:"lpe"`              // local point embedder
}

// PointNet is a small PointNet (Qi et al., CVPR 2017): layers applied to each neighbour, a maximum over
// the neighbours, then layers applied to the result.
//
// Reference of the architecture: doi:10.1109/CVPR.2017.16. The maximum makes the result independent of the
// order of the neighbors, and of repetitions of them.
type PointNet struct {
	Conv []int `yaml:"conv,flow"` // output widths per neighbour
	FC   []int `yaml:"fc,flow"`   // output widths after the maximum; the last has no norm and no ReLU
}

// Partition holds the model's defaults of partition options.
//
// They are defaults: options of the filter replace them.
type Partition struct {
	Regularization float64 `yaml:"regularization"` // λ̃, 1 in the paper
	SpatialWeight  float64 `yaml:"spatial_weight"` // α_spat per metre
	// α_spat times the spacing of points; above 0 it replaces spatial_weight
	SpacingWeight float64 `yaml:"spacing_weight,omitempty"`
	Volume        *Volume `yaml:"volume,omitempty"` // needs context
	MinSize       int     `yaml:"min_size"`         // smallest superpoint at λ̃ = 1, in points
	// smallest superpoint as a share of the target size; 0: a tenth
	MinShare     float64 `yaml:"min_share,omitempty"`
	EdgeDecay    float64 `yaml:"edge_decay"`             // σ
	AdjacencyKNN int     `yaml:"adjacency_knn"`          // neighbours in the adjacency graph
	NearestOnly  bool    `yaml:"nearest_only,omitempty"` // no edges across scan lines, as in the paper
	Delaunay     bool    `yaml:"delaunay"`               // adds Delaunay edges
	// metres; longer Delaunay edges are dropped; 0: chosen from the spacing of points
	MaxEdge float64 `yaml:"max_edge,omitempty"`
	// weights of SSP-cluster; absent in models that were trained for the partition problem
	Clusters *Clusters `yaml:"clusters,omitempty"`
}

// Volume changes the partition problem at points that fill a volume, such as leaves. Their
// embeddings hardly differ between one crown and the next, so the embedding counts less
// there, and the horizontal position more.
type Volume struct {
	// Embeddings are multiplied by 1 − d², where d rises from 0 where near_scattering is From
	// to 1 where it is To.
	From float64 `yaml:"from"`
	To   float64 `yaml:"to"`
	// The horizontal position has the weight 1 where near_scattering is WeightFrom, and 1 + Weight
	// where it is WeightTo; 0: 1 everywhere.
	Weight     float64 `yaml:"weight,omitempty"`
	WeightFrom float64 `yaml:"weight_from,omitempty"`
	WeightTo   float64 `yaml:"weight_to,omitempty"`
}

// Ramps returns d of From and To, and the weight of the horizontal position, as functions of
// near_scattering; weight is nil if it is 1 everywhere.
//
// d and weight are linear between their two ends and constant outside.
func (v *Volume) Ramps() (damping, weight func(scattering float32) float32) {
	ramp := func(s float32, from, to float64) float32 {
		return min(max((s-float32(from))*float32(1/(to-from)), 0), 1)
	}
	if v.Weight > 0 {
		weight = func(s float32) float32 { return 1 + float32(v.Weight)*ramp(s, v.WeightFrom, v.WeightTo) }
	}
	return func(s float32) float32 { return ramp(s, v.From, v.To) }, weight
}

// Clusters are the weights of SSP-cluster, relative to a distance of one seed resolution.
type Clusters struct {
	Embedding float64 `yaml:"embedding"` // γ
	Spatial   float64 `yaml:"spatial"`   // κ
}

// Training is where the weights come from, and the figures measured with them.
type Training struct {
	Data    []Source           `yaml:"data"`
	Recipe  string             `yaml:"recipe,omitempty"`  // the settings, as YAML or as one line
	Command string             `yaml:"command,omitempty"` // trains the same model again
	Seed    uint64             `yaml:"seed,omitempty"`    // of every random choice
	Figures map[string]float64 `yaml:"figures,omitempty"` // measured on held-out clouds; for keys see Figure
	// kinds of clouds on which the model is known to be inaccurate, or was not tested
	Limits  []string `yaml:"limits,omitempty"`
	Date    string   `yaml:"date,omitempty"`         // year-month-day
	Threads int      `yaml:"threads,omitempty"`      // used in training
	Seconds float64  `yaml:"seconds,omitempty"`      // training time
	Steps   int      `yaml:"steps,omitempty"`        // of the optimiser
	Final   float64  `yaml:"final_loss,omitempty"`   // training loss at the end
	Version string   `yaml:"code_version,omitempty"` // of this repository
}

// Figure returns the key of a figure in Training.Figures: a metric at a mean size of
// superpoints, in points, on a file.
func Figure(measure, size, file string) string {
	return fmt.Sprintf("%s at N/%s, %s", measure, size, file)
}

// Source is one data set that the weights were learned from.
type Source struct {
	Name    string `yaml:"name"`
	Licence string `yaml:"licence"`
	Points  int    `yaml:"points,omitempty"`
	Use     string `yaml:"use,omitempty"` // train or validation
	Origin  string `yaml:"origin,omitempty"`
}

// CardError is a card that cannot be used.
type CardError struct {
	Field  string // such as network.lpe.fc
	Value  any
	Remedy string // what the field must be
}

func (e *CardError) Error() string {
	return fmt.Sprintf("model card: %s is %v; %s", e.Field, e.Value, e.Remedy)
}

// DefaultPartition returns the paper's settings for its outdoor clouds
// (table of parameters, column vKITTI, without Delaunay edges), with the wider
// adjacency graph that measures better.
func DefaultPartition() Partition {
	return Partition{Regularization: 1, SpatialWeight: 0.02, MinSize: 10, EdgeDecay: 0.5, AdjacencyKNN: 10}
}

// PaperCard returns the paper's network of 13,816 parameters: 6 channels per
// neighbour and 11 per point. The authors' code reads the position in the
// file's bounding box as two of the 11; here planarity and verticality take
// their place, because an embedding must not depend on where a tile ends.
func PaperCard() *Card {
	return &Card{
		Format: Format, Name: "paper",
		Description: "the network of Landrieu and Boussaha 2019 with planarity and verticality",
		Inputs: Channels{
			Neighbors: 20,
			Neighbor:  []string{"x", "y", "z", "red", "green", "blue"},
			Point: []string{"radius", "elevation", "red", "green", "blue", "planarity", "verticality",
				"omega_xx", "omega_xy", "omega_yx", "omega_yy"},
		},
		// 13,816 parameters: the paper's table prints [32, 128] for the second convolutions, for 21,320
		Network: Network{
			Norm: NormBatch, Order: "linear-norm-relu", Epsilon: 1e-5,
			ST:  PointNet{Conv: []int{16, 64}, FC: []int{32, 16, 4}},
			LPE: PointNet{Conv: []int{16, 64}, FC: []int{64, 32, 32, 4}},
		},
		Partition: DefaultPartition(),
	}
}

var cardName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)

// SmallestOf returns the size, in points, of the smallest superpoint: a share of the target size, at least 1.
// For share 0 it returns 0: the solver chooses.
func SmallestOf(share, targetSize float64) int {
	if share == 0 {
		return 0
	}
	return int(max(1, math.Round(share*targetSize)))
}

// Integer describes the quantized network, by which embeddings are computed: the trained
// layers in integers. Integer sums are exact, so no order of operations changes a result,
// and every processor computes the same bits. A layer is
//
//	y = (b + Σ w·x) >> s, clamped to 0 … most
//
// with one shift s for each output. An integer stands for a real value in some unit: for
// channels it is 2^−exponent, for activations one per input that the weights of the next
// layer include. Convolutions after the first have weights of 8 bits and activations of 7;
// they are three quarters of all products. All other layers have weights of 16 bits, and
// channels of 16 or activations of 12.
type Integer struct {
	Activations int `yaml:"activation_bits"` // 7; 12 before a last layer
	// 8; 16 of first convolutions, point channels and last layers
	Weights   int            `yaml:"weight_bits"`
	Exponents map[string]int `yaml:"exponents,flow"`    // of columns, and of channels that are not columns
	Command   string         `yaml:"command,omitempty"` // that quantized the model in an earlier build
}
