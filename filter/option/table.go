// SPDX-License-Identifier: BSD-3-Clause

package option

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed"
	"superpoint/embed/classes"
	"superpoint/filter/device"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/naming"
	"superpoint/partition/rivals/vccs"
)

func fromZero() Range { return Range{Max: maxNumber} }

func above0() Range { return Range{Min: minNumber, Max: maxNumber} }

func counts() Range { return Range{Min: 1, Max: maxCount} }

func upTo64() Range { return Range{Min: 1, Max: 64} }

// Specs returns every option of the stage, in the order of the pages. To add an
// option, add a row below and run go generate, which writes its field of Options.
func Specs() []Spec {
	specs := slices.Concat(makingSpecs(), graphSpecs(), writingSpecs(), runningSpecs(), seedSpecs())
	for i := range specs {
		s := &specs[i]
		s.Group = cmp.Or(s.Group, GroupMaking)
		if s.of != nil {
			s.Methods = method.Names(s.of)
		}
	}
	return specs
}

// makingSpecs returns the options of models and partition.
func makingSpecs() []Spec {
	return []Spec{
		{Name: "model", Kind: KindText, Default: models.Auto, Example: models.Geometric, Common: true,
			Help: "built-in model (" + Codes(embed.Builtins()) + "), model file, `auto` or `geometric`",
			Details: "`auto` is the best built-in model whose dimensions the points have: `any` " +
				"([comparison](../../pipelines/choosing.md)). `geometric` has hand-crafted features and no " +
				"learned weights. `pdal superpoint train` writes model files.",
			of: embeds},
		{Name: "method", Kind: KindChoice, Default: method.Default, Choices: methodChoices(),
			Example: method.GeomGraph,
			Common:  true,
			Help:    "method that computes superpoints",
			Details: "An option that has no effect on the method is an error."},
		{Name: "solver", Kind: KindChoice, Default: method.Auto, Choices: solverChoices(),
			Example:     method.CutPursuit,
			Alternative: "merge and multilevel were removed, auto finds lower energies",
			Help:        "solver of the generalized minimal partition problem",
			of:          gmpp},
		{Name: "regularization", Kind: KindNumber, DefaultText: "from the model", Range: above0(),
			Example:     "1",
			Alternative: "use target_size", Common: true,
			Help:    "strength λ̃; larger values give fewer and larger superpoints",
			Details: "The default is 10 for `any`, 1 for the other models and `geometric`.",
			of:      gmpp},
		{Name: "target_size", Kind: KindNumbers, DefaultText: "off", Range: counts(), Unit: "points",
			Example: "100", Common: true,
			Help: "wanted mean number of points per superpoint, instead of `regularization`",
			Details: "The stage searches for λ̃ or, with seeds, for their distance. The mean leaves out " +
				"points that cannot reach the size: those in smaller connected components of the graph " +
				"and, with `any`, isolated points. Up to three rising sizes, `50,500,5000`, give nested " +
				"levels with `ssp` and `geom-graph`: superpoints of `SuperpointID1` and `SuperpointID2` " +
				"are unions of superpoints of the level before."},
		{Name: "min_size", Kind: KindInteger, DefaultText: "from the model", Range: counts(), Unit: "points",
			Example: "40",
			Help:    "smallest superpoint at λ̃ = 1, in points",
			Details: "It is scaled with λ̃ by the rule of the paper. With `target_size` a given value " +
				"is not scaled, and the default is 4 % of `target_size` for `any`, else 10 %.",
			of: gmpp},
		{Name: "spatial_weight", Kind: KindNumber, DefaultText: "from the model", Range: fromZero(),
			Unit:    "per metre",
			Example: "0.2",
			Help:    "weight of positions relative to embeddings, per metre",
			Details: "0 ignores positions. The default of most models is inversely proportional to the " +
				"spacing of the points.",
			of: gmpp},
		{Name: "spacing", Kind: KindNumber, DefaultText: "from the points", Range: above0(), Unit: "metres",
			Example: "0.5",
			Help:    "distance between neighbouring points, in metres",
			Details: "It scales positions and the inputs of some models. Set it if several runs must " +
				"agree: the default is measured in each view.",
			unused: noGraph},
		{Name: "edge_decay", Kind: KindNumber, DefaultText: "from the model", Range: above0(), Example: "0.5",
			Help: "σ of the edge weights exp(−‖e_i−e_j‖²/σ), with the embeddings e",
			Details: "The default is 0.3 for `any`, which has up to 0.5 in foliage, and 0.5 for the other " +
				"models and `geometric`.",
			of: gmpp},
	}
}

