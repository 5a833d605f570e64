//go:build !cgo || !amd64

package neighbor

func newSplitter(items []item) *splitter { return &splitter{items: items} }

func (s *splitter) fastSplit(_, _, _, _ int, _ *node) (boxes [2]node, clean bool) {
	panic("neighbor: no kernel")
}
