package survey

import (
	"fmt"

	"superpoint/filter"
)

// All does everything in this process. A tile that fails does not keep the
// others from being done; stitching waits for all.
func (v *Survey) All() (*StitchDone, error) {
	err := v.foreign(v.plan.Tiles)
	if err == nil {
		_, err = v.EmbedAll()
	}
	if err == nil {
		err = v.each("tiles", func(n int) error { _, err := v.Run(n); return err })
	}
	if err == nil {
		_, err = v.Join()
	}
	if err == nil {
		_, err = v.RefineAll()
	}
	if err != nil {
		return nil, err
	}
	done, err := v.Stitch()
	if err == nil {
		_, err = v.FinishAll()
	}
	return done, err
}

// each does a step of all tiles.
func (v *Survey) each(name string, step func(n int) error) error {
	var failed []error
	for n := range v.plan.Tiles {
		if err := step(n); err != nil {
			failed = append(failed, err)
			v.host.Log(filter.LogError, err.Error())
		}
		v.host.Progress(name, float64(n+1)/float64(len(v.plan.Tiles)))
		if err := v.host.Context().Err(); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d tiles failed, the first: %w; mend what is wrong and start again, what is done stays",
			len(failed), len(v.plan.Tiles), failed[0])
	}
	return nil
}
