// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wktNode is one element of well-known text: KEYWORD[value, value, …]. A value
// without brackets is a node with a word only.
type wktNode struct {
	word string // keyword in capitals, or the value without quotes
	list []*wktNode
}

// wktToken matches a quoted text, in which "" stands for one quote, a word, or another character.
var wktToken = regexp.MustCompile(`"(?:[^"]|"")*"|[^\s,()[\]{}"][^,()[\]{}"]*|\S`)

// parseWKT reads well-known text 1 (OGC 01-009) or 2 (ISO 19162). Brackets must be balanced.
func parseWKT(s string) (*wktNode, error) {
	errBad := errors.New("no well-known text")
	root := new(wktNode)
	open := []*wktNode{root} // the node whose list is read comes last
	for _, token := range wktToken.FindAllString(s, -1) {
		in := open[len(open)-1]
		switch {
		case token == ",":
		case strings.Contains("[(", token):
			if len(in.list) == 0 {
				return nil, errBad
			}
			open = append(open, in.list[len(in.list)-1])
		case strings.Contains("])", token):
			if open = open[:len(open)-1]; len(open) == 0 {
				return nil, errBad
			}
		case len(token) > 1 && token[0] == '"':
			in.list = append(in.list, &wktNode{word: strings.ReplaceAll(token[1:len(token)-1], `""`, `"`)})
		case strings.Contains(`"{}`, token):
			return nil, errBad
		default:
			in.list = append(in.list, &wktNode{word: strings.ToUpper(strings.TrimSpace(token))})
		}
	}
	if len(open) != 1 || len(root.list) != 1 {
		return nil, errBad
	}
	return root.list[0], nil
}

// children returns all direct children with one of the keywords.
func (n *wktNode) children(keywords ...string) (all []*wktNode) {
	for _, c := range n.list {
		if c.list != nil && slices.Contains(keywords, c.word) {
			all = append(all, c)
		}
	}
	return all
}

// child returns the first of them, else an empty node.
func (n *wktNode) child(keywords ...string) *wktNode {
	return append(n.children(keywords...), new(wktNode))[0]
}

// text returns value k, or "".
func (n *wktNode) text(k int) string {
	if k < len(n.list) {
		return n.list[k].word
	}
	return ""
}

// number returns value k, or 0.
func (n *wktNode) number(k int) float64 {
	v, err := strconv.ParseFloat(n.text(k), 64)
	if err != nil {
		return 0
	}
	return v
}

// unit returns the unit of an axis, or else of the system, in metres or radians; 0 if there is none.
func (n *wktNode) unit(axis int) float64 {
	own := new(wktNode)
	if all := n.children("AXIS"); axis < len(all) {
		own = all[axis]
	}
	keywords := []string{"LENGTHUNIT", "ANGLEUNIT", "UNIT"}
	return cmp.Or(own.child(keywords...).number(1), n.child(keywords...).number(1))
}

// IsWKT2 reports whether text is a reference in well-known text 2, all of whose keywords end in CRS.
func IsWKT2(text string) bool {
	root, err := parseWKT(text)
	return err == nil && len(root.list) > 0 && strings.HasSuffix(root.word, "CRS")
}

// isLocal reports whether the system belongs to a site, without a place on the Earth.
func (n *wktNode) isLocal() bool {
	return slices.Contains([]string{"LOCAL_CS", "ENGCRS", "ENGINEERINGCRS"}, n.word)
}

// isAngle matches names of angles in well-known text 1, which has one keyword for units of angles and
// lengths.
var isAngle = regexp.MustCompile(`(?i)^(degree|radian|grad|gon|arc.?(second|minute))`)

// inAngles reports whether the unit of a projected system is an angle.
func (n *wktNode) inAngles() bool {
	return len(n.children("ANGLEUNIT")) > 0 || isAngle.MatchString(n.child("UNIT").text(0))
}

// ellipsoid returns the semi-major axis and the inverse flattening of a geographic system; 0 if there are
// none.
func (n *wktNode) ellipsoid() (major, inverseFlattening float64) {
	e := n.child("DATUM", "GEODETICDATUM", "TRF", "ENSEMBLE").child("SPHEROID", "ELLIPSOID")
	return e.number(1), e.number(2)
}

