package batch

import (
	"fmt"
	"math"
	"strconv"

	"superpoint/filter/host"
)

// idRange hands out ids to one file after the other. nil hands out none.
type idRange struct{ next uint64 }

// keep passes over the ids that a file has.
func (r *idRange) keep(h host.Host, path, dimension string) error {
	if r == nil {
		return nil
	}
	c, err := h.Read(path, []string{dimension})
	if err != nil {
		return err
	}
	if len(c.X) > 0 && c.Dimensions[dimension] == nil {
		return fmt.Errorf("%s was made without %s; use --force, or another folder", path, dimension)
	}
	for _, id := range c.Dimensions[dimension] {
		r.next = max(r.next, uint64(math.Max(0, id))+1)
	}
	return nil
}

// begin puts the first id of a file into the stage's options.
func (r *idRange) begin(options map[string]any) {
	if r != nil {
		options["first_id"] = strconv.FormatUint(r.next, 10)
	}
}

// given passes over the ids of a file that is done.
func (r *idRange) given(superpoints int64) {
	if r != nil {
		r.next += uint64(superpoints)
	}
}
