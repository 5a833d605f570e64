package survey

import (
	"fmt"

	"superpoint/filter"
)

// All does everything in this process. A tile that fails does not keep the
// others from being done; stitching waits for all.
func (v *Survey) All() (*StitchDone, error) {
	var failed []error
	step := func(name string, k, of int, err error) {
		if err != nil {
			failed = append(failed, err)
			v.host.Log(filter.LogError, err.Error())
		}
		v.host.Progress(name, float64(k+1)/float64(of))
	}
	for n := range v.plan.Tiles {
		_, err := v.Run(n)
		step("tiles", n, len(v.plan.Tiles), err)
		if err := v.host.Context().Err(); err != nil {
			return nil, err
		}
	}
	if len(failed) > 0 {
		return nil, fmt.Errorf("%d of %d tiles failed, the first: %w; mend what is wrong and start again, what is done stays",
			len(failed), len(v.plan.Tiles), failed[0])
	}
	done, err := v.Stitch()
	if err == nil {
		_, err = v.FinishAll()
	}
	return done, err
}
