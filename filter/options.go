package filter

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
	"superpoint/embed/cli"
	"superpoint/filter/device"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/partition/vccs"
)

//go:generate go run ./tables

// defaultClassDimension takes the classes unless an option says otherwise.
const defaultClassDimension = "Classification"

// The values of the option graph.
const (
	graphKNN  = "knn"
	graphGrid = "grid"
)

func fromZero() Range { return Range{Most: boundless} }
func above0() Range   { return Range{Most: boundless, Above: true} }
func counts() Range   { return Range{Least: 1, Most: maxCount} }
func upTo64() Range   { return Range{Least: 1, Most: 64} }

// Specs returns every option of the stage, in the order of the pages: to add one, add
// a row below and run go generate, which writes its field of Options.
func Specs() []Spec {
	specs := slices.Concat(makingSpecs(), graphSpecs(), writingSpecs(), measuringSpecs(), seedSpecs())
	for i := range specs {
		s := &specs[i]
		s.Group = cmp.Or(s.Group, GroupMaking)
		if s.of != nil {
			s.Methods = method.Names(s.of)
		}
	}
	return specs
}

// makingSpecs are the rows of what makes superpoints.
func makingSpecs() []Spec {
	return []Spec{
		{Name: "model", Kind: KindText, Default: models.Auto, Example: models.Geometric, Common: true,
			Help: "built-in model (" + codes(embed.Builtins()) + "), model file, `auto` (the best built-in model whose " +
				"dimensions the points have), or `geometric` (hand-crafted features, no learning)",
			More: "`pdal superpoint train` makes model files. `auto` takes `any`, and the log says so. " +
				"[Choosing](../../pipelines/choosing.md) says which suits what.",
			of: embeds},
		{Name: "method", Kind: KindChoice, Default: method.Default, Choices: methodChoices(), Example: method.GeomGraph,
			Common: true,
			Help:   "how superpoints are made",
			More: "An option that has no effect, because the method, the model or another option does not use it, is an " +
				"error."},
		{Name: "features", Kind: KindText, Unset: "none", Example: "Red,Green,Blue",
			Help: "dimensions, with commas between, whose values are used as they are in place of a model, " +
				"for example `Red,Green,Blue`",
			of: learns},
		{Name: "graph", Kind: KindChoice, Default: graphKNN, Example: graphGrid,
			Help: "what joins points",
			Choices: []Choice{
				{graphKNN, "the nearest neighbours"}, {graphGrid, "the pixels of an image that {ref}`readers.gdal` reads"},
			},
			of: learns},
		{Name: "solver", Kind: KindChoice, Default: method.Auto, Choices: solverChoices(), Example: method.CutPursuit,
			Else: "merge and multilevel were removed, auto finds lower energies",
			Help: "solver of the generalized minimal partition problem",
			of:   gmpp},
		{Name: "regularization", Kind: KindNumber, Unset: "from the model", Range: above0(), Example: "1",
			Else: "use target_size", Common: true,
			Help: "λ̃ of the paper: larger gives fewer and larger superpoints",
			More: "`any` has 16, the other models and `geometric` 1.",
			of:   gmpp},
		{Name: "target_size", Kind: KindNumber, Unset: "off", Range: counts(), Unit: "points", Example: "100", Common: true,
			Help: "wanted mean number of points per superpoint; excludes `regularization`",
			More: "λ̃, or for the other methods the distance of seeds, is searched for on the same embeddings."},
		{Name: "min_size", Kind: KindInteger, Unset: "from the model", Range: counts(), Unit: "points", Example: "40",
			Help: "smallest superpoint at λ̃ = 1, in points",
			More: "Scaled with λ̃ by the rule of the paper. With `target_size` it is left as given; without, the share of " +
				"that size that the model names: 4 % for `any`, else a tenth.",
			of: gmpp},
		{Name: "spatial_weight", Kind: KindNumber, Unset: "from the model", Range: fromZero(), Unit: "per metre",
			Example: "0.2",
			Help:    "weight of positions beside embeddings, per metre",
			More:    "0 leaves positions out. Most models weigh them by the spacing of the points.",
			of:      gmpp},
		{Name: "spacing", Kind: KindNumber, Unset: "from the points", Range: above0(), Unit: "metres", Example: "0.5",
			Help: "distance of neighbouring points in metres, which models of any scale and positions are scaled by",
			More: "Measured in each view. Give it where several runs must agree, for example over the tiles of a survey " +
				"(`pdal superpoint survey` does).",
			unused: noGraph},
		{Name: "sphere", Kind: KindBoolean, Default: "false", Example: "true",
			Help: "solve the partition problem with values on the unit sphere, where learned embeddings lie",
			of:   func(m *method.Method) bool { return m.GMPP && m.Learns }},
		{Name: "edge_decay", Kind: KindNumber, Default: float(embed.DefaultPartition().EdgeDecay), Range: above0(),
			Example: "0.5",
			Help:    "σ: edge weights are exp(−‖e_i−e_j‖²/σ) with the embeddings of the two points",
			of:      gmpp},
	}
}

