// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// ParseCard reads and validates a YAML card. Unknown fields are errors.
//
// Unknown fields are refused, because a misspelt one would otherwise silently have its default. The length is
// limited before the text is parsed.
func ParseCard(text []byte) (*Card, error) {
	if len(text) > maxCard {
		return nil, &CardError{"length", len(text), fmt.Sprintf("must be at most %d bytes", maxCard)}
	}
	var c Card
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf(
			"model card is not valid YAML of format %s: %w; remake the file with \"superpoint train\"",
			Format, err)
	}
	// A second document would be ignored, and its content lost.
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, errors.New("model card holds more than one YAML document; keep one")
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return &c, nil
}

// YAML returns the card as text that ParseCard reads.
func (c *Card) YAML() ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(c); err != nil {
		return nil, fmt.Errorf("writing model card %q: %w", c.Name, err)
	}
	return b.Bytes(), nil
}

// Validate returns the first fault as a *CardError, or nil.
//
// It is called when a card is read, before a model is saved, and by functions that are given a card, so that
// later code relies on its bounds: no width is 0, no list too long, no channel unknown.
func (c *Card) Validate() error {
	switch {
	case c.Format != Format:
		return &CardError{"format", c.Format, "this version reads " + Format +
			"; update the plugin or remake the model"}
	case !cardName.MatchString(c.Name):
		return &CardError{"name", fmt.Sprintf("%q", c.Name),
			"use 1 to 63 lower case letters, digits, - and _"}
	}
	if err := c.Inputs.validate(len(c.Network.ST.FC) > 0); err != nil {
		return err
	}
	if err := c.Network.validate(); err != nil {
		return err
	}
	if c.Integer != nil {
		if err := c.Integer.validate(c); err != nil {
			return err
		}
	}
	if err := c.Partition.validate(); err != nil {
		return err
	}
	// Volume reads near_scattering, which is a column of context.
	if v := c.Partition.Volume; v != nil && c.ContextReach() == 0 {
		return &CardError{"partition.volume", *v, "needs channels of context; leave it out"}
	}
	// Empty in a card that Save has not completed yet.
	//
	// A card that lists other dimensions than its channels read was edited by hand, in one place of two.
	if want := c.Requires(); len(c.Dimensions) > 0 && !slices.Equal(c.Dimensions, want) {
		return &CardError{"dimensions", c.Dimensions,
			fmt.Sprintf("the channels need %v; leave the field out or correct it", want)}
	}
	if c.Weights != "" && (len(c.Weights) != 64 || strings.Trim(c.Weights, "0123456789abcdef") != "") {
		return &CardError{"weights_sha256", c.Weights,
			"must be 64 lower case hexadecimal digits, or left out"}
	}
	return nil
}

