package filter

import "superpoint/partition/parallel"

// method is one way to make superpoints.
type method struct {
	name   string
	help   string                               // for the pages
	gmpp   bool                                 // solves the generalized minimal partition problem
	embeds bool                                 // needs the embedding step and so a model
	learns bool                                 // takes learned models
	graph  bool                                 // partitions the adjacency graph
	lists  bool                                 // needs the neighbour lists when it partitions
	reads  func(o *Options) need                // what it reads beside the model's dimensions; nil for nothing
	solve  func(j *job, run parallel.Run) error // sets component and count
}

// need is dimensions that an option makes a method read.
type need struct {
	option string
	names  []string
}

// needs returns what the method of the options reads beside the model's
// dimensions.
func (o *Options) needs() need {
	if reads := methods()[or(o.Method, defaultMethod)].reads; reads != nil {
		return reads(o)
	}
	return need{}
}

// defaultMethod is the paper's.
const defaultMethod = "ssp"

// table lists the methods, the default first. Options and pages follow it.
func table() []method {
	return []method{
		{name: defaultMethod, help: "the paper's: learned embedding, then the partition problem",
			gmpp: true, embeds: true, learns: true, graph: true, solve: (*job).solveGMPP},
		{name: "ssp-cluster", help: "learned embedding, then soft clustering",
			embeds: true, learns: true, graph: true, solve: (*job).solveCluster},
		{name: "geom-graph", help: "the partition problem on hand-crafted features",
			gmpp: true, embeds: true, graph: true, solve: (*job).solveGMPP},
		{name: "vccs", help: "supervoxels", lists: true, reads: vccsReads, solve: (*job).solveVCCS},
		{name: "lin", help: "supervoxels that keep borders", lists: true, solve: (*job).solveLin},
	}
}

// methods returns the methods by the names of the option.
func methods() map[string]method {
	all := map[string]method{}
	for _, m := range table() {
		all[m.name] = m
	}
	return all
}

// methodsThat returns the names of the methods that an option is for.
func methodsThat(use func(m *method) bool) (names []string) {
	for _, m := range table() {
		if use(&m) {
			names = append(names, m.name)
		}
	}
	return names
}

// What options are for.
func gmpp(m *method) bool   { return m.gmpp }
func embeds(m *method) bool { return m.embeds }
func learns(m *method) bool { return m.learns }
func seeds(m *method) bool  { return !m.gmpp } // those cluster around seeds

func named(name string) func(m *method) bool {
	return func(m *method) bool { return m.name == name }
}

// methodChoices are the values of the option method.
func methodChoices() (all []Choice) {
	for _, m := range table() {
		all = append(all, Choice{m.name, m.help})
	}
	return all
}

// Learned says whether a method takes learned models.
func Learned(name string) bool { return methods()[name].learns }

// Embeds says whether a method has an embedding.
func Embeds(name string) bool { return methods()[name].embeds }

// Methods returns the names of the methods of this build, the default first.
func Methods() []string {
	return methodsThat(func(*method) bool { return true })
}