// graphSpecs are the rows of what the graph joins.
func graphSpecs() []Spec {
	return []Spec{
		{Name: "knn", Kind: KindInteger, Default: strconv.Itoa(models.DefaultKNN), Range: upTo64(), Example: "20",
			Help: "neighbours in the neighbourhood that is embedded, for `geometric`; a learned model has its own",
			of:   embeds, unused: noNeighborhood},
		{Name: "adjacency_knn", Kind: KindInteger, Unset: "from the model; 8 with `graph` = `grid`",
			Range: upTo64(), Example: "10",
			Help: "neighbours each point is joined to in the adjacency graph, at most `knn` if that is given; " +
				"4 or 8 with `graph` = `grid`",
			More:   "`vccs` and `lin` look at the graph for `color` only.",
			unused: noGraph},
		{Name: "across_lines", Kind: KindBoolean, Unset: "`true`; `false` for `geom-graph` and `paper`", Example: "false",
			Help: "join points across the gaps between scan lines, where nearest neighbours stay in one line",
			More: "Where points lie much closer along a scan line than the lines do, nearest neighbours stay in the line, and " +
				"superpoints become stripes. Found from the points alone, in scans from the air, the street and spinning " +
				"scanners alike; other clouds get next to no such edges. Parts of a superpoint may then touch only across " +
				"a gap: `compare`, which counts pieces on the plain 5-nn graph, counts them as pieces. A model's card can " +
				"say `nearest_only`.",
			unused: noLines},
		{Name: "delaunay", Kind: KindBoolean, Unset: "from the model", Example: "true",
			Help:   "add Delaunay edges to the graph, for sparse scans",
			unused: noGraph},
		{Name: "max_edge", Kind: KindNumber, Unset: "from the points: four times their spacing", Range: above0(),
			Unit:    "metres",
			Example: "0.5",
			Help:    "longest Delaunay edge, in metres; with `delaunay`",
			unused:  noDelaunay},
	}
}

// writingSpecs are the rows of what is written.
func writingSpecs() []Spec {
	return []Spec{
		{Name: "dimension", Kind: KindDimension, Group: GroupWriting, Default: "SuperpointID", Example: "ClusterID",
			Help: "dimension that takes the ids; `ClusterID` is allowed, a field of LAS such as `Classification` is not"},
		{Name: "first_id", Kind: KindInteger, Group: GroupWriting, Default: "1", Range: Range{Least: 1, Most: math.MaxUint32},
			Example: "100001", Else: "the greatest id so far plus 1",
			Help: "the first id, so that the ids of several runs differ"},
		{Name: "embedding", Kind: KindBoolean, Group: GroupWriting, Default: "true", Example: "true",
			Help: "write `Embedding0`, `Embedding1`, …",
			More: "Methods without an embedding have none.",

			unused: noEmbedding(func(o *Options) bool { return o.Embedding != nil && *o.Embedding })},
		{Name: "color", Kind: KindBoolean, Group: GroupWriting, Default: "false", Example: "true",
			Help: "write `SuperpointColor`, 0–31: superpoints that touch differ"},
		{Name: "embedding_color", Kind: KindBoolean, Group: GroupWriting, Default: "false", Example: "true",
			Help: "write `EmbeddingR`, `EmbeddingG`, `EmbeddingB`: the first three embedding columns as 0–65535",

			unused: noEmbedding(func(o *Options) bool { return o.EmbeddingColor })},
		{Name: "vote", Kind: KindDimension, Group: GroupWriting, Unset: "none", Example: "Classification",
			Help: "dimension of classes; its majority over each superpoint goes to `Voted` and the name of the dimension",
			More: "Classes are whole numbers from 0; −1 is no class and has no vote, and a superpoint without a vote gets 0. " +
				"Any other number, a fraction or NaN is an error that names the point."},
		{Name: "classes", Kind: KindText, Group: GroupWriting, Unset: "none", Example: "aerial", Common: true,
			Help: "give points classes, by superpoints: built-in classes (" + codes(classes.Builtins()) + ") or a file of " +
				"`pdal superpoint train --classes`",
			More: "Classes go to `Classification` (or `class_dimension`), and to `ClassConfidence` the share of right answers " +
				"to expect, as calibrated on surveys left out of training. Isolated points get class 7, noise. Only classes in " +
				"`class_change` are overwritten.",
			unused: noLists},
		{Name: "class_dimension", Needs: "classes", Kind: KindDimension, Group: GroupWriting,
			Default: defaultClassDimension, Example: "UserData",
			Help:   "dimension that takes the classes",
			unused: noClasses},
		{Name: "class_change", Needs: "classes", Kind: KindText, Group: GroupWriting, Default: "0,1", Example: "all",
			Help: "classes that may be overwritten, with commas between, or `all`",
			More: "0 and 1 are points that nobody has classified: what a person has classified stays. " +
				"So do the classes of noise, 7 and 18, and the points that are withheld, also with `all`; of point " +
				"formats 0 to 5 where PDAL has a dimension Withheld, which 2.2 has not.",
			unused: noClasses},
		{Name: "min_confidence", Needs: "classes", Kind: KindNumber, Group: GroupWriting, Default: "0",
			Range: Range{Most: 1}, Example: "0.6",
			Help:   "confidence below which points get class 1, unclassified, in place of the likeliest class",
			unused: noClasses},
	}
}

