package filter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"superpoint/filter/method"
)

// checkUsed refuses an option that has no effect beside the others, which would
// otherwise be silently without effect. What depends on the model is checked when
// that is known (resolve).
func (s *Spec) checkUsed(o *Options) error {
	if name := cmp.Or(o.Method, method.Default); s.Methods != nil && !slices.Contains(s.Methods, name) {
		return fmt.Errorf("option %s: method %s does not use it (only %s); leave it out, or choose the method",
			s.Name, name, strings.Join(s.Methods, ", "))
	}
	if s.unused == nil {
		return nil
	}
	if why := s.unused(o); why != "" {
		return fmt.Errorf("option %s: it has no effect, because %s", s.Name, why)
	}
	return nil
}

// noNeighborhood says why no neighbourhood is embedded.
func noNeighborhood(o *Options) string {
	if o.featured() {
		return "features are those of a point by itself; leave it out, or use adjacency_knn"
	}
	return ""
}

// noGraph says why nothing looks at the adjacency graph.
func noGraph(o *Options) string {
	if m := cmp.Or(o.Method, method.Default); !method.Named(m).Graph && !o.Color {
		return fmt.Sprintf("method %s has no adjacency graph, only color looks at one; leave it out", m)
	}
	return ""
}

// noDelaunay says why there are surely no Delaunay edges.
func noDelaunay(o *Options) string {
	why := noGraph(o)
	switch {
	case why != "":
		return why
	case o.Graph == graphGrid:
		return "graph=grid has no Delaunay edges; leave it out"
	case o.Delaunay != nil && !*o.Delaunay:
		return "delaunay is false; leave it out, or set delaunay=true"
	}
	return ""
}

// noLines says why there are surely no scan lines to look for.
func noLines(o *Options) string {
	if why := noGraph(o); why != "" {
		return why
	}
	if o.Graph == graphGrid {
		return "graph=grid joins pixels; leave it out"
	}
	return ""
}

// noEmbedding says why what asks for the embedding gets none.
func noEmbedding(asks func(o *Options) bool) func(o *Options) string {
	return func(o *Options) string {
		if m := cmp.Or(o.Method, method.Default); !method.Named(m).Embeds && asks(o) {
			return fmt.Sprintf("method %s has no embedding; leave it out", m)
		}
		return ""
	}
}

// noClasses says why nothing is classified.
func noClasses(o *Options) string {
	if o.Classes == "" {
		return "nothing is classified without classes; leave it out, or give classes"
	}
	return ""
}

// noLists says why superpoints cannot be classified.
func noLists(o *Options) string {
	if o.Graph == graphGrid {
		return "classes are for point clouds, not for images; leave it out"
	}
	return ""
}
