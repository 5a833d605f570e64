// SPDX-License-Identifier: BSD-3-Clause

package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"superpoint/filter"
	"superpoint/filter/message"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// NameResults names results after the sources. Those of COPC are LAZ.
func (p *Plan) NameResults() error {
	for _, s := range p.Sources {
		name := sources.ResultName(s.Path)
		if sources.IsCOPC(name) {
			name = strings.TrimSuffix(name, sources.Ending(name)) + ".laz"
		}
		p.Results = append(p.Results, name)
	}
	return p.checkResults()
}

func (p *Plan) checkResults() error {
	if len(p.Sources) == 0 || len(p.Sources) != len(p.Results) {
		return fmt.Errorf("%d results of %s", len(p.Results), message.Count(len(p.Sources), "source"))
	}
	of := map[string]string{} // the source whose result may have a name
	for n, result := range p.Results {
		if !sources.IsLAS(result) || result != filepath.Base(result) ||
			strings.HasPrefix(result, ".") || strings.ContainsFunc(result, unicode.IsControl) ||
			strings.Contains(result, `\`) {
			return fmt.Errorf(
				"%q cannot be the name of a result: it begins with a dot, or has a control character or "+
					"backslash; rename the file, or link it under another name", result)
		}
		for _, name := range pdalprocess.ResultNames(result) {
			if other, taken := of[name]; taken {
				return fmt.Errorf("the results of %s and %s may both become %s; rename one of them", other,
					p.Sources[n].Path, name)
			}
			of[name] = p.Sources[n].Path
		}
	}
	return nil
}

// Parse parses a plan. It fails for a plan that was edited. It checks the names of results
// also in a plan from elsewhere, because files of these names are written.
func Parse(text []byte) (*Plan, error) {
	p := new(Plan)
	if err := json.Unmarshal(text, p); err != nil { // also fails for trailing data
		return nil, err
	}
	if p.Version != Version {
		return nil, fmt.Errorf("version %d, this program reads %d", p.Version, Version)
	}
	if p.Checksum != p.Sum() {
		return nil, errors.New("it was changed after it was written")
	}
	return p, p.checkResults()
}

// CheckVersion fails if another version of the program made the plan.
func (p *Plan) CheckVersion() error {
	if now := filter.Software(); p.Software != now {
		return fmt.Errorf("it was made by version %s of the filter, this is version %s", p.Software, now)
	}
	return nil
}

// CheckContent fails if a file that an option names, or a built-in model, has changed.
func (p *Plan) CheckContent(now map[string]string) error {
	for option, sum := range now {
		if p.Content[option] != sum {
			return fmt.Errorf("option %s: %s has changed since the survey was planned", option,
				p.Options[option])
		}
	}
	return nil
}
