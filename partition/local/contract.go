package local

import (
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// contract returns the reduced graph of the partition label. Its weights are
// sums of contrasts, which λ multiplies later, so that they stay exact.
func contract(run parallel.Run, c *reduced.Contractor, g *reduced.Graph, label []uint32, count int,
	means *reduced.Graph) (out *reduced.Graph, err error) {
	plain := *g
	plain.Scale = 1
	if means != nil {
		out, err = c.ContractTo(run, &plain, label, means.Mean, means.Size)
	} else {
		out, err = c.Contract(run, &plain, label, count, nil)
	}
	if err != nil {
		return nil, err
	}
	out.Scale, out.Before, out.Key, out.Lot = g.Scale, g.Before, g.Key, g.Lot
	out.First = firsts(g, label, count)
	return out, nil
}

// firsts returns the first original vertex of each union, nil if the order is
// that of the numbers.
func firsts(g *reduced.Graph, label []uint32, count int) []uint32 {
	if g.Before == nil {
		return nil
	}
	first := make([]uint32, count)
	for c := range first {
		first[c] = reduced.None
	}
	key := make([]uint64, count)
	for u, c := range label {
		f := g.FirstOf(uint32(u))
		switch k := g.Key(f); {
		case first[c] == reduced.None || k < key[c]:
			first[c], key[c] = f, k
		case k == key[c] && g.Before(f, first[c]):
			first[c] = f
		}
	}
	return first
}
