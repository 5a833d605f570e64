package filter

import "slices"

// Options are the options of the stage. A zero value, or nil, means the
// default, which for some comes from the model. Lengths are in metres.
type Options struct {
	Model             string
	Method            string
	Features          string
	Graph             string
	Sphere            bool
	Solver            string
	Regularization    float64
	TargetSize        float64
	MinSize           int
	SpatialWeight     *float64
	Spacing           float64
	EdgeDecay         float64
	KNN               int
	AdjacencyKNN      int
	AcrossLines       *bool
	Delaunay          *bool
	MaxEdge           float64
	Dimension         string
	FirstID           uint32
	Embedding         *bool
	Color             bool
	EmbeddingColor    bool
	Vote              string
	Classes           string
	ClassDimension    string
	ClassChange       string
	Truth             string
	Instances         string
	Device            string
	Threads           int
	SeedResolution    float64
	VoxelResolution   float64
	SpatialImportance *float64
	NormalImportance  *float64
	ColorImportance   *float64

	EmbeddingImportance *float64
}

// label is a dimension of labels that an option names.
type label struct{ option, name, help string }

// labels lists the labels that the options name.
func (o *Options) labels() []label {
	return slices.DeleteFunc([]label{
		{"truth", o.Truth, "true classes"},
		{"instances", o.Instances, "true objects"},
		{"vote", o.Vote, "classes to vote over"},
	}, func(l label) bool { return l.name == "" })
}
