package georef

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wktNode is one element of well-known text: KEYWORD[value, value, …]. A value
// without brackets is a node with a word only.
type wktNode struct {
	word string // keyword in capitals, or the value without quotes
	list []wktNode
}

const maxWKTDepth = 64 // no real reference system nests deeper than about 12

// wktToken matches a quoted text, in which "" stands for one quote, a word, or another character.
var wktToken = regexp.MustCompile(`"(?:[^"]|"")*"|[^\s,()[\]{}"][^,()[\]{}"]*|\S`)

// parseWKT reads well-known text 1 (OGC 01-009) or 2 (ISO 19162).
func parseWKT(s string) (*wktNode, error) {
	tokens := append(wktToken.FindAllString(s, -1), "") // ends with none
	node, err := parseWKTNode(&tokens, 0)
	if err != nil {
		return nil, fmt.Errorf("well-known text before %.20q: %w", strings.Join(tokens, ""), err)
	}
	return node, nil
}

// parseWKTNode reads a node from the tokens that are left.
func parseWKTNode(tokens *[]string, depth int) (*wktNode, error) {
	word := (*tokens)[0]
	switch {
	case depth > maxWKTDepth:
		return nil, fmt.Errorf("nested deeper than %d", maxWKTDepth)
	case word == "" || len(word) == 1 && strings.Contains(`,[](){}"`, word):
		return nil, errors.New("expected a keyword or a value")
	}
	*tokens = (*tokens)[1:]
	if text, quoted := strings.CutPrefix(word, `"`); quoted {
		return &wktNode{word: strings.ReplaceAll(text[:len(text)-1], `""`, `"`)}, nil
	}
	n := &wktNode{word: strings.ToUpper(strings.TrimSpace(word))}
	for mark := (*tokens)[0]; mark == "[" || mark == "(" || n.list != nil; mark = (*tokens)[0] {
		closing := mark == "]" || mark == ")"
		if !closing && (mark == ",") != (n.list != nil) {
			return nil, fmt.Errorf("unexpected %q in %s", mark, n.word)
		}
		*tokens = (*tokens)[1:]
		if closing {
			break
		}
		child, err := parseWKTNode(tokens, depth+1)
		if err != nil {
			return nil, err
		}
		n.list = append(n.list, *child)
	}
	return n, nil
}

// child returns the first direct child with one of the keywords, or nil.
func (n *wktNode) child(keywords ...string) *wktNode {
	for i := range n.list {
		if c := &n.list[i]; c.list != nil && slices.Contains(keywords, c.word) {
			return c
		}
	}
	return nil
}

// children returns all direct children with the keyword.
func (n *wktNode) children(keyword string) []*wktNode {
	var all []*wktNode
	for i := range n.list {
		if c := &n.list[i]; c.list != nil && c.word == keyword {
			all = append(all, c)
		}
	}
	return all
}

// number returns the value at a place as a number, or 0.
func (n *wktNode) number(place int) float64 {
	if place >= len(n.list) {
		return 0
	}
	x, err := strconv.ParseFloat(n.list[place].word, 64)
	if err != nil {
		return 0
	}
	return x
}
