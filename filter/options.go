package filter

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Options are the options of the stage. A zero value, or nil, means the
// default, which for some comes from the model. Lengths are in metres.
type Options struct {
	Model             string   `yaml:"model"`
	Method            string   `yaml:"method"`
	Solver            string   `yaml:"solver"`
	Regularization    float64  `yaml:"regularization"`
	TargetSize        float64  `yaml:"target_size"`
	MinSize           int      `yaml:"min_size"`
	SpatialWeight     *float64 `yaml:"spatial_weight"`
	EdgeDecay         float64  `yaml:"edge_decay"`
	KNN               int      `yaml:"knn"`
	AdjacencyKNN      int      `yaml:"adjacency_knn"`
	Delaunay          *bool    `yaml:"delaunay"`
	MaxEdge           float64  `yaml:"max_edge"`
	Dimension         string   `yaml:"dimension"`
	Embedding         *bool    `yaml:"embedding"`
	Color             bool     `yaml:"color"`
	EmbeddingColor    bool     `yaml:"embedding_color"`
	Vote              string   `yaml:"vote"`
	Truth             string   `yaml:"truth"`
	Instances         string   `yaml:"instances"`
	Device            string   `yaml:"device"`
	Threads           int      `yaml:"threads"`
	SeedResolution    float64  `yaml:"seed_resolution"`
	VoxelResolution   float64  `yaml:"voxel_resolution"`
	SpatialImportance *float64 `yaml:"spatial_importance"`
	NormalImportance  *float64 `yaml:"normal_importance"`
	ColorImportance   *float64 `yaml:"color_importance"`
}

// ParseOptions reads options from YAML or JSON text. Numbers and booleans may
// be quoted; null and absent mean the default. An error names the option, the
// value and the remedy.
func ParseOptions(data []byte) (*Options, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("options are not YAML or JSON: %w", err)
	}
	options := new(Options)
	if len(document.Content) == 0 {
		return options, options.check()
	}
	root := document.Content[0]
	if root.Tag == "!!null" {
		return options, options.check()
	}
	if root.Kind != yaml.MappingNode {
		return nil, errors.New("options must be a mapping of names to values, for example {\"regularization\": 1}")
	}
	specs := Specs()
	for i := 0; i+1 < len(root.Content); i += 2 {
		if err := checkNode(specs, root.Content[i].Value, root.Content[i+1]); err != nil {
			return nil, err
		}
	}
	if err := root.Decode(options); err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	if err := unusedOptions(specs, root, or(options.Method, "ssp")); err != nil {
		return nil, err
	}
	return options, options.check()
}

// unusedOptions refuses an option that the method does not use, which would
// otherwise be silently without effect.
func unusedOptions(specs []Spec, root *yaml.Node, method string) error {
	for i := 0; i+1 < len(root.Content); i += 2 {
		name := root.Content[i].Value
		at := slices.IndexFunc(specs, func(s Spec) bool { return s.Name == name })
		if root.Content[i+1].Tag != "!!null" && specs[at].Methods != nil && !slices.Contains(specs[at].Methods, method) {
			return fmt.Errorf("option %s: method %s does not use it (only %s); leave it out, or choose the method",
				name, method, strings.Join(specs[at].Methods, ", "))
		}
	}
	return nil
}

// checkNode checks one value against its Spec and writes it in the form that
// YAML decodes to the field's type.
func checkNode(specs []Spec, name string, node *yaml.Node) error {
	at := slices.IndexFunc(specs, func(s Spec) bool { return s.Name == name })
	if at < 0 {
		return unknownOption(specs, name)
	}
	s := &specs[at]
	if node.Kind != yaml.ScalarNode {
		return fmt.Errorf("option %s: expected one value, got a list or mapping", name)
	}
	if node.Tag == "!!null" {
		return nil
	}
	value := strings.TrimSpace(node.Value)
	switch s.kind {
	case text:
		return s.checkText(node, value)
	case boolean:
		b, err := strconv.ParseBool(strings.ToLower(value))
		if err != nil {
			return fmt.Errorf("option %s: %q is neither true nor false", name, node.Value)
		}
		*node = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(b)}
	default:
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("option %s: %q is not a number; %s", name, node.Value, s.remedy)
		}
		if err := s.checkNumber(x); err != nil {
			return err
		}
		*node = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: strconv.FormatFloat(x, 'g', -1, 64)}
		if s.kind == integer {
			*node = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatFloat(x, 'f', 0, 64)}
		}
	}
	return nil
}

