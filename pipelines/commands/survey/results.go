// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/pipelines/files/atomicfile"
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

// planOf returns the checksum of the plan that made a result; "" for other files.
func planOf(path string) string {
	m := new(provenance)
	las.Made(path, m)
	return m.Plan
}

// inFormat returns the name of a result in the plan's format.
func (p *plan) inFormat(name string) string {
	if p.COPC {
		return sources.COPCName(name)
	}
	if sources.IsCOPC(name) {
		return strings.TrimSuffix(name, sources.Ending(name)) + ".laz"
	}
	return name
}

// nameResults names results after sources that are not buffers.
func (p *plan) nameResults(buffer []string) error {
	for _, s := range p.Sources {
		if slices.Contains(buffer, s.Path) {
			p.Buffer++
		}
	}
	for _, s := range p.named() {
		p.Results = append(p.Results, p.inFormat(sources.ResultName(s.Path)))
	}
	return p.checkResults()
}

func (p *plan) checkResults() error {
	if p.Buffer < 0 || p.Buffer >= len(p.Sources) || len(p.named()) != len(p.Results) {
		return fmt.Errorf("%d results and %d without of %s", len(p.Results), p.Buffer,
			message.Count(len(p.Sources), "source"))
	}
	of := map[string]string{} // the source whose result may have a name
	for n, result := range p.Results {
		if sources.IsCOPC(result) != p.COPC || !p.COPC && !sources.IsLAS(result) || result != filepath.Base(result) ||
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

// named returns the sources that have results.
func (p *plan) named() []source { return p.Sources[:len(p.Sources)-p.Buffer] }

// written returns the number of points of all results.
func (p *plan) written() (points int64) {
	for _, s := range p.named() {
		points += s.Points
	}
	return points
}

// checkForeign fails if out/ has results of other plans or programs.
func (v *Survey) checkForeign(results []string) error {
	there, err := listClouds(v.Path("out"))
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, result := range v.plan.Results {
		for _, name := range pdalprocess.ResultNames(result) {
			known[name] = true
		}
	}
	others := slices.DeleteFunc(there, func(name string) bool { return known[name] })
	for _, result := range results {
		for _, name := range pdalprocess.ResultNames(result) {
			if _, err := os.Stat(v.Path("out", name)); err == nil && planOf(v.Path("out", name)) != v.sum {
				others = append(others, name)
			}
		}
	}
	if len(others) == 0 {
		return nil
	}
	slices.Sort(others)
	return fmt.Errorf("%s holds %s, which this plan did not make; move these files away, or plan in another "+
		"folder", v.Path("out"), abbreviate(others))
}

// abbreviate lists at most the first five names.
func abbreviate(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " and " + message.Count(len(names)-most, "other")
	}
	return strings.Join(names, ", ")
}

// listClouds returns the names of the LAS and LAZ files of a folder.
func listClouds(folder string) (names []string, err error) {
	entries, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil, nil
	}
	for _, e := range entries {
		ext := strings.ToLower(filepath.Ext(e.Name()))
		if !strings.HasPrefix(e.Name(), ".") && (ext == ".las" || ext == ".laz") {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// removePrevious removes the results and the files of steps of a previous plan, with a
// warning, unless it equals p. All other files are kept. It fails if a result was changed.
func removePrevious(h host.Host, folder string, p *plan) error {
	text, err := os.ReadFile(filepath.Join(folder, "plan.json"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var now strings.Builder
	if err := jsonWriter(p)(&now); err != nil || now.String() == string(text) {
		return err
	}
	out := filepath.Join(folder, "out")
	former, err := listClouds(out)
	if err != nil {
		return err
	}
	former = slices.DeleteFunc(former, func(name string) bool { return planOf(filepath.Join(out, name)) != planSum(text) })
	for _, name := range former {
		if err := atomicfile.Unchanged(filepath.Join(out, name)); err != nil {
			return fmt.Errorf("%s is a result of the previous plan: %w; move it away, or plan in another folder",
				filepath.Join(out, name), err)
		}
	}
	if len(former) > 0 {
		h.Log(filter.LogWarning, fmt.Sprintf("%s is planned again; the results of the previous plan are removed: %s", folder,
			abbreviate(former)))
	}
	for _, name := range former {
		if err := atomicfile.Remove(filepath.Join(out, name)); err != nil {
			return err
		}
	}
	for _, s := range Steps() {
		if err := atomicfile.RemoveFolder(filepath.Join(folder, s.Name), isOfStep); err != nil {
			return err
		}
	}
	return nil
}
