package filter

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"superpoint/embed/cli"
)

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
	if err := o.check(specs); err != nil {
		return nil, err
	}
	return o, nil
}

// unknownOption names the nearest option to a name that is none.
func unknownOption(specs []Spec, name string) error {
	names := make([]string, len(specs))
	for i := range specs {
		names[i] = specs[i].Name
	}
	return fmt.Errorf("unknown option %q%s; the options are %s", name, cli.DidYouMean(name, names),
		strings.Join(names, ", "))
}
