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
)

// session is the filter of one handle. The mutex serialises calls from several
// threads.
type session struct {
	sync.Mutex
	filter *filter.Filter
	log    relay
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
	return s, s.run(host, func(p *pump) error {
		parsed, err := filter.OptionsOf(given)
		if err != nil {
			return err
		}
		s.filter, err = filter.New(parsed, s.log.write)
		return err
	})
}

// describe lists inputs and outputs as sp_describe documents.
func (s *session) describe(available []string, host callbacks) (string, error) {
	var lines strings.Builder
	err := s.run(host, func(p *pump) error {
		d, err := s.filter.Describe(available)
		if err != nil {
			return err
		}
		for _, dim := range d.Required {
			fmt.Fprintf(&lines, "required %s %s\n", dim.Name, dim.Type)
		}
		for _, dim := range d.Optional {
			fmt.Fprintf(&lines, "optional %s %s\n", dim.Name, dim.Type)
		}
		for _, dim := range d.Outputs {
			fmt.Fprintf(&lines, "output %s %s\n", dim.Name, dim.Type)
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
func (s *session) segment(view *filter.View, host callbacks) error {
	s.result = nil
	return s.run(host, func(p *pump) error {
		result, err := s.filter.Segment(filter.Run{Context: p.ctx, Step: p.Progress}, view)
		if err == nil {
			s.result = result
		}
		return err
	})
}

// run runs a job whose messages go to the host.
func (s *session) run(host callbacks, job func(p *pump) error) error {
	return run(context.Background(), host, func(p *pump) error {
		defer s.log.during(p.Log)()
		return job(p)
	})
}

// relay passes the filter's messages to the running call.
type relay struct {
	out atomic.Pointer[func(level int, text string)]
}

func (r *relay) write(level int, text string) {
	if out := r.out.Load(); out != nil {
		(*out)(level, text)
	}
}

// during sends messages to out until the returned function is called.
func (r *relay) during(out func(level int, text string)) (end func()) {
	r.out.Store(&out)
	return func() { r.out.Store(nil) }
}
