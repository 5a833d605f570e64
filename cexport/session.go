// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"superpoint/filter"
	"superpoint/filter/cloud"
	"superpoint/filter/option"
	"superpoint/filter/steps"
)

// session is the filter of one handle. The mutex serialises calls from several
// threads.
type session struct {
	sync.Mutex
	filter *filter.Filter
	pump   atomic.Pointer[pump] // of the running call, which receives the filter's messages
	result *filter.Segmentation // of the last cloud; nil if there is none
}

// openSession makes a filter; bad options and models fail here.
func openSession(settings []string, host callbacks) (*session, error) {
	s, given := new(session), map[string]string{}
	for _, setting := range settings {
		name, value, is := strings.Cut(setting, "=")
		if _, twice := given[name]; twice || !is {
			return nil, fmt.Errorf("option %q: it is given twice, or is not NAME=VALUE", setting)
		}
		given[name] = value
	}
	return s, s.run(host, func(*pump) error {
		parsed, err := option.OptionsOf(given)
		if err != nil {
			return err
		}
		s.filter, err = filter.New(parsed, s.log)
		return err
	})
}

// describe lists inputs and outputs as sp_describe documents.
func (s *session) describe(available []string, host callbacks) (string, error) {
	var lines strings.Builder
	err := s.run(host, func(*pump) error {
		d, err := s.filter.Describe(available)
		if err != nil {
			return err
		}
		for k, dimensions := range [][]filter.Dimension{d.Required, d.Optional, d.Outputs} {
			for _, dim := range dimensions {
				fmt.Fprintf(&lines, "%s %s %s\n", []string{"required", "optional", "output"}[k],
					dim.Name, dim.Type)
			}
		}
		return nil
	})
	return lines.String(), err
}

// metadata describes all clouds as sp_metadata documents.
func (s *session) metadata() (string, error) {
	text, err := s.filter.Metadata()
	if err != nil {
		return "", err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return "", err
	}
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(members)) {
		fmt.Fprintf(&lines, "%s %s\n", name, members[name])
	}
	return lines.String(), nil
}

// segment segments a view that is valid only during the call.
func (s *session) segment(view *cloud.View, host callbacks) error {
	return s.run(host, func(p *pump) error {
		if host.release != nil {
			view.Release = func(column string) { p.send(func() { host.release(column) }) }
		}
		result, err := s.filter.Segment(steps.Run{Context: p.ctx, Step: p.Progress}, view)
		if err == nil {
			s.result = result
		}
		return err
	})
}

// run runs a job whose messages go to the host.
func (s *session) run(host callbacks, job func(p *pump) error) error {
	return run(context.Background(), host, func(p *pump) error {
		s.pump.Store(p)
		defer s.pump.Store(nil)
		return job(p)
	})
}

// log passes a message of the filter to the running call.
func (s *session) log(level int, text string) {
	if p := s.pump.Load(); p != nil {
		p.Log(level, text)
	}
}
