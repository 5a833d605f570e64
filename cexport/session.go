package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"superpoint/filter"
)

// session is what a handle stands for. Its mutex makes calls from several
// threads wait for each other.
type session struct {
	sync.Mutex
	filter *filter.Filter
	log    relay
	result *filter.Segmentation // of the last cloud; nil before the first
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

// relay hands the filter's messages to whichever call is running.
type relay struct {
	mu  sync.Mutex
	out func(level int, text string)
}

func (r *relay) write(level int, text string) {
	r.mu.Lock()
	out := r.out
	r.mu.Unlock()
	if out != nil {
		out(level, text)
	}
}

// during sends messages to out until the returned function is called.
func (r *relay) during(out func(level int, text string)) (end func()) {
	set := func(f func(int, string)) {
		r.mu.Lock()
		r.out = f
		r.mu.Unlock()
	}
	set(out)
	return func() { set(nil) }
}
