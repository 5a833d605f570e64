package survey

import "superpoint/partition/local"

// coarsened is what a tile hands to the joint step and keeps for itself.
type coarsened struct {
	*local.AtomArrays
	State  *local.TileState
	Record []uint32 // of each point of the core: its place among the records
}

func nothing() *coarsened {
	return &coarsened{AtomArrays: (&local.Atoms{}).Flat(), State: new(local.TileState)}
}

func (c *coarsened) state() []any { return append(c.State.Arrays(), &c.Record) }
