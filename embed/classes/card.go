// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"gopkg.in/yaml.v3"

	"superpoint/embed"
)

// Format is the value of a card's format field.
const Format = "superpoint-classes/3"

// Limits of a card, far above what is needed, so that a hostile file cannot
// exhaust the memory.
const (
	maxCard     = 1 << 20 // bytes of YAML; a label takes about 60
	maxClasses  = 64
	maxDim      = 64
	maxWidth    = 1024
	maxRounds   = 8
	maxNetworks = 64 // the sum of their widths is at most maxWidth
)

// Card describes a classifier: which classes it separates, what it reads, and
// where its weights come from. It is kept as YAML inside the model file.
type Card struct {
	Format      string    `yaml:"format"`
	Name        string    `yaml:"name"`
	Description string    `yaml:"description"` // one line: which clouds it is for
	Classes     []Class   `yaml:"classes"`
	Embedding   Embedding `yaml:"embedding"`
	Features    []string  `yaml:"features,flow"` // as FeatureNames returns them; filled in by Save
	Width       int       `yaml:"width"`         // of every hidden layer of a network
	// number of networks whose logits are averaged (an ensemble, Hansen and
	// Salamon 1990, doi:10.1109/34.58871); 0 = 1
	Networks int `yaml:"networks,omitempty"`
	Rounds   int `yaml:"rounds"` // of message passing
	// logits are divided by it, so that the confidence equals the share of correct classes
	// (temperature scaling, Guo et al. 2017, arXiv:1706.04599)
	Temperature float64        `yaml:"temperature"`
	Labels      []Place        `yaml:"labels,omitempty"` // of users; filled in by Fit
	Training    embed.Training `yaml:"training"`
	// of all tensors' bytes in file order; filled in by Save
	Weights string `yaml:"weights_sha256"`
}

// Class is one of the classes.
type Class struct {
	Code int    `yaml:"code"` // value of Classification, 0 to 255
	Name string `yaml:"name"`
}

// Embedding identifies the embedding from which features are computed.
type Embedding struct {
	Model string `yaml:"model"` // name of the model
	Sum   string `yaml:"sum"`   // first digits of the SHA-256 of its weights
	Dim   int    `yaml:"dim"`
}

var cardName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// networks returns the number of networks.
func (c *Card) networks() int { return max(1, c.Networks) }

// hidden returns the width of a hidden layer of all networks together.
func (c *Card) hidden() int { return c.Width * c.networks() }

// fieldCheck is a field of a card with its value, whether it is valid, and what it must be.
type fieldCheck struct {
	valid  bool
	field  string
	value  any
	remedy string
}

// within checks that a number is in a range.
func within(field string, value, least, most int) fieldCheck {
	return fieldCheck{value >= least && value <= most, field, value, fmt.Sprintf("must be %d to %d",
		least, most)}
}

// checks lists the checks of all fields except the classes.
func (c *Card) checks() []fieldCheck {
	networks := within("networks", c.Networks, 0, maxNetworks)
	networks.valid = networks.valid && c.hidden() <= maxWidth
	networks.remedy += fmt.Sprintf(", and networks × width at most %d", maxWidth)
	tempered := c.Temperature >= 0.01 && c.Temperature <= 100
	known := c.Features == nil || slices.Equal(c.Features, FeatureNames(c.Embedding.Dim))
	return []fieldCheck{
		{c.Format == Format, "format", c.Format, "must be " + Format},
		{cardName.MatchString(c.Name), "name", c.Name, "must be lower case letters, digits, - and _"},
		within("classes", len(c.Classes), 2, maxClasses),
		within("embedding.dim", c.Embedding.Dim, 0, maxDim),
		within("width", c.Width, 1, maxWidth),
		networks,
		within("rounds", c.Rounds, 0, maxRounds),
		{tempered, "temperature", c.Temperature, "must be 0.01 to 100; 1 leaves logits as they are"},
		{known, "features", c.otherFeatures(),
			"differ from those of this version; train the classifier again"},
	}
}

// Validate checks every field.
func (c *Card) Validate() error {
	if c.Embedding.Dim < 0 || c.Embedding.Dim > maxDim { // before features are named
		return &embed.CardError{Field: "embedding.dim", Value: c.Embedding.Dim,
			Remedy: fmt.Sprintf("must be 0 to %d", maxDim)}
	}
	for _, check := range c.checks() {
		if !check.valid {
			return &embed.CardError{Field: check.field, Value: check.value, Remedy: check.remedy}
		}
	}
	for i, class := range c.Classes {
		same := func(o Class) bool { return o.Code == class.Code || o.Name == class.Name }
		inRange := class.Code >= 0 && class.Code <= 255 && class.Name != ""
		if !inRange || slices.ContainsFunc(c.Classes[:i], same) {
			return &embed.CardError{Field: fmt.Sprintf("classes[%d]", i), Value: class,
				Remedy: "must have a code of 0 to 255 and a name, which no other class has"}
		}
	}
	return nil
}

// otherFeatures lists the features that only the card has, and those that only FeatureNames has.
func (c *Card) otherFeatures() (other []string) {
	known := FeatureNames(c.Embedding.Dim)
	for _, lists := range [][2][]string{{c.Features, known}, {known, c.Features}} {
		for _, name := range lists[0] {
			if !slices.Contains(lists[1], name) {
				other = append(other, name)
			}
		}
	}
	return other
}

// parseCard reads and validates a YAML card. Unknown fields are errors.
func parseCard(text []byte) (*Card, error) {
	if len(text) > maxCard {
		return nil, &embed.CardError{Field: "length", Value: len(text),
			Remedy: fmt.Sprintf("must be at most %d bytes", maxCard)}
	}
	var c Card
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf(
			"card of classes is not valid YAML of format %s; train those of earlier versions again: %w",
			Format, err)
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("card of classes holds more than one YAML document; keep one")
	}
	return &c, c.Validate()
}

// YAML returns the card as text that parseCard reads.
func (c *Card) YAML() ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(c)
	return b.Bytes(), err
}
