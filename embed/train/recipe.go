// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"bytes"
	"fmt"
	"path"

	"superpoint/embed"
	"superpoint/embed/train/contrastive"
	"superpoint/partition/rivals/softcluster"

	"gopkg.in/yaml.v3"
)

// Recipe has the settings by which a model is trained. Unknown fields are errors;
// fields left out have the values of defaultRecipe.
type Recipe struct {
	Name        string          `yaml:"name"`
	Description string          `yaml:"description"`
	Rank        int             `yaml:"rank,omitempty"` // for the choice of a built-in model
	Inputs      embed.Channels  `yaml:"inputs"`
	Network     embed.Network   `yaml:"network"`
	Partition   embed.Partition `yaml:"partition"`
	// metres: one point is left of every cube of a file, before anything else; 0 leaves all
	Voxel      float64           `yaml:"voxel,omitempty"`
	Truth      Truth             `yaml:"truth"`
	Groups     []Group           `yaml:"groups,omitempty"`
	Loss       LossOptions       `yaml:"loss"`
	Batch      BatchOptions      `yaml:"batch"`
	Augment    AugmentOptions    `yaml:"augment"`
	Optimise   OptimiseOptions   `yaml:"optimise"`
	Validation ValidationOptions `yaml:"validation"`
	Data       []embed.Source    `yaml:"data,omitempty"`   // for the card
	Limits     []string          `yaml:"limits,omitempty"` // for the card
}

// Truth has the labels from which the objects are made.
type Truth struct {
	Merge  map[string][]int `yaml:"merge,omitempty"`       // classes that are one, by a name of one's own
	Ignore []int            `yaml:"ignore,omitempty,flow"` // classes whose points take no part in the loss
}

// Group is a set of files that is drawn from with the same frequency.
type Group struct {
	Match string `yaml:"match"` // pattern of file names, such as "lidarhd_*"
	// relative frequency of the group in the batches; 0 leaves its files out
	Share float64 `yaml:"share"`
	// dimension with an object number per point, instead of classes
	Instances string `yaml:"instances,omitempty"`
	// above 1: every file is drawn a second time, with one of Thin points left
	Thin float64 `yaml:"thin,omitempty"`
}

// LossOptions are the settings of the graph-structured contrastive loss.
type LossOptions struct {
	// contrastive (the paper's), or clusters (SSP-cluster)
	Kind                  string                `yaml:"kind"`
	Clusters              softcluster.Objective `yaml:"clusters"` // of kind clusters
	contrastive.Loss      `yaml:",inline"`
	contrastive.Weighting `yaml:",inline"`
	KNN                   int `yaml:"adjacency_knn"` // neighbours in the graph of the loss
	// also edges across scan lines, as in the graph that the filter cuts
	AcrossLines bool `yaml:"across_lines,omitempty"`
	// per metre, of the partitions in training and validation; below 0 takes the card's
	Spatial float64 `yaml:"spatial_weight"`
	// λ̃ and the smallest superpoint of the partitions in training; 0 takes the card's
	Regularization float64 `yaml:"regularization,omitempty"`
	MinSize        int     `yaml:"min_size,omitempty"`
}

// BatchOptions are the sizes of a step.
type BatchOptions struct {
	Clouds int `yaml:"clouds"` // subgraphs per step
	Points int `yaml:"points"` // points per subgraph
}

// AugmentOptions change the clouds from step to step.
type AugmentOptions struct {
	Rotate bool `yaml:"rotate"` // each subgraph by one angle about z
	// standard deviation, on normalised positions, colours and intensity, and their differences
	Noise float64 `yaml:"noise"`
	Clip  float64 `yaml:"clip"` // largest noise
}

// OptimiseOptions are the settings of the descent.
type OptimiseOptions struct {
	Epochs  int     `yaml:"epochs"`
	Steps   int     `yaml:"steps"` // per epoch
	Rate    float64 `yaml:"rate"`
	Decay   float64 `yaml:"decay"`
	DecayAt []int   `yaml:"decay_at,flow"` // epochs after which the rate is multiplied by decay
	Clip    float64 `yaml:"clip"`          // largest entry of the gradient
	Share   float64 `yaml:"norm_share"`    // of a batch in the running statistics
	// share of the past in the average of the weights that is validated and kept; 0 keeps the weights
	// themselves
	Average float64 `yaml:"average"`
}

