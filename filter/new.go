// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"fmt"

	"superpoint/filter/device"
	"superpoint/filter/method"
	"superpoint/filter/models"
)

// Version is the version of the filter, as metadata and commands show it.
const Version = "0.1.0"

// New returns a filter. It loads a built-in model or a model file, so that a wrong
// one fails before any point is read; `auto` is chosen by Describe or Segment,
// which know the dimensions.
func New(options *Options, log Log) (*Filter, error) {
	if options == nil {
		options = new(Options)
	}
	own := *options
	if err := own.check(Specs()); err != nil {
		return nil, err
	}
	if log == nil {
		log = func(int, string) {}
	}
	f := &Filter{options: &own, log: log, next: max(1, own.FirstID), device: device.New(own.Device, log)}
	if err := f.checkClasses(); err != nil {
		return nil, err
	}
	if err := f.checkOutputs(); err != nil {
		return nil, err
	}
	if own.Model == models.Auto {
		_, err := own.resolve(nil)
		return f, err
	}
	return f, f.selectModel(nil)
}

// selectModel loads the model at its first call; only `auto` depends on available.
func (f *Filter) selectModel(available []string) error {
	if f.model != nil {
		return nil
	}
	if err := f.device.Open(); err != nil {
		return err
	}
	if !method.Named(f.options.Method).Embeds {
		return nil
	}
	m, err := models.Load(f.options.Model, cmp.Or(f.options.KNN, models.DefaultKNN), available)
	if err != nil {
		return err
	}
	if _, err := f.options.resolve(m); err != nil {
		return err
	}
	f.model = m
	if err := f.checkOutputs(); err != nil {
		f.model = nil
		return err
	}
	if f.options.Model == models.Auto {
		f.log(LogDebug, fmt.Sprintf("model auto: %s (%s), the best built-in model that reads only what the points have",
			m.Name, m.Card.Description))
	}
	return nil
}

// Close releases the GPU, if one is in use.
func (f *Filter) Close() { f.device.Close() }
