// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"superpoint/filter/message"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/files/sources"
)

// provenance is recorded in a result. The checksum of the plan identifies options and sources.
type provenance struct {
	Software string            `json:"software"`
	Plan     string            `json:"plan"`
	Result   int               `json:"result"`
	Options  map[string]string `json:"options"`
}

// recordProvenance writes the provenance into result n.
func (v *Survey) recordProvenance(n int, path string) error {
	m := provenance{Software: v.plan.Software, Plan: v.sum, Result: n, Options: map[string]string{}}
	for option, value := range v.plan.Options {
		if m.Options[option] = value; v.plan.Content[option] != "" {
			m.Options[option] = filepath.Base(value)
		}
	}
	return las.SetMade(path, m)
}

// nameResults names results after the sources. Those of COPC are LAZ.
func (p *plan) nameResults() error {
	for _, s := range p.Sources {
		name := sources.ResultName(s.Path)
		if sources.IsCOPC(name) {
			name = strings.TrimSuffix(name, sources.Ending(name)) + ".laz"
		}
		p.Results = append(p.Results, name)
	}
	return p.checkResults()
}

func (p *plan) checkResults() error {
	if len(p.Sources) == 0 || len(p.Sources) != len(p.Results) {
		return fmt.Errorf("%d results of %s", len(p.Results), message.Count(len(p.Sources), "source"))
	}
	of := map[string]string{} // the source whose result may have a name
	for n, result := range p.Results {
		if !sources.IsLAS(result) || result != filepath.Base(result) ||
			strings.HasPrefix(result, ".") || strings.ContainsFunc(result, unicode.IsControl) || strings.Contains(result, `\`) {
			return fmt.Errorf("%q is not a name of a result", result)
		}
		for _, name := range pdalprocess.ResultNames(result) {
			if other, taken := of[name]; taken {
				return fmt.Errorf("the results of %s and %s may both become %s; rename one of them", other, p.Sources[n].Path, name)
			}
			of[name] = p.Sources[n].Path
		}
	}
	return nil
}