// Names of Mercator projections, by OGC, EPSG and ESRI.
var isMercator = regexp.MustCompile(
	`(?i)^(popular visualisation pseudo.mercator|mercator(_[12]SP|_auxiliary_sphere| \((variant [AB]|spherical)\)|$))`)

// mercator returns the parameters of a Mercator projection.
func (n *wktNode) mercator() (m mercator) {
	conversion := n.child("CONVERSION")
	if !isMercator.MatchString(n.child("PROJECTION").text(0) + conversion.child("METHOD").text(0)) {
		return m
	}
	m.scale = 1
	for _, p := range append(n.children("PARAMETER"), conversion.children("PARAMETER")...) {
		switch name := strings.ReplaceAll(strings.ToLower(p.text(0)), " ", "_"); {
		case strings.HasPrefix(name, "scale_factor"):
			m.scale *= p.number(1)
		case name == "standard_parallel_1" || name == "latitude_of_1st_standard_parallel":
			m.scale *= math.Cos(p.number(1) * cmp.Or(p.unit(0), degree))
		case name == "false_northing":
			m.equator = p.number(1)
		}
	}
	return m
}

// readVertical reads unit, code and direction of a vertical system, whose axes are up.
func (r *Reference) readVertical(n *wktNode, up []*wktNode) {
	r.VerticalUnit = n.unit(0)
	authority, _, stated := strings.Cut(r.Name, ":")
	id := n.child("AUTHORITY", "ID")
	if stated && id.text(0) == authority {
		r.Name += "+" + id.text(1)
	}
	if len(up) > 0 && strings.EqualFold(up[0].text(1), "down") {
		r.Kind = Depth
	}
}

// read reads kind, units, ellipsoid and code of a reference system, which may be a compound or bound CRS.
func (r *Reference) read(n *wktNode) {
	up := n.children("AXIS")
	switch n.word {
	case "COMPD_CS", "COMPOUNDCRS", "BOUNDCRS", "SOURCECRS":
		for _, part := range n.list {
			r.read(part)
		}
		return
	case "PROJCS", "PROJCRS", "PROJECTEDCRS", "LOCAL_CS", "ENGCRS", "ENGINEERINGCRS", "DERIVEDPROJCRS":
		r.Kind = Projected
		r.HorizontalUnit = n.unit(0)
		r.angular = n.inAngles()
		r.mercator = n.mercator()
		r.Major, r.InverseFlattening = n.child("GEOGCS", "BASEGEOGCRS", "BASEGEODCRS").ellipsoid()
	case "GEOCCS":
		r.Kind = Geocentric
	case "GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS":
		r.Kind = Geographic
		r.HorizontalUnit = cmp.Or(n.unit(0), degree)
		if n.child("CS").text(0) == "CARTESIAN" {
			r.Kind = Geocentric
		}
		r.Major, r.InverseFlattening = n.ellipsoid()
	case "VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS":
		r.readVertical(n, up)
		return
	default:
		return
	}
	hasHeight := len(up) > 2
	if hasHeight && (r.Kind == Projected || n.unit(2) != r.HorizontalUnit) {
		r.VerticalUnit = n.unit(2) // WKT 1 has one unit, for the angles
	}
	if id := n.child("AUTHORITY", "ID"); id.text(1) != "" {
		r.Name = cmp.Or(r.Name, id.text(0)+":"+id.text(1))
	}
	r.Name = cmp.Or(r.Name, n.text(0))
}

// As returns the reference with what a text states, such as the host's notation of the same reference.
func (r Reference) As(text string) Reference {
	root, err := parseWKT(text)
	if err != nil {
		r.Kind = Invalid
		return r
	}
	r.read(root)
	own, err := parseWKT(r.WKT) // GDAL adds a unit of metres where there is none
	r.unitless = err == nil && own.isLocal() && own.unit(0) == 0
	return r
}

// known returns the reference with what its own text states, unless it is known from another one.
func (r Reference) known() Reference {
	if r.Kind == Unknown && r.WKT != "" {
		return r.As(r.WKT)
	}
	return r
}