func (s *Spec) checkText(node *yaml.Node, value string) error {
	if value == "" {
		return fmt.Errorf("option %s: the value is empty; leave the option out for its default", s.Name)
	}
	if s.Choices != nil && !slices.Contains(s.Choices, value) {
		return fmt.Errorf("option %s: unknown value %q%s; choose one of %s",
			s.Name, value, didYouMean(value, s.Choices), strings.Join(s.Choices, ", "))
	}
	*node = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Style: yaml.DoubleQuotedStyle}
	return nil
}

func (s *Spec) checkNumber(x float64) error {
	inside := x >= s.lo && x <= s.hi && !(s.open && x == s.lo)
	if !inside || math.IsNaN(x) {
		return fmt.Errorf("option %s: %v is out of range; %s", s.Name, x, s.remedy)
	}
	if s.kind == integer && x != math.Trunc(x) {
		return fmt.Errorf("option %s: %v is not a whole number; %s", s.Name, x, s.remedy)
	}
	return nil
}

// check fills the defaults that do not come from the model and refuses options
// that exclude each other.
func (o *Options) check() error {
	setDefault(&o.Model, "auto")
	setDefault(&o.Method, "ssp")
	setDefault(&o.Solver, "auto")
	setDefault(&o.Dimension, "SuperpointID")
	setDefault(&o.Device, "auto")
	if o.TargetSize > 0 && o.Regularization > 0 {
		return fmt.Errorf("option target_size: %v excludes regularization (%v), which it searches for; leave one of them out", o.TargetSize, o.Regularization)
	}
	if o.TargetSize > 0 && o.SeedResolution > 0 {
		return fmt.Errorf("option target_size: %v excludes seed_resolution (%v), which it searches for; leave one of them out", o.TargetSize, o.SeedResolution)
	}
	if o.KNN > 0 && o.AdjacencyKNN > o.KNN {
		return fmt.Errorf("option adjacency_knn: %d is above knn (%d); lower it, or raise knn", o.AdjacencyKNN, o.KNN)
	}
	if o.VoxelResolution > 0 && o.SeedResolution > 0 && o.VoxelResolution > o.SeedResolution {
		return fmt.Errorf("option voxel_resolution: %v is above seed_resolution (%v); lower it", o.VoxelResolution, o.SeedResolution)
	}
	if o.Method == "geom-graph" {
		if o.Model != "auto" && o.Model != "geometric" {
			return fmt.Errorf("option model: %q does not go with method geom-graph, which uses hand-crafted features; leave model out, or use method ssp", o.Model)
		}
		o.Model = "geometric"
	}
	if o.Instances != "" && o.Truth == "" {
		return fmt.Errorf("option instances: %q needs the truth option beside it; add truth, for example truth=Classification", o.Instances)
	}
	if err := checkDevice(o.Device); err != nil {
		return err
	}
	for _, d := range []struct{ option, name string }{{"dimension", o.Dimension}, {"vote", o.Vote}, {"truth", o.Truth}, {"instances", o.Instances}} {
		if err := checkDimension(d.option, d.name); err != nil {
			return err
		}
	}
	return nil
}

func setDefault[T comparable](p *T, value T) {
	var zero T
	if *p == zero {
		*p = value
	}
}

// checkDevice accepts auto, cpu, cuda and cuda:N.
func checkDevice(device string) error {
	switch device {
	case "auto", "cpu", "cuda":
		return nil
	}
	if n, found := strings.CutPrefix(device, "cuda:"); found {
		if _, err := strconv.ParseUint(n, 10, 8); err == nil {
			return nil
		}
	}
	return fmt.Errorf("option device: unknown value %q; use auto, cpu, cuda or cuda:N with N the number of the GPU", device)
}

// checkDimension accepts the dimension names PDAL accepts: letters, digits and
// underscores, a letter first. The ids may not overwrite coordinates.
func checkDimension(option, name string) error {
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !(r == '_' || r >= '0' && r <= '9')) {
			return fmt.Errorf("option %s: %q is not a dimension name; use letters, digits and _, a letter first", option, name)
		}
	}
	if option == "dimension" && slices.Contains([]string{"X", "Y", "Z"}, name) {
		return fmt.Errorf("option dimension: %q would overwrite coordinates; use SuperpointID or ClusterID", name)
	}
	return nil
}
