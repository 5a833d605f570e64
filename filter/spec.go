package filter

import "math"

// kind is the type of an option's value.
type kind int

const (
	text kind = iota
	number
	integer
	boolean
)

// Spec states one option: name, default, range and meaning. Hosts that declare
// options themselves can check their list against Specs.
type Spec struct {
	Name    string
	Default string   // as a user would write it; "" means from the model, or off
	Help    string   // one line
	Choices []string // allowed values; nil means free
	Methods []string // methods that use it; nil means all

	kind   kind
	lo, hi float64 // inclusive range of a number
	open   bool    // lo itself is excluded
	remedy string  // what to do when the value is out of range

	// unused says why the option has no effect beside the others; "" when it has.
	unused func(o *Options) string
}

// Numeric tells whether the option is a number.
func (s *Spec) Numeric() bool { return s.kind == number || s.kind == integer }

const maxCount = 1 << 30

// Specs returns every option of the stage.
func Specs() []Spec {
	graph := []string{"ssp", "ssp-cluster", "geom-graph"}
	gmpp := []string{"ssp", "geom-graph"}
	seeds := []string{"ssp-cluster", "vccs", "lin"}
	return []Spec{
		{Name: "model", Default: "auto", kind: text, Methods: graph,
			Help: "built-in model name, model file, `auto` (best built-in model whose inputs the view has), or `geometric` (no learning)"},
		{Name: "method", Default: "ssp", kind: text, Choices: []string{"ssp", "ssp-cluster", "geom-graph", "vccs", "lin"},
			Help: "how superpoints are made"},
		{Name: "features", kind: text, Methods: []string{"ssp", "ssp-cluster"},
			Help: "dimensions, with commas between, whose values are used as they are in place of a model, for example Red,Green,Blue (with graph=grid: the colours or bands)"},
		{Name: "graph", Default: "knn", kind: text, Choices: []string{"knn", "grid"}, Methods: []string{"ssp", "ssp-cluster"},
			Help: "what joins points: knn, nearest neighbours, or grid, the pixels of an image read by readers.gdal"},
		{Name: "solver", Default: "auto", kind: text, Methods: gmpp, Choices: []string{"auto", "cut-pursuit", "merge", "multilevel"},
			Help: "solver of the generalized minimal partition problem"},
		{Name: "regularization", kind: number, lo: 0, hi: 1e6, open: true, Methods: gmpp,
			Help: "regularization strength λ̃ of the paper; larger gives fewer superpoints (from the model)", remedy: "give a number above 0, for example 1, or use target_size"},
		{Name: "target_size", kind: number, lo: 1, hi: maxCount,
			Help: "wanted mean number of points per superpoint; excludes regularization", remedy: "give a number of points of at least 1, for example 100"},
		{Name: "min_size", kind: integer, lo: 1, hi: maxCount, Methods: gmpp,
			Help: "smallest superpoint at regularization 1, in points; scaled by the paper's log rule (from the model)", remedy: "give a whole number of at least 1"},
		{Name: "spatial_weight", kind: number, lo: 0, hi: 1e6, Methods: gmpp,
			Help: "weight α of positions beside embeddings, per metre (from the model, most often by the point spacing)", remedy: "give 0 (no spatial term) or a positive number per metre, for example 0.2"},
		{Name: "spacing", kind: number, lo: 0, hi: 1e6, open: true, unused: noGraph,
			Help: "distance of neighbouring points in metres, which models without a unit and spatial weights by the spacing go by (measured)", remedy: "give a length in metres above 0, or leave it out"},
		{Name: "sphere", Default: "false", kind: boolean, Methods: []string{"ssp"},
			Help: "solve the partition problem with values on the unit sphere, where learned embeddings lie"},
		{Name: "edge_decay", Default: "0.5", kind: number, lo: 0, hi: 1e6, open: true, Methods: gmpp,
			Help: "σ of the edge weights exp(−‖e_i−e_j‖²/σ)", remedy: "give a number above 0, for example 0.5"},
		{Name: "knn", Default: "20", kind: integer, lo: 1, hi: 64, Methods: graph, unused: noNeighborhood,
			Help: "neighbours in the neighbourhood that is embedded; a learned model has its own", remedy: "give a whole number from 1 to 64, for example 20"},
		{Name: "adjacency_knn", kind: integer, lo: 1, hi: 64, unused: noGraph,
			Help: "neighbours each point is joined to in the adjacency graph, at most knn (from the model); with graph=grid 4 or 8 (8)", remedy: "give a whole number from 1 to knn, for example 10"},
		{Name: "delaunay", kind: boolean, unused: noGraph,
			Help: "add Delaunay edges to the adjacency graph (from the model)"},
		{Name: "max_edge", kind: number, lo: 0, hi: 1e6, open: true, unused: noDelaunay,
			Help: "longest Delaunay edge, in metres, with delaunay (four times the spacing)", remedy: "give a length in metres above 0, for example 0.5"},
		{Name: "dimension", Default: "SuperpointID", kind: text,
			Help: "dimension that takes the ids; ClusterID is allowed"},
		{Name: "first_id", Default: "1", kind: integer, lo: 1, hi: math.MaxUint32,
			Help: "the first id, so that the ids of several runs differ", remedy: "give a whole number from 1 to 4294967295, for example the greatest id so far plus 1"},
		{Name: "embedding", Default: "true", kind: boolean, unused: noEmbedding((*Options).givenEmbedding),
			Help: "write Embedding0, Embedding1, …"},
		{Name: "color", Default: "false", kind: boolean,
			Help: "write SuperpointColor, 0–31, superpoints that touch differ"},
		{Name: "embedding_color", Default: "false", kind: boolean, unused: noEmbedding(func(o *Options) bool { return o.EmbeddingColor }),
			Help: "write EmbeddingR, EmbeddingG, EmbeddingB, the first three embedding columns as 0–65535"},
		{Name: "vote", kind: text,
			Help: "dimension of classes; its majority over each superpoint is written to Voted<dimension>"},
		{Name: "truth", kind: text,
			Help: "dimension of true classes; adds OOA, BR, BP and undersegmentation error to the metadata (0 = unlabelled)"},
		{Name: "instances", kind: text,
			Help: "dimension of true objects for the boundary metrics (default: connected parts of a class)"},
		{Name: "device", Default: "auto", kind: text,
			Help: "auto, cpu, cuda or cuda:N"},
		{Name: "threads", Default: "0", kind: integer, lo: 0, hi: 4096,
			Help: "threads; 0 = all", remedy: "give 0 for all processors, or a whole number up to 4096"},
		{Name: "seed_resolution", kind: number, lo: 0, hi: 1e6, open: true, Methods: seeds,
			Help: "distance between seeds, in metres (from the point spacing)", remedy: "give a length in metres above 0, or use target_size"},
		{Name: "voxel_resolution", kind: number, lo: 0, hi: 1e6, open: true, Methods: []string{"vccs"},
			Help: "voxel size, in metres, below seed_resolution (from the point spacing)", remedy: "give a length in metres above 0"},
		{Name: "spatial_importance", Default: "0.4", kind: number, lo: 0, hi: 1e6, Methods: []string{"vccs"},
			Help: "weight of distance in VCCS", remedy: "give 0 or a positive number"},
		{Name: "normal_importance", Default: "1", kind: number, lo: 0, hi: 1e6, Methods: []string{"vccs"},
			Help: "weight of normals in VCCS", remedy: "give 0 or a positive number"},
		{Name: "color_importance", Default: "0", kind: number, lo: 0, hi: 1e6, Methods: []string{"vccs"},
			Help: "weight of colours in VCCS; needs Red, Green and Blue when above 0", remedy: "give 0 or a positive number"},
	}
}
