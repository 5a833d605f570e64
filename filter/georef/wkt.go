package georef

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// wktNode is one element of well-known text: KEYWORD[value, value, …]. A value
// without brackets is a node with a word only.
type wktNode struct {
	word   string // keyword in capitals, or the value without quotes
	quoted bool
	list   []wktNode
}

const maxWKTDepth = 64 // no real reference system nests deeper than about 12

// parseWKT reads well-known text 1 (OGC 01-009) or 2 (ISO 19162).
func parseWKT(s string) (*wktNode, error) {
	p := wktParser{s: s}
	node, err := p.node(0)
	if err != nil {
		return nil, fmt.Errorf("well-known text at byte %d: %w", p.at, err)
	}
	return node, nil
}

type wktParser struct {
	s  string
	at int
}

func (p *wktParser) space() {
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
}

func (p *wktParser) node(depth int) (*wktNode, error) {
	if depth > maxWKTDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxWKTDepth)
	}
	p.space()
	if p.at < len(p.s) && p.s[p.at] == '"' {
		word, err := p.quoted()
		return &wktNode{word: word, quoted: true}, err
	}
	start := p.at
	for p.at < len(p.s) && strings.IndexByte(",[](){}\"", p.s[p.at]) < 0 {
		p.at++
	}
	n := &wktNode{word: strings.ToUpper(strings.TrimSpace(p.s[start:p.at]))}
	if n.word == "" {
		return nil, fmt.Errorf("expected a keyword or a value")
	}
	if p.at >= len(p.s) || p.s[p.at] != '[' && p.s[p.at] != '(' {
		return n, nil
	}
	for {
		p.at++ // the bracket or the comma
		child, err := p.node(depth + 1)
		if err != nil {
			return nil, err
		}
		n.list = append(n.list, *child)
		p.space()
		if p.at >= len(p.s) {
			return nil, fmt.Errorf("%s is not closed", n.word)
		}
		switch p.s[p.at] {
		case ',':
		case ']', ')':
			p.at++
			return n, nil
		default:
			return nil, fmt.Errorf("unexpected %q in %s", p.s[p.at], n.word)
		}
	}
}

// quoted reads "text", in which "" stands for one quote.
func (p *wktParser) quoted() (string, error) {
	var b strings.Builder
	for p.at++; p.at < len(p.s); p.at++ {
		if p.s[p.at] != '"' {
			b.WriteByte(p.s[p.at])
			continue
		}
		if p.at+1 < len(p.s) && p.s[p.at+1] == '"' {
			b.WriteByte('"')
			p.at++
			continue
		}
		p.at++
		return b.String(), nil
	}
	return "", fmt.Errorf("a quoted text is not closed")
}

// child returns the first direct child with one of the keywords, or nil.
func (n *wktNode) child(keywords ...string) *wktNode {
	for i := range n.list {
		if c := &n.list[i]; !c.quoted && c.list != nil && slices.Contains(keywords, c.word) {
			return c
		}
	}
	return nil
}

// children returns all direct children with the keyword.
func (n *wktNode) children(keyword string) []*wktNode {
	var all []*wktNode
	for i := range n.list {
		if c := &n.list[i]; !c.quoted && c.list != nil && c.word == keyword {
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
