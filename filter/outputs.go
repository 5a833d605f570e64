// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"

	"superpoint/filter/naming"
	"superpoint/filter/option"
	"superpoint/filter/paint"
	"superpoint/partition/base/parallel"
)

// plannedOutput is a dimension to write, and the option that asks for it.
type plannedOutput struct {
	Dimension
	option string
	remedy string // what to do if another option writes the dimension too
}

// plannedOutputs returns the dimensions to write, the ids first; without columns of
// the embedding before the model is loaded.
func (f *Filter) plannedOutputs() (all []plannedOutput) {
	for _, w := range Outputs() {
		for _, name := range w.names(f) {
			kind := w.Type
			if kind == "" {
				kind = naming.TypeOf(f.options.Text(w.Option))
			}
			all = append(all, plannedOutput{Dimension{name, kind, option.Plain(w.Help)}, w.Option, w.remedy})
		}
	}
	return all
}

const maxName = 32 // bytes of the name of an extra dimension of LAS

// checkOutputs fails if two options write the same dimension, one writes what another option or the model
// reads, or LAS would cut off a name, for example to the name of another level of superpoints.
func (f *Filter) checkOutputs() error {
	written := map[string]plannedOutput{}
	for _, c := range f.plannedOutputs() {
		if len(c.Name) > maxName {
			return fmt.Errorf(
				"option %s: %q has %d characters, and LAS cuts names after %d; %s, or use a shorter one",
				c.option,
				c.Name, len(c.Name), maxName, c.remedy)
		}
		key := strings.ToLower(c.Name)
		if other, twice := written[key]; twice {
			return fmt.Errorf("option %s: %q is also written by option %s; %s, or %s", other.option,
				c.Name, c.option,
				other.remedy, c.remedy)
		}
		written[key] = c
	}
	check := func(reader, name string) error {
		if c, lost := written[strings.ToLower(name)]; lost {
			return fmt.Errorf("option %s: %q would be overwritten, and %s reads it; %s", c.option, c.Name,
				reader, c.remedy)
		}
		return nil
	}
	if err := check("option vote", f.options.Vote); err != nil {
		return err
	}
	if f.model == nil {
		return nil
	}
	for _, name := range f.model.Needs {
		if err := check("model "+f.model.Name, name); err != nil {
			return err
		}
	}
	return nil
}

// OutputSpec states what the stage writes for one option: a dimension, or several.
type OutputSpec struct {
	Option  string // that asks for it
	Pattern string // names of the dimensions, for the pages
	Type    string // PDAL's name of the type; "" = the type of the dimension that the option names
	Help    string
	When    string // for the pages; "" = always

	remedy string // what to do if another option writes the dimension too
	whole  string // why tiles of a survey cannot have the dimensions, with a remedy; "" = they can
	stale  string // regular expression of the names; "" = the option names the dimension
	// dimensions to write, none unless the options ask for it
	names func(f *Filter) []string
	// computes the output and returns its values
	prepare func(p *partitioned, run parallel.Run, s *Segmentation) (valueOf, error)
}

// oneByOne is the remedy for an option that needs all superpoints at once.
const oneByOne = "; leave it out, or process files one by one (pdal superpoint segment)"

// Outputs returns all outputs of the stage, the ids first. To add an output, add a
// row.
func Outputs() []OutputSpec { return append(superpointOutputs(), classOutputs()...) }

// superpointOutputs returns the outputs of superpoints and embeddings.
func superpointOutputs() []OutputSpec {
	return []OutputSpec{
		{Option: "dimension", Pattern: "`SuperpointID` (or `dimension`), `SuperpointID1`, …", Type: "uint32",
			Help: "1, 2, 3, … without gaps; continues over views, branches and stages, and above " +
				"existing ids that are kept",
			remedy: "give the ids another dimension", stale: `SuperpointID[1-9]`,
			names:   func(f *Filter) []string { return f.options.IDDimensions() },
			prepare: (*partitioned).ids},
		{Option: "embedding", Pattern: "`Embedding0`, `Embedding1`, …", Type: "float",
			Help:   "the learned vector, of length 1; the built-in models have four columns",
			When:   "unless `embedding` is false",
			remedy: "set embedding=false", stale: `Embedding\d+`,
			names: embeddingNames, prepare: (*partitioned).keepEmbedding},
		{Option: "embedding_color", Pattern: option.Codes(embeddingColors()), Type: "uint16",
			Help:   "its first three columns, from [−1, 1] to 0–65535",
			When:   "if `embedding_color`",
			remedy: "set embedding_color=false", stale: `Embedding[RGB]`,
			prepare: (*partitioned).colorEmbedding,
			names: func(f *Filter) []string {
				if !f.options.EmbeddingColor || f.model.Dim() == 0 {
					return nil
				}
				return embeddingColors()
			}},
		{Option: "color", Pattern: "`SuperpointColor`", Type: "uint8",
			Help:   "0–31, adjacent superpoints differ",
			When:   "if `color`",
			remedy: "set color=false", stale: "SuperpointColor",
			whole: "colors of superpoints that touch need all of a survey at once; leave it out, and color " +
				"by the id",
			names:   func(f *Filter) []string { return nameIf("SuperpointColor", f.options.Color) },
			prepare: (*partitioned).color},
		{Option: "vote", Pattern: "`Voted` + the name in `vote`",
			Help:   "the majority over the superpoint",
			When:   "if `vote`",
			remedy: "leave vote out", stale: `Voted.+`,
			whole:   "votes of superpoints need all tiles of a survey" + oneByOne,
			names:   func(f *Filter) []string { return nameIf("Voted"+f.options.Vote, f.options.Vote != "") },
			prepare: (*partitioned).countVotes},
	}
}

