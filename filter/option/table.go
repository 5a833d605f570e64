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
			Help: "built-in model (" + Codes(embed.Builtins()) +
				"), model file, `auto` (the best built-in model whose " +
				"dimensions the points have), or `geometric` (hand-crafted features, no learning)",
			Details: "`pdal superpoint train` writes model files. `auto` chooses `any` " +
				"([comparison](../../pipelines/choosing.md)).",
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
			Help:    "larger gives fewer and larger superpoints",
			Details: "The default is 10 for `any`, 1 for the other models and `geometric`.",
			of:      gmpp},
		{Name: "target_size", Kind: KindNumbers, DefaultText: "off", Range: counts(), Unit: "points",
			Example: "100", Common: true,
			Help: "wanted mean number of points per superpoint; excludes `regularization`",
			Details: "Searches for λ̃ or, for methods with seeds, their distance. Points that cannot reach " +
				"the size do not " +
				"count: those in smaller connected parts of the graph and, with `any`, isolated ones. Up " +
				"to three rising sizes, " +
				"`50,500,5000`, give nested levels with `ssp` and `geom-graph`: superpoints of " +
				"`SuperpointID1` and " +
				"`SuperpointID2` are unions of those of the level before."},
		{Name: "min_size", Kind: KindInteger, DefaultText: "from the model", Range: counts(), Unit: "points",
			Example: "40",
			Help:    "smallest superpoint at λ̃ = 1, in points",
			Details: "Scaled with λ̃ by the rule of the paper. With `target_size`, a given value is not " +
				"scaled, and the " +
				"default is a share of `target_size` from the model: 4 % for `any`, else 10 %.",
			of: gmpp},
		{Name: "spatial_weight", Kind: KindNumber, DefaultText: "from the model", Range: fromZero(),
			Unit:    "per metre",
			Example: "0.2",
			Help:    "weight of positions relative to embeddings, per metre",
			Details: "0 ignores positions. In most models the default is inversely proportional to the " +
				"spacing of the points.",
			of: gmpp},
		{Name: "spacing", Kind: KindNumber, DefaultText: "from the points", Range: above0(), Unit: "metres",
			Example: "0.5",
			Help: "distance of neighbouring points in metres; scales positions and the inputs of some " +
				"models",
			Details: "Measured in each view. Set it where several runs must agree.",
			unused:  noGraph},
		{Name: "edge_decay", Kind: KindNumber, DefaultText: "from the model", Range: above0(), Example: "0.5",
			Help: "σ: edge weights are exp(−‖e_i−e_j‖²/σ) with the embeddings of the two points",
			Details: "The default is 0.3 for `any`, which has up to 0.5 in foliage, 0.5 for the other " +
				"models and `geometric`.",
			of: gmpp},
	}
}