// ValidationOptions are the settings by which the best epoch is found.
type ValidationOptions struct {
	Every  int `yaml:"every"`  // epochs
	Target int `yaml:"target"` // mean points per superpoint at which partitions are compared
}

// defaultRecipe returns the settings of a training. The network, its inputs, the
// loss with μ̃, noise and the steps of the rate are the paper's. The authors' code
// gives δ = 0.2, where the paper's figure draws 0.3, and five clouds a step, where
// the paper has 16. Of our own are the average of the weights, its share in the
// running statistics, the steps an epoch, and the choice of the best epoch.
func defaultRecipe() Recipe {
	card := embed.PaperCard()
	return Recipe{
		Name: "model", Description: "trained with superpoint train",
		Inputs: card.Inputs, Network: card.Network, Partition: card.Partition,
		Loss: LossOptions{Kind: lossContrastive, Loss: contrastive.Loss{Delta: 0.2},
			Weighting: contrastive.Weighting{Scheme: contrastive.CrossPartition, Strength: 5},
			KNN:       5, Spatial: -1,
			Clusters: softcluster.Objective{Size: 100, Embedding: 3, Spatial: 1, Iterations: 5,
				Compactness: 1e-5}},
		Batch:   BatchOptions{Clouds: 5, Points: 10000},
		Augment: AugmentOptions{Rotate: true, Noise: 0.03, Clip: 0.1},
		Optimise: OptimiseOptions{Epochs: 50, Steps: 100, Rate: 0.01, Decay: 0.7,
			DecayAt: []int{20, 35, 45}, Clip: 1,
			Share: 0.02, Average: 0.995},
		Validation: ValidationOptions{Every: 2, Target: 100},
	}
}

// ParseRecipe reads a recipe in YAML.
func ParseRecipe(text []byte) (*Recipe, error) {
	r := defaultRecipe()
	var lists struct { // lists replace the default instead of being merged into it
		Inputs  *embed.Channels `yaml:"inputs"`
		Network *embed.Network  `yaml:"network"`
	}
	if err := yaml.Unmarshal(text, &lists); err == nil {
		if lists.Inputs != nil {
			r.Inputs = embed.Channels{Neighbors: r.Inputs.Neighbors}
		}
		if lists.Network != nil {
			r.Network = embed.Network{Norm: embed.NormBatch, Order: "linear-norm-relu", Epsilon: 1e-5}
		}
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("recipe: %w; the fields are described in embed/train/recipes", err)
	}
	return &r, r.Validate()
}

// spatial returns the spatial weight of the partitions made while training, per
// metre as the network reads them.
func (r *Recipe) spatial() float64 {
	switch {
	case r.Loss.Spatial < 0 && r.Inputs.Spacing > 0 && r.Partition.SpacingWeight > 0:
		return r.Partition.SpacingWeight / r.Inputs.Spacing
	case r.Loss.Spatial < 0:
		return r.Partition.SpatialWeight
	}
	return r.Loss.Spatial
}

// Card returns the card of the model to be trained.
func (r *Recipe) Card() *embed.Card {
	card := &embed.Card{
		Format: embed.Format, Name: r.Name, Description: r.Description, Rank: r.Rank,
		Inputs: r.Inputs, Network: r.Network, Partition: r.Partition,
	}
	if c := &r.Loss.Clusters; r.Loss.Kind == lossClusters {
		card.Partition.Clusters = &embed.Clusters{Embedding: c.Embedding, Spatial: c.Spatial}
	}
	return card
}

