package filter

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"
)

// ParseOptions reads options from YAML or JSON text. Numbers and booleans may
// be quoted; null and absent mean the default. An error names the option, the
// value and the remedy.
func ParseOptions(data []byte) (*Options, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("options are not YAML or JSON: %w", err)
	}
	given := map[string]string{}
	if len(document.Content) > 0 && document.Content[0].Tag != "!!null" {
		root := document.Content[0]
		if root.Kind != yaml.MappingNode {
			return nil, errors.New("options must be a mapping of names to values, for example {\"regularization\": 1}")
		}
		for i := 0; i+1 < len(root.Content); i += 2 {
			name, node := root.Content[i].Value, root.Content[i+1]
			if _, twice := given[name]; twice {
				return nil, fmt.Errorf("option %s: it is given twice", name)
			}
			if node.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("option %s: expected one value, got a list or mapping", name)
			}
			if node.Tag != "!!null" {
				given[name] = node.Value
			}
		}
	}
	return OptionsOf(given)
}

// OptionsOf reads options as a user wrote them, by their names. An error names the
// option, the value and the remedy.
func OptionsOf(given map[string]string) (*Options, error) {
	o, specs := new(Options), Specs()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		at := slices.IndexFunc(specs, func(s Spec) bool { return s.Name == name })
		if at < 0 {
			return nil, unknownOption(specs, name)
		}
		if err := specs[at].set(o, given[name]); err != nil {
			return nil, err
		}
	}
	for i := range specs {
		if _, is := given[specs[i].Name]; !is {
			continue
		}
		if err := specs[i].checkUsed(o); err != nil {
			return nil, err
		}
	}
	return o, o.check(specs)
}
