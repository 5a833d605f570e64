package compare

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"gopkg.in/yaml.v3"

	"superpoint/embed/whole"
)

// basis is what all results of a folder rest on, whatever the system: results of
// another one are no continuation.
type basis struct {
	Truth        string  `yaml:"truth"`
	Instances    string  `yaml:"instances,omitempty"`
	AdjacencyKNN int     `yaml:"adjacency_knn"`
	Voxel        float64 `yaml:"voxel,omitempty"`
	Rules        []Rule  `yaml:"rules,omitempty"`
}

// settle writes the basis beside results, or returns an error if the results that
// are there rest on another.
func (c *Config) settle(to, results *whole.Output) error {
	text, err := yaml.Marshal(basis{c.Truth, c.Instances, c.AdjacencyKNN, c.Voxel, c.Rules})
	if err != nil {
		return err
	}
	before, err := os.ReadFile(to.Path())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err = os.Stat(results.Path()); err == nil && !bytes.Equal(before, text) {
		how := to.Path() + " says how"
		if before == nil {
			how = "there is no " + to.Path() + " that says how"
		}
		return fmt.Errorf("%s was not measured as is asked for now (%s); name another output, or remove it to begin anew",
			results.Path(), how)
	}
	return to.Write(func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