// Validate returns an error that names the first field which cannot be used.
func (r *Recipe) Validate() error {
	if err := r.Card().Validate(); err != nil {
		return fmt.Errorf("recipe: %w", err)
	}
	if err := r.Loss.Loss.Validate(); err != nil {
		return fmt.Errorf("recipe: %w", err)
	}
	if err := r.Loss.Weighting.Validate(); err != nil {
		return fmt.Errorf("recipe: %w", err)
	}
	if err := r.Loss.Clusters.Validate(); err != nil {
		return fmt.Errorf("recipe: loss.%w", err)
	}
	o := &r.Optimise
	b := &r.Batch
	a := &r.Augment
	v := &r.Validation
	for _, check := range []struct {
		ok    bool
		field string
		value any
		rule  string
	}{
		{r.Voxel >= 0 && r.Voxel < 1e6, "voxel", r.Voxel,
			"must be a length in metres, or 0 to keep all points"},
		{r.Loss.Kind == lossContrastive || r.Loss.Kind == lossClusters, "loss.kind", r.Loss.Kind,
			"must be contrastive or clusters"},
		{r.Loss.KNN >= 1 && r.Loss.KNN <= r.Inputs.Neighbors, "loss.adjacency_knn", r.Loss.KNN,
			"must be 1 to inputs.neighbors"},
		{r.Loss.Regularization >= 0 && r.Loss.Regularization < 1e6, "loss.regularization",
			r.Loss.Regularization,
			"must be above 0, or left out to take the value in partition"},
		{r.Loss.MinSize >= 0 && r.Loss.MinSize <= 1<<20, "loss.min_size", r.Loss.MinSize,
			"must be at least 1 point, or left out to take the value in partition"},
		{b.Clouds >= 1 && b.Clouds <= 1000, "batch.clouds", b.Clouds, "must be 1 to 1000; the paper has 16"},
		{b.Points >= 100 && b.Clouds*b.Points <= 1<<22, "batch.points", b.Points,
			"must be at least 100, and at most 4 million a step; the paper has 10000"},
		{a.Noise >= 0 && a.Noise <= 10 && a.Clip >= 0, "augment.noise", a.Noise,
			"must be 0 to 10, clip 0 or more; the paper has 0.03 and 0.1"},
		{o.Epochs >= 1, "optimise.epochs", o.Epochs, "must be at least 1; the paper has 50"},
		{o.Steps >= 1, "optimise.steps", o.Steps, "must be at least 1 per epoch"},
		{o.Rate > 0 && o.Rate <= 1, "optimise.rate", o.Rate,
			"must be above 0 and at most 1; the paper has 0.01"},
		{o.Decay > 0 && o.Decay <= 1, "optimise.decay", o.Decay,
			"must be above 0 and at most 1; the paper has 0.7"},
		{o.Clip > 0, "optimise.clip", o.Clip, "must be above 0; the paper has 1"},
		{o.Share > 0 && o.Share <= 1, "optimise.norm_share", o.Share, "must be above 0 and at most 1"},
		{o.Average >= 0 && o.Average < 1, "optimise.average", o.Average, "must be 0 or more and below 1"},
		{v.Every >= 1, "validation.every", v.Every, "must be at least 1 epoch"},
		{v.Target >= 2, "validation.target", v.Target, "must be at least 2 points"},
	} {
		if !check.ok {
			return fmt.Errorf("recipe: %s is %v; it %s", check.field, check.value, check.rule)
		}
	}
	return r.validateNames()
}

func (r *Recipe) validateNames() error {
	for i, g := range r.Groups {
		if _, err := path.Match(g.Match, "x"); err != nil || g.Match == "" {
			return fmt.Errorf(
				"recipe: groups[%d].match is %q; give a pattern of file names such as \"tile_*\"", i, g.Match)
		}
		if !(g.Share >= 0 && g.Share <= 1e6) {
			return fmt.Errorf("recipe: groups[%d].share is %g; it must be 0 or more", i, g.Share)
		}
		if !(g.Thin == 0 || g.Thin > 1 && g.Thin <= 100) {
			return fmt.Errorf(
				"recipe: groups[%d].thin is %g; it must be above 1 and at most 100, or left out", i, g.Thin)
		}
	}
	seen := map[int]string{}
	for name, classes := range r.Truth.Merge {
		for _, c := range classes {
			if other, ok := seen[c]; ok && other != name {
				return fmt.Errorf("recipe: truth.merge has class %d under both %q and %q", c,
					min(name, other), max(name, other))
			}
			seen[c] = name
		}
	}
	return nil
}

// groupOf returns the place of the first group that a file belongs to, or −1.
func (r *Recipe) groupOf(file string) int {
	for i, g := range r.Groups {
		if ok, _ := path.Match(g.Match, path.Base(file)); ok {
			return i
		}
	}
	return -1
}

// Kinds of loss: the paper's, and the loss of SSP-cluster.
const (
	lossContrastive = "contrastive"
	lossClusters    = "clusters"
)
