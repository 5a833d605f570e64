// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"fmt"
	"slices"

	"superpoint/filter/cloud"
	"superpoint/filter/device"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/option"
	"superpoint/filter/steps"
)

// MemoryPerPoint returns an estimate of the peak memory to embed and partition points, in bytes per point,
// without the memory of the host. Call Describe first.
func (f *Filter) MemoryPerPoint() (float64, error) {
	s, err := f.options.Resolve(f.model)
	if err != nil {
		return 0, err
	}
	return steps.BytesPerPoint(f.options, f.model, f.classifier, &s), nil
}

// New returns a filter. It loads a built-in model or a model file, so that a wrong
// one fails before any point is read; `auto` is chosen by Describe or Segment,
// which know the dimensions.
func New(options *option.Options, log message.Log) (*Filter, error) {
	if options == nil {
		options = new(option.Options)
	}
	own := *options
	if err := own.Check(option.Specs()); err != nil {
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
		_, err := own.Resolve(nil)
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
	if _, err := f.options.Resolve(m); err != nil {
		return err
	}
	f.model = m
	if err := f.checkOutputs(); err != nil {
		f.model = nil
		return err
	}
	if f.options.Model == models.Auto {
		f.log(message.Debug,
			fmt.Sprintf("model auto: %s (%s), the best built-in model that reads only what the points have",
				m.Name, m.Card.Description))
	}
	return nil
}

// Close releases the GPU, if one is in use.
func (f *Filter) Close() { f.device.Close() }

// settings returns the settings for a view; it chooses the model.
func (f *Filter) settings(view *cloud.View) (option.Settings, error) {
	if err := f.selectModel(view.Names()); err != nil {
		return option.Settings{}, err
	}
	return f.options.Resolve(f.model)
}

// reserve reserves the memory for a view, until done.
func (f *Filter) reserve(view *cloud.View, s *option.Settings) (done func(), err error) {
	return memory.Reserve("the view", view.Len(), steps.BytesPerPoint(f.options, f.model, f.classifier, s))
}

// required returns the dimensions that the model and the options need. Call it after selectModel.
func (f *Filter) required() []string {
	names := f.options.Needs().Names
	if f.model != nil {
		names = slices.Concat(names, f.model.Needs)
	}
	return names
}
