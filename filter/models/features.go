// SPDX-License-Identifier: BSD-3-Clause

package models

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/embed"
	"superpoint/filter/naming"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Features is the name of the model whose embedding is the values of dimensions.
const Features = "features"

// featuresSpacingWeight is α times the spacing of points for features in [0, 1]: ten spacings have the weight of a
// tenth of the range of a feature.
const featuresSpacingWeight = 0.01

// NewFeatures returns the model of the named dimensions.
func NewFeatures(text string) (*Model, error) {
	names := SplitNames(text)
	for i, name := range names {
		if err := naming.CheckDimension("features", name); err != nil {
			return nil, err
		}
		if name == "" || slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("option features: %q names a dimension twice, or none; give names, comma separated, "+
				"for example Red,Green,Blue", text)
		}
	}
	s := embed.DefaultPartition()
	s.SpacingWeight = featuresSpacingWeight
	return &Model{Name: Features, Neighbors: DefaultKNN, Needs: names, Settings: s, Embedder: features(names)}, nil
}

// SplitNames splits the value of the option features.
func SplitNames(text string) []string {
	names := strings.Split(text, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}

// features has the values of dimensions as embedding, each scaled linearly so that the 1 % and 99 %
// quantiles of the view are 0 and 1. Colours share one scale, and so do bands.
type features []string

// Dim implements embed.Embedder.
func (f features) Dim() int { return len(f) }

// Embed implements embed.Embedder.
func (f features) Embed(run parallel.Run, in *embed.Input) ([]float32, error) {
	m, n := len(f), in.Cloud.Len()
	low, high := f.ranges(in)
	e := make([]float32, n*m)
	for k, name := range f {
		values, per := in.Attributes[name], 1/(high[k]-low[k])
		err := run.ForEach(n, grain, func(i int) { e[i*m+k] = (values[i] - low[k]) * per })
		if err != nil {
			return nil, err
		}
	}
	for i, v := range e {
		if v-v != 0 { // infinite or NaN
			return nil, fmt.Errorf("dimension %q of point %d is %v; drop such points first, for example by filters.range",
				f[i%m], in.Cloud.Order[i/m], in.Attributes[f[i%m]][i/m])
		}
	}
	return e, nil
}

// ranges returns the scale of every feature.
func (f features) ranges(in *embed.Input) (low, high []float32) {
	low, high = make([]float32, len(f)), make([]float32, len(f))
	for k, name := range f {
		low[k], high[k] = arrays.Range(in.Attributes[name], tail)
		for j := range k {
			if scaleGroup(f[j]) == scaleGroup(name) {
				low[k], high[k] = min(low[k], low[j]), max(high[k], high[j])
			}
		}
	}
	for k := range f {
		for j := k + 1; j < len(f); j++ { // the last of a group has the range of all
			if scaleGroup(f[j]) == scaleGroup(f[k]) {
				low[k], high[k] = low[j], high[j]
			}
		}
		if !(high[k] > low[k]) { // constant: no contrast
			high[k] = low[k] + 1
		}
	}
	return low, high
}

// scaleGroup returns the name of the group of features that share a scale.
func scaleGroup(name string) string {
	switch {
	case slices.Contains([]string{"Red", "Green", "Blue", "Infrared"}, name):
		return "colour"
	case strings.HasPrefix(strings.ToLower(name), "band"): // of readers.gdal
		return "band"
	}
	return name
}

// tail is the share of values below 0, and of those above 1.
const tail = 0.01

const grain = 1 << 14 // points per block of a parallel loop