// graphSpecs returns the options of the adjacency graph.
func graphSpecs() []Spec {
	return []Spec{
		{Name: "knn", Kind: KindInteger, Default: strconv.Itoa(models.DefaultKNN), Range: upTo64(),
			Example: "20",
			Help:    "neighbours for the features of `geometric`; learned models have their own number",
			of:      embeds},
		{Name: "adjacency_knn", Kind: KindInteger, DefaultText: "from the model", Range: upTo64(),
			Example: "10",
			Help:    "neighbours of a point in the adjacency graph; at most `knn`, if given",
			Details: "`vccs` and `lin` use the graph for `color` only.",
			unused:  noGraph},
		{Name: "across_lines", Kind: KindBoolean,
			DefaultText: "`true` if the cloud has scan lines; `false` for `geom-graph` and `paper`",
			Example:     "false",
			Help:        "add edges across gaps between scan lines, and from clumps",
			Details: "Where points are much closer along a scan line than the lines are to each other, " +
				"superpoints follow the lines without such edges. A clump, at most 19 points nearest to " +
				"one another, would be a superpoint of its own. By default, a cloud has scan lines if 1 % " +
				"of its points get such edges. `compare` does not use them: it counts the parts of a " +
				"superpoint on both sides of a gap as two. `nearest_only` in a model's card turns them off.",
			unused: noGraph},
		{Name: "delaunay", Kind: KindBoolean, DefaultText: "from the model", Example: "true",
			Help:   "add Delaunay edges to the graph, for sparse scans",
			unused: noGraph},
		{Name: "max_edge", Kind: KindNumber, DefaultText: "from the points: four times their spacing",
			Range:   above0(),
			Unit:    "metres",
			Example: "0.5",
			Help:    "longest Delaunay edge, in metres; with `delaunay`",
			unused:  noDelaunay},
	}
}

// writingSpecs returns the options of the outputs.
func writingSpecs() []Spec {
	return []Spec{
		{Name: "dimension", Kind: KindDimension, Group: GroupWriting, Default: defaultDimension,
			Example: "ClusterID",
			Help: "dimension for the ids; `ClusterID` is allowed, a field of LAS such as `Classification` " +
				"is not"},
		{Name: "first_id", Kind: KindInteger, Group: GroupWriting, Default: "1",
			Range:   Range{Min: 1, Max: math.MaxUint32},
			Example: "100001", Alternative: "the greatest id so far plus 1",
			Help: "first id; set it so that the ids of several runs differ"},
		{Name: "embedding", Kind: KindBoolean, Group: GroupWriting, Default: "true", Example: "true",
			Help:    "write `Embedding0`, `Embedding1`, …",
			Details: "Methods without embeddings write none.",
			unused:  noEmbedding(func(o *Options) bool { return o.Embedding != nil && *o.Embedding })},
		{Name: "color", Kind: KindBoolean, Group: GroupWriting, Default: "false", Example: "true",
			Help: "write `SuperpointColor`, from 0 to 31; adjacent superpoints differ"},
		{Name: "embedding_color", Kind: KindBoolean, Group: GroupWriting, Default: "false", Example: "true",
			Help: "write the first three embedding columns as `EmbeddingR`, `EmbeddingG` and `EmbeddingB`, " +
				"from 0 to 65535",
			unused: noEmbedding(func(o *Options) bool { return o.EmbeddingColor })},
		{Name: "vote", Kind: KindDimension, Group: GroupWriting, DefaultText: "none",
			Example: "Classification",
			Help:    "dimension of classes; the majority in each superpoint is written to `Voted` + its name",
			Details: "Classes are whole numbers from 0. Points of −1 have no vote; a superpoint without " +
				"votes gets 0."},
		{Name: "classes", Kind: KindText, Group: GroupWriting, DefaultText: "none", Example: "aerial",
			Common: true,
			Help: "built-in classifier (" + Codes(classes.Builtins()) +
				") or a file of `pdal superpoint train --classes`",
			Details: "Writes classes to `Classification` (or `class_dimension`). `ClassConfidence` is " +
				"their probability of being correct, calibrated on surveys left out of training. Isolated " +
				"points get class 18 (high noise), 7 (low noise) or, near the ground, 1."},
		{Name: "class_dimension", Needs: "classes", Kind: KindDimension, Group: GroupWriting,
			Default: DefaultClassDimension, Example: "UserData",
			Help:   "dimension for the classes",
			unused: noClasses},
		{Name: "class_change", Needs: "classes", Kind: KindText, List: true, Group: GroupWriting,
			Default: "0,1",
			Example: "all",
			Help:    "classes that may be overwritten, comma separated, or `all`",
			Details: "0 and 1 are unclassified points. Noise (7, 18) and withheld points are always kept. " +
				"In point formats 0 to 5 withheld points are known only where PDAL has a dimension " +
				"Withheld, which 2.2 does not have.",
			unused: noClasses},
		{Name: "vegetation_heights", Needs: "classes", Kind: KindText, List: true, Group: GroupWriting,
			Default: "0.5,2", Example: "0.5,1.5",
			Help: "least heights above ground of medium (4) and high (5) vegetation, in metres",
			Details: "Lower vegetation is low (3). LAS leaves the heights to the survey: IGN's LiDAR HD " +
				"has `0.5,1.5`. With `0,0` all vegetation is high. Classifiers without ground (2), or with " +
				"the classes 3 or 4, do not use the heights.",
			unused: noClasses},
		{Name: "class_codes", Needs: "classes", Kind: KindText, List: true, Group: GroupWriting,
			DefaultText: "the codes of LAS", Example: "building=26,vegetation=3",
			Help: "codes to write for classes, as in `building=26,vegetation=3`",
			Details: "For national tables of codes. Name a class as in the classifier or in LAS, or give " +
				"its LAS code; several classes may have one code. Points that keep their class keep its " +
				"code.",
			unused: noClasses},
		{Name: "class_probabilities", Needs: "classes", Kind: KindBoolean, Group: GroupWriting,
			Default: "false",
			Example: "true",
			Help:    "write the probability of each class: `Probability2`, `Probability6`, …",
			unused:  noClasses},
		{Name: "min_confidence", Needs: "classes", Kind: KindNumber, Group: GroupWriting, Default: "0",
			Range: Range{Max: 1}, Example: "0.6",
			Help:   "least confidence; points below it get class 1 (unclassified)",
			unused: noClasses},
	}
}

