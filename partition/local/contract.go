// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// contract returns the reduced graph of the partition label. Its weights are sums of
// contrasts, not multiplied by λ (Scale), so that they remain exact.
func contract(run parallel.Run, c *reduced.Contractor, g *reduced.Graph, label []uint32, count int,
	means *reduced.Components) (out *reduced.Graph, err error) {
	plain := *g
	plain.Scale = 1
	if means != nil {
		out, err = c.ContractTo(run, &plain, label, means)
	} else {
		out, err = c.Contract(run, &plain, label, count, nil)
	}
	if err != nil {
		return nil, err
	}
	out.Scale, out.Before, out.Key = g.Scale, g.Before, g.Key
	out.First, err = c.Firsts(run, g, label)
	return out, err
}