// graphSpecs returns the options of the adjacency graph.
func graphSpecs() []Spec {
	return []Spec{
		{Name: "knn", Kind: KindInteger, Default: strconv.Itoa(models.DefaultKNN), Range: upTo64(),
			Example: "20",
			Help: "neighbours that `geometric` reads for the features of a point; a learned model has its " +
				"own number",
			of: embeds},
		{Name: "adjacency_knn", Kind: KindInteger, DefaultText: "from the model", Range: upTo64(),
			Example: "10",
			Help:    "neighbours of each point in the adjacency graph, at most `knn` if that is given",
			Details: "`vccs` and `lin` use the graph for `color` only.",
			unused:  noGraph},
		{Name: "across_lines", Kind: KindBoolean,
			DefaultText: "`true` if the cloud has scan lines; `false` for `geom-graph` and `paper`",
			Example:     "false",
			Help:        "add edges across the gaps between scan lines, and from clumps",
			Details: "Where points are much closer along a scan line than the lines are to each other, " +
				"superpoints would " +
				"follow the lines; clumps of up to 19 points, nearest to one another, would be " +
				"superpoints. By default, a cloud " +
				"has scan lines if 1 % of its points get such edges. Parts of a superpoint may touch only " +
				"across a gap: " +
				"`compare`, without these edges, counts them twice. A model's card can say `nearest_only`.",
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
			Help: "write `SuperpointColor`, 0–31: adjacent superpoints differ"},
		{Name: "embedding_color", Kind: KindBoolean, Group: GroupWriting, Default: "false", Example: "true",
			Help: "write `EmbeddingR`, `EmbeddingG`, `EmbeddingB`: the first three embedding columns as " +
				"0–65535",
			unused: noEmbedding(func(o *Options) bool { return o.EmbeddingColor })},
		{Name: "vote", Kind: KindDimension, Group: GroupWriting, DefaultText: "none",
			Example: "Classification",
			Help: "dimension of classes; its majority over each superpoint goes to `Voted` and the name " +
				"of the dimension",
			Details: "Classes are whole numbers from 0; −1 has no vote, and a superpoint without votes " +
				"gets 0."},
		{Name: "classes", Kind: KindText, Group: GroupWriting, DefaultText: "none", Example: "aerial",
			Common: true,
			Help: "classify superpoints: built-in classifier (" + Codes(classes.Builtins()) +
				") or a file of " +
				"`pdal superpoint train --classes`",
			Details: "Writes classes to `Classification` (or `class_dimension`), and their probability of " +
				"being correct, calibrated on surveys left out of training, to `ClassConfidence`. Isolated " +
				"points get class 18, high noise, or 7, low noise, and 1 near the ground."},
		{Name: "class_dimension", Needs: "classes", Kind: KindDimension, Group: GroupWriting,
			Default: DefaultClassDimension, Example: "UserData",
			Help:   "dimension for the classes",
			unused: noClasses},
		{Name: "class_change", Needs: "classes", Kind: KindText, List: true, Group: GroupWriting,
			Default: "0,1",
			Example: "all",
			Help:    "classes that may be overwritten, comma separated, or `all`",
			Details: "0 and 1 are unclassified points. Noise, 7 and 18, and withheld points are kept also " +
				"with `all`; withheld points of point formats 0 to 5 only where PDAL has a dimension " +
				"Withheld, which 2.2 does not have.",
			unused: noClasses},
		{Name: "vegetation_heights", Needs: "classes", Kind: KindText, List: true, Group: GroupWriting,
			Default: "0.5,2", Example: "0.5,1.5",
			Help: "heights over the ground from which vegetation is medium (4) and high (5), metres",
			Details: "Lower vegetation is 3, low. LAS names the classes and leaves their heights to the " +
				"survey: IGN's LiDAR HD has `0.5,1.5`. With `0,0` all vegetation is 5. Classifiers without " +
				"ground (2), or with the classes 3 or 4, keep theirs.",
			unused: noClasses},
		{Name: "class_codes", Needs: "classes", Kind: KindText, List: true, Group: GroupWriting,
			DefaultText: "those of LAS", Example: "building=26,vegetation=3",
			Help: "codes to write for classes, as in `building=26,vegetation=3`",
			Details: "For national tables. A class has its name in the classifier, the name of LAS, or the " +
				"code of LAS; classes may share a code. Classes that are kept are not changed.",
			unused: noClasses},
		{Name: "class_probabilities", Needs: "classes", Kind: KindBoolean, Group: GroupWriting,
			Default: "false",
			Example: "true",
			Help:    "write the probability of each class: `Probability2`, `Probability6`, …",
			unused:  noClasses},
		{Name: "min_confidence", Needs: "classes", Kind: KindNumber, Group: GroupWriting, Default: "0",
			Range: Range{Max: 1}, Example: "0.6",
			Help:   "confidence below which points get class 1, unclassified",
			unused: noClasses},
	}
}

// runningSpecs returns the options of device and threads.
func runningSpecs() []Spec {
	return []Spec{
		{Name: "device", Kind: KindText, Default: device.Auto, Example: device.CPU,
			Help: "where to compute: `auto`, `cpu`, `cuda` or `cuda:N`",
			Details: "`auto` uses a GPU, if there is one, for the neighbour search and the embedding of " +
				"views of two million points or more; `cuda` fails without one. Results are the CPU's, " +
				"which is tested before the first use."},
		{Name: "threads", Kind: KindInteger, Default: "0", Range: Range{Min: 0, Max: 4096}, Example: "4",
			Help: "number of threads, 0 for all processors"},
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
			Help:    "size of a voxel, in metres, below `seed_resolution`",
			of:      named(method.VCCS)},
		{Name: "spatial_importance", Kind: KindNumber,
			DefaultText: "`" + float(weights.Spatial) + "`; from the model for `ssp-cluster`",
			Range:       fromZero(), Example: "3",
			Help:    "weight of distance",
			Details: "κ of SSP-cluster; 1 if the model does not set it.",
			of:      named(method.VCCS, method.SSPCluster)},
		{Name: "embedding_importance", Kind: KindNumber, DefaultText: "from the model", Range: fromZero(),
			Example: "6",
			Help:    "weight of the embedding",
			Details: "γ of SSP-cluster; 3 if the model does not set it.",
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