// Conditions are written as !(x > 0) and not x <= 0, because NaN, which YAML has, fails each comparison.
func (p *Partition) validate() error {
	switch {
	// Infinity is in YAML, too (.inf): the upper bounds refuse it.
	case !(p.Regularization > 0 && p.Regularization < 1e6):
		return &CardError{"partition.regularization", p.Regularization, "must be above 0; the paper has 1"}
	case !(p.SpatialWeight >= 0 && p.SpatialWeight < 1e6):
		return &CardError{"partition.spatial_weight", p.SpatialWeight,
			"must be 0 or more, per metre; the paper has 0.02 to 0.2"}
	case !(p.SpacingWeight >= 0 && p.SpacingWeight < 1e3):
		return &CardError{"partition.spacing_weight", p.SpacingWeight,
			"must be 0 (off) or a small positive number; 0.03 is usual"}
	case p.MinSize < 1 || p.MinSize > 1<<20:
		return &CardError{"partition.min_size", p.MinSize, "must be at least 1 point; the paper has 10 to 40"}
	case !(p.MinShare >= 0 && p.MinShare <= 1):
		return &CardError{"partition.min_share", p.MinShare, "must be 0 (a tenth) to 1"}
	case !(p.EdgeDecay > 0 && p.EdgeDecay < 1e6):
		return &CardError{"partition.edge_decay", p.EdgeDecay, "must be above 0; the paper has 0.5"}
	case p.AdjacencyKNN < 1 || p.AdjacencyKNN > maxNeighbors:
		return &CardError{"partition.adjacency_knn", p.AdjacencyKNN,
			fmt.Sprintf("must be 1 to %d; the paper has 5", maxNeighbors)}
	case !(p.MaxEdge >= 0 && p.MaxEdge < 1e6):
		return &CardError{"partition.max_edge", p.MaxEdge,
			"must be 0 (by the spacing of points) or metres; the paper has " +
				"0.5"}
	}
	if c := p.Clusters; c != nil && !(c.Embedding > 0 && c.Embedding < 1e6 && c.Spatial >= 0 &&
		c.Spatial < 1e6) {
		return &CardError{"partition.clusters", *c,
			"must have embedding above 0 and spatial 0 or more; 3 and 1 are usual"}
	}
	// Equal ends would have a slope of 1/0 (Ramps).
	if v := p.Volume; v != nil && !(v.From >= 0 && v.From < v.To && v.To <= 1) {
		return &CardError{"partition.volume", *v, "must have 0 ≤ from < to ≤ 1; 0.2 and 0.7 are usual"}
	}
	// WeightFrom and WeightTo are read only with a weight, so without one they may be absent, which is 0 and
	// 0.
	if v := p.Volume; v != nil && v.Weight != 0 && !(v.Weight > 0 && v.Weight <= maxWeight &&
		v.WeightFrom >= 0 && v.WeightFrom < v.WeightTo && v.WeightTo <= 1) {
		return &CardError{"partition.volume", *v,
			"must have 0 ≤ weight_from < weight_to ≤ 1, and weight 0 (off) to 100; " +
				"0.35, 0.6 and 3 are usual"}
	}
	return nil
}

// Exponents of other channels are constants (Exponent) and not in the card.
func (n *Integer) validate(c *Card) error {
	if c.Network.InFloats() {
		return &CardError{"integer", "given",
			"leave it out: models with norm: group or sphere: false are computed in floats"}
	}
	if n.Activations != activationBits || n.Weights != weightBits {
		return &CardError{"integer.activation_bits, weight_bits", []int{n.Activations, n.Weights},
			"must be 7 and 8"}
	}
	for _, name := range c.Inputs.Measured() {
		// An exponent that is absent would be read as 0, with which all values between −0.5 and 0.5 are 0.
		if e, ok := n.Exponents[name]; !ok || e < -mostExponent || e > mostExponent {
			return &CardError{"integer.exponents", n.Exponents,
				fmt.Sprintf("must hold %s, between %d and %d", name,
					-mostExponent, mostExponent)}
		}
	}
	return nil
}

// It returns before last is called with an empty list: PointNet.validate requires at least two widths.
func (n *Network) validate() error {
	switch {
	case n.Norm != NormBatch && n.Norm != NormGroup:
		return &CardError{"network.norm", n.Norm, "must be batch or group"}
	case (n.Groups != 0) != (n.Norm == NormGroup) || n.Groups < 0:
		return &CardError{"network.norm_groups", n.Groups,
			"must be above 0 with norm: group, and left out with batch; " +
				"the paper has 4"}
	case n.Order != "linear-norm-relu":
		return &CardError{"network.order", n.Order, "must be linear-norm-relu"}
	case !(n.Epsilon >= 1e-8 && n.Epsilon <= 1):
		return &CardError{"network.norm_epsilon", n.Epsilon, "must be between 1e-8 and 1; usual is 1e-5"}
	}
	// One list without the other is refused there: a transform needs both.
	if len(n.ST.Conv)+len(n.ST.FC) > 0 {
		if err := n.ST.validate("network.st", n.Groups); err != nil {
			return err
		}
		if last(n.ST.FC) != 4 {
			return &CardError{"network.st.fc", n.ST.FC, "must end with 4, the 2 × 2 matrix"}
		}
	}
	if err := n.LPE.validate("network.lpe", n.Groups); err != nil {
		return err
	}
	if m := last(n.LPE.FC); m < 2 || m > 64 {
		return &CardError{"network.lpe.fc", n.LPE.FC,
			"must end with the embedding's length, 2 to 64; the paper has 4"}
	}
	return nil
}

