// SPDX-License-Identifier: BSD-3-Clause

package option

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"superpoint/filter/method"
)

// checkUsed fails if the option would be ignored because of other options. Options
// that depend on the model are checked by resolve.
func (s *Spec) checkUsed(o *Options) error {
	if name := cmp.Or(o.Method, method.Default); s.Methods != nil && !slices.Contains(s.Methods, name) {
		return fmt.Errorf(
			"option %s: method %s does not use it (only %s); leave it out, or choose the method",
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

// noGraph returns why no adjacency graph is used; "" if one may be.
func noGraph(o *Options) string {
	if m := cmp.Or(o.Method, method.Default); !method.Named(m).Graph && !o.Color {
		return fmt.Sprintf("method %s uses no adjacency graph unless color is true; leave it out", m)
	}
	return ""
}

// noDelaunay returns why there are no Delaunay edges; "" if there may be.
func noDelaunay(o *Options) string {
	why := noGraph(o)
	switch {
	case why != "":
		return why
	case o.Delaunay != nil && !*o.Delaunay:
		return "delaunay is false; leave it out, or set delaunay=true"
	}
	return ""
}

// noEmbedding returns a function that returns why there is no embedding to write, if
// the options ask for it; else "".
func noEmbedding(asks func(o *Options) bool) func(o *Options) string {
	return func(o *Options) string {
		if m := cmp.Or(o.Method, method.Default); !method.Named(m).Embeds && asks(o) {
			return fmt.Sprintf("method %s has no embedding; leave it out", m)
		}
		return ""
	}
}

// noClasses returns why nothing is classified; "" if something is.
func noClasses(o *Options) string {
	if o.Classes == "" {
		return "nothing is classified without classes; leave it out, or give classes"
	}
	return ""
}