// classOutputs returns the outputs of the option classes. The first of them that is prepared classifies the
// points, unless they are classified already.
func classOutputs() []OutputSpec {
	return []OutputSpec{
		{Option: "class_dimension", Pattern: "`Classification` (or `class_dimension`)",
			Help:   "the class; classes not in `class_change` are kept",
			When:   "if `classes`",
			remedy: "give the classes another dimension",
			names: func(f *Filter) []string {
				return nameIf(f.options.ClassDimension,
					f.options.Classes != "")
			},
			prepare: (*partitioned).class},
		{Option: "classes", Pattern: "`ClassConfidence`", Type: "float",
			Help: "calibrated probability that the class is correct; for a class that was kept, " +
				"its confidence in the input, or 1 without one",
			When:   "if `classes`",
			remedy: "leave classes out", stale: option.ConfidenceDimension,
			names: func(f *Filter) []string {
				return nameIf(option.ConfidenceDimension, f.options.Classes != "")
			},
			prepare: (*partitioned).confidence},
		{Option: "class_probabilities", Pattern: "`Probability2`, `Probability6`, …", Type: "float",
			Help:   "probability of each class of the classifier, named by its code; 0 for isolated points",
			When:   "if `class_probabilities`",
			remedy: "set class_probabilities=false", stale: probability + `\d+`,
			names: func(f *Filter) (names []string) {
				if f.classifier != nil && f.options.ClassProbabilities {
					for _, c := range f.classifier.Card.Classes {
						names = append(names, fmt.Sprint(probability, c.Code))
					}
				}
				return names
			},
			prepare: (*partitioned).probabilities},
	}
}

// probability begins the names of dimensions with probabilities of classes.
const probability = "Probability"

func nameIf(name string, wanted bool) []string {
	if !wanted {
		return nil
	}
	return []string{name}
}

// embeddingNames returns the names of the embedding's columns; nil if it is not asked for.
func embeddingNames(f *Filter) []string {
	if asked := f.options.Embedding; asked != nil && !*asked {
		return nil
	}
	return naming.Embedding(f.model.Dim())
}

// embeddingColors returns the dimensions that show the embedding as a colour.
func embeddingColors() []string { return []string{"EmbeddingR", "EmbeddingG", "EmbeddingB"} }

// stalePattern matches the names of all outputs but those whose dimension an option names.
var stalePattern = sync.OnceValue(func() *regexp.Regexp {
	var names []string
	for _, w := range Outputs() {
		if w.stale != "" {
			names = append(names, w.stale)
		}
	}
	return regexp.MustCompile("^(" + strings.Join(names, "|") + ")$")
})

// ids returns the ids of levels. All levels have the same first id; a coarser level has at most as many ids
// as the finest.
func (p *partitioned) ids(_ parallel.Run, s *Segmentation) (valueOf, error) {
	return func(level, i int) float64 {
		if level == 0 {
			return float64(s.ID[s.order[i]])
		}
		return float64(s.First + s.coarser[level-1][i])
	}, nil
}

// keepEmbedding returns the columns of the embedding.
func (p *partitioned) keepEmbedding(_ parallel.Run, s *Segmentation) (valueOf, error) {
	s.Dim, s.embedding = p.Dim, p.Values
	return func(k, i int) float64 { return float64(s.embedding[i*s.Dim+k]) }, nil
}

// colorEmbedding maps the first three columns of the embedding from [−1, 1], the range of a unit vector, to
// [0, 65535]; a missing column is 0.
func (p *partitioned) colorEmbedding(run parallel.Run, s *Segmentation) (valueOf, error) {
	column, err := p.keepEmbedding(run, s)
	return func(k, i int) float64 {
		if k >= s.Dim {
			return 0
		}
		return min(max(math.Round((column(k, i)+1)/2*math.MaxUint16), 0), math.MaxUint16)
	}, err
}

// color returns the colours of superpoints.
func (p *partitioned) color(parallel.Run, *Segmentation) (valueOf, error) {
	component := p.Component
	colors := paint.Colors(p.Graph, component, p.Count)
	return func(_, i int) float64 { return float64(colors[component[i]]) }, nil
}

// countVotes returns the majority of the dimension vote over superpoints; 0 without votes.
func (p *partitioned) countVotes(run parallel.Run, _ *Segmentation) (valueOf, error) {
	labels, err := p.view.Labels(run, p.Cloud.Order, "vote", p.filter.options.Vote)
	if err != nil {
		return nil, err
	}
	component := p.Component
	majority := paint.Majority(labels, component, p.Count)
	return func(_, i int) float64 { return float64(max(majority[component[i]], 0)) }, nil
}

// prepare computes the outputs that the options ask for.
func (s *Segmentation) prepare(p *partitioned, run parallel.Run, outputs []OutputSpec) error {
	for _, w := range outputs {
		names := w.names(p.filter)
		if names == nil {
			continue
		}
		value, err := w.prepare(p, run, s)
		if err != nil {
			return err
		}
		for k, name := range names {
			s.outputs = append(s.outputs, output{name, func(values []float64) {
				for i, to := range s.order {
					values[to] = value(k, i)
				}
			}})
		}
	}
	return nil
}