// measuringSpecs are the rows of what is measured, and where.
func measuringSpecs() []Spec {
	return []Spec{
		{Name: "truth", Kind: KindDimension, Group: GroupMeasuring, Unset: "none", Example: "Classification",
			Help: "dimension of true classes (0 = unlabelled): adds OOA, BR, BP and undersegmentation error to the metadata",
			More: "Classes are whole numbers; 0 and −1 mean unlabelled, any other number below 0, a fraction or NaN is an " +
				"error."},
		{Name: "instances", Needs: "truth", Kind: KindDimension, Group: GroupMeasuring,
			Unset: "connected parts of a class", Example: "PointSourceId",
			Help: "dimension of true objects, for the measures of borders",
			More: "Numbered as the classes of `truth` are, which it needs."},
		{Name: "device", Kind: KindText, Default: device.Auto, Example: device.CPU,
			Help: "where to compute: `auto`, `cpu`, `cuda` or `cuda:N`",
			More: "`auto` takes a GPU if there is one, `cuda` fails without. Not yet run on a GPU; before the first use its " +
				"results are compared with the CPU's. On the GPU are the search for neighbours, the embedding, and the steps on " +
				"the points of the solver `local`, the default; all else runs on the CPU."},
		{Name: "threads", Kind: KindInteger, Default: "0", Range: Range{Least: 0, Most: 4096}, Example: "4",
			Help: "number of threads, 0 for all processors"},
	}
}

// seedSpecs are the rows of methods that cluster around seeds.
func seedSpecs() []Spec {
	weights := vccs.Defaults()
	return []Spec{
		{Name: "seed_resolution", Kind: KindNumber, Unset: "from the points", Range: above0(), Unit: "metres", Example: "2",
			Else: "use target_size",
			Help: "distance between seeds, in metres",
			of:   seeds},
		{Name: "voxel_resolution", Kind: KindNumber, Unset: "from the points", Range: above0(), Unit: "metres",
			Example: "0.7",
			Help:    "size of a voxel, in metres, below `seed_resolution`",
			of:      named(method.VCCS)},
		{Name: "spatial_importance", Kind: KindNumber,
			Unset: "`" + float(weights.Spatial) + "`; from the model for `ssp-cluster`", Range: fromZero(), Example: "3",
			Help: "weight of distance",
			More: "κ of SSP-cluster, 1 for models that do not say it.",
			of:   named(method.VCCS, method.SSPCluster)},
		{Name: "embedding_importance", Kind: KindNumber, Unset: "from the model", Range: fromZero(), Example: "6",
			Help: "weight of the embedding",
			More: "γ of SSP-cluster, 3 for models that do not say it.",
			of:   named(method.SSPCluster)},
		{Name: "normal_importance", Kind: KindNumber, Default: float(weights.Normal), Range: fromZero(), Example: "0",
			Help: "weight of normals",
			of:   named(method.VCCS)},
		{Name: "color_importance", Kind: KindNumber, Default: float(weights.Color), Range: fromZero(), Example: "2",
			Help: "weight of colours; above 0 it needs `Red`, `Green` and `Blue`",
			of:   named(method.VCCS)},
	}
}

// codes lists names as code.
func codes(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

func float(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// What options are for.
func gmpp(m *method.Method) bool   { return m.GMPP }
func embeds(m *method.Method) bool { return m.Embeds }
func learns(m *method.Method) bool { return m.Learns }
func seeds(m *method.Method) bool  { return !m.GMPP } // those cluster around seeds

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
