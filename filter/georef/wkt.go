// SPDX-License-Identifier: BSD-3-Clause

package georef

import (
	"cmp"
	"errors"
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

// Mercator projections of the equator, but for those with another parallel of true length.
var mercator = regexp.MustCompile(
	`(?i)^(popular visualisation pseudo.mercator|mercator(_1SP|_auxiliary_sphere| \(variant A\)|$))`)

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
		r.Kind, r.HorizontalUnit = Projected, n.unit(0)
		r.mercator = mercator.MatchString(n.child("PROJECTION").text(0) + n.child("CONVERSION").child("METHOD").text(0))
	case "GEOCCS":
		r.Kind = Geocentric
	case "GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS":
		r.Kind, r.HorizontalUnit = Geographic, cmp.Or(n.unit(0), degree)
		if n.child("CS").text(0) == "CARTESIAN" {
			r.Kind = Geocentric
		}
		e := n.child("DATUM", "GEODETICDATUM", "TRF", "ENSEMBLE").child("SPHEROID", "ELLIPSOID")
		r.Major, r.InverseFlattening = e.number(1), e.number(2)
	case "VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS":
		r.VerticalUnit = n.unit(0)
		authority, _, stated := strings.Cut(r.Name, ":")
		if id := n.child("AUTHORITY", "ID"); stated && id.text(0) == authority {
			r.Name += "+" + id.text(1)
		}
		if len(up) > 0 && strings.EqualFold(up[0].text(1), "down") {
			r.Kind = Depth
		}
		return
	default:
		return
	}
	if len(up) > 2 && n.unit(2) != r.HorizontalUnit || r.Kind == Projected && len(up) > 2 {
		r.VerticalUnit = n.unit(2) // WKT 1 has one unit, that of the angles
	}
	if id := n.child("AUTHORITY", "ID"); id.text(1) != "" {
		r.Name = cmp.Or(r.Name, id.text(0)+":"+id.text(1))
	}
	r.Name = cmp.Or(r.Name, n.text(0))
}