// Two layers at least, because kernels treat the first and the last convolution each in their own way.
func (u *PointNet) validate(field string, groups int) error {
	for _, part := range []struct {
		name   string
		widths []int
	}{{".conv", u.Conv}, {".fc", u.FC}} {
		if len(part.widths) < 2 || len(part.widths) > maxLayers {
			return &CardError{field + part.name, part.widths,
				fmt.Sprintf("must list 2 to %d layer widths", maxLayers)}
		}
		for _, w := range part.widths {
			if w < 1 || w > maxWidth {
				return &CardError{field + part.name, part.widths,
					fmt.Sprintf("every width must be 1 to %d", maxWidth)}
			}
		}
	}
	// The last layer has no norm, so its width need not be divided.
	for _, w := range slices.Concat(u.Conv, u.FC[:len(u.FC)-1]) {
		// A group has w/groups channels; the rest would be in none.
		if groups > 0 && w%groups != 0 {
			return &CardError{"network.norm_groups", groups,
				fmt.Sprintf("must divide every normalised width, also %d", w)}
		}
	}
	return nil
}

func (ch *Channels) validate(transforms bool) error {
	if ch.Neighbors < 1 || ch.Neighbors > maxNeighbors {
		return &CardError{"inputs.neighbors", ch.Neighbors, fmt.Sprintf("must be 1 to %d; the paper has 20",
			maxNeighbors)}
	}
	// Offsets are the first three numbers of a row, in this order (Inputs.Gather).
	if len(ch.Neighbor) < 3 || !slices.Equal(ch.Neighbor[:3], position) {
		return &CardError{"inputs.neighbor_channels", ch.Neighbor, "must begin with x, y, z"}
	}
	for _, list := range []struct {
		field           string
		channels, legal []string
	}{
		{"inputs.neighbor_channels", ch.Neighbor, NeighborChannelNames()},
		{"inputs.point_channels", ch.Point, PointChannelNames()},
	} {
		if err := validateNames(list.field, list.channels, list.legal, transforms); err != nil {
			return err
		}
	}
	// NaN fails both comparisons, and the bound refuses infinity.
	if !(ch.Spacing >= 0 && ch.Spacing <= 100) {
		return &CardError{"inputs.spacing", ch.Spacing,
			"must be 0 (metres as they are) or a spacing of points in metres, " +
				"at most 100; 0.25 is usual"}
	}
	if ch.Spacing == 0 {
		// Context is measured in spacings, and has no meaning in a cloud that is not scaled to one.
		for _, c := range ch.uses() {
			if isContext(c.name) {
				return &CardError{"inputs.spacing", ch.Spacing, "must be above 0 for channel " + c.name}
			}
		}
	}
	return nil
}

// validateNames fails unless channels are among the legal ones, each once. transforms reports whether the
// network has spatial transforms, which the channels of omega come from.
func validateNames(field string, channels, legal []string, transforms bool) error {
	// Kernels have arrays of this length (layout.MostChannels).
	if len(channels) > maxChannels {
		return &CardError{field, len(channels), fmt.Sprintf("must list at most %d channels", maxChannels)}
	}
	for i, name := range channels {
		why := ""
		switch {
		case !slices.Contains(legal, name):
			why = "must be among " + strings.Join(legal, ", ")
		case slices.Contains(channels[:i], name):
			why = "is there twice; keep one"
		case !transforms && slices.Contains(omega, name):
			why = "needs a spatial transform: give network.st its widths or leave the channel out"
		}
		if why != "" {
			return &CardError{field, fmt.Sprintf("%q", name), why}
		}
	}
	return nil
}
