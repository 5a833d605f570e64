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
	Features          string   `yaml:"features"`
	Graph             string   `yaml:"graph"`
	Sphere            bool     `yaml:"sphere"`
	Solver            string   `yaml:"solver"`
	Regularization    float64  `yaml:"regularization"`
	TargetSize        float64  `yaml:"target_size"`
	MinSize           int      `yaml:"min_size"`
	SpatialWeight     *float64 `yaml:"spatial_weight"`
	Spacing           float64  `yaml:"spacing"`
	EdgeDecay         float64  `yaml:"edge_decay"`
	KNN               int      `yaml:"knn"`
	AdjacencyKNN      int      `yaml:"adjacency_knn"`
	Delaunay          *bool    `yaml:"delaunay"`
	MaxEdge           float64  `yaml:"max_edge"`
	Dimension         string   `yaml:"dimension"`
	FirstID           uint32   `yaml:"first_id"`
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
	if err := unusedOptions(specs, root, options); err != nil {
		return nil, err
	}
	return options, options.check()
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