// runningSpecs returns the options of device and threads.
func runningSpecs() []Spec {
	return []Spec{
		{Name: "device", Kind: KindText, Default: device.Auto, Example: device.CPU,
			Help: "device that computes: `auto`, `cpu`, `cuda` or `cuda:N`",
			Details: "`auto` uses a GPU, if there is one, for the neighbour search and the embedding of " +
				"views of two million points or more; `cuda` fails without one. A test before the first " +
				"use checks that the GPU computes the results of the CPU."},
		{Name: "threads", Kind: KindInteger, Default: "0", Range: Range{Min: 0, Max: 4096}, Example: "4",
			Help: "number of threads; 0 uses all processors"},
	}
}

// seedSpecs returns the options of methods that cluster around seeds.
func seedSpecs() []Spec {
	weights := vccs.Defaults()
	return []Spec{
		{Name: "seed_resolution", Kind: KindNumber, DefaultText: "from the points", Range: above0(),
			Unit:        "metres",
			Example:     "2",
			Alternative: "use target_size",
			Help:        "distance between seeds, in metres",
			of:          seeds},
		{Name: "voxel_resolution", Kind: KindNumber, DefaultText: "from the points", Range: above0(),
			Unit:    "metres",
			Example: "0.7",
			Help:    "side of a voxel, in metres; smaller than `seed_resolution`",
			of:      named(method.VCCS)},
		{Name: "spatial_importance", Kind: KindNumber,
			DefaultText: "`" + float(weights.Spatial) + "`; from the model for `ssp-cluster`",
			Range:       fromZero(), Example: "3",
			Help:    "weight of distance",
			Details: "This is κ of SSP-cluster; 1 if the model does not set it.",
			of:      named(method.VCCS, method.SSPCluster)},
		{Name: "embedding_importance", Kind: KindNumber, DefaultText: "from the model", Range: fromZero(),
			Example: "6",
			Help:    "weight of the embedding",
			Details: "This is γ of SSP-cluster; 3 if the model does not set it.",
			of:      named(method.SSPCluster)},
		{Name: "normal_importance", Kind: KindNumber, Default: float(weights.Normal), Range: fromZero(),
			Example: "0",
			Help:    "weight of normals",
			of:      named(method.VCCS)},
		{Name: "color_importance", Kind: KindNumber, Default: float(weights.Color), Range: fromZero(),
			Example: "2",
			Help:    "weight of colours; above 0 it needs `Red`, `Green` and `Blue`",
			of:      named(method.VCCS)},
	}
}

// Codes formats names as a Markdown list of code.
func Codes(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func float(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Sets of methods, for Spec.of.
func gmpp(m *method.Method) bool { return m.GMPP }

func embeds(m *method.Method) bool { return m.Embeds }

func seeds(m *method.Method) bool { return !m.GMPP }

func named(names ...string) func(m *method.Method) bool {
	return func(m *method.Method) bool { return slices.Contains(names, m.Name) }
}

// methodChoices are the values of the option method.
func methodChoices() (all []Choice) {
	for _, m := range method.Table() {
		all = append(all, Choice{m.Name, m.Help})
	}
	return all
}

// solverChoices are the values of the option solver.
func solverChoices() (all []Choice) {
	for _, s := range method.Solvers() {
		all = append(all, Choice{s.Name, s.Help})
	}
	return all
}

// OptionsOf parses options by name. An error names the option, the value and the
// remedy.
func OptionsOf(given map[string]string) (*Options, error) {
	o := new(Options)
	specs := Specs()
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
	if err := o.Check(specs); err != nil {
		return nil, err
	}
	return o, nil
}

// unknownOption is the error for an unknown name; it suggests the most similar option.
func unknownOption(specs []Spec, name string) error {
	names := make([]string, len(specs))
	for i := range specs {
		names[i] = specs[i].Name
	}
	return fmt.Errorf("unknown option %q%s; the options are %s", name, naming.DidYouMean(name, names),
		strings.Join(names, ", "))
}
