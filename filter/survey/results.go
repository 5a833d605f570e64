package survey

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter"
	"superpoint/filter/child"
	"superpoint/filter/host"
	"superpoint/filter/records"
)

// made says what made a result; it is recorded in the file. The plan, by its sum, names
// options, sources, and the files that options name.
type made struct {
	Software string            `json:"software"`
	Plan     string            `json:"plan"`
	Tile     int               `json:"tile"`
	Options  map[string]string `json:"options"`
}

// record writes what made it into the result of tile n.
func (v *Survey) record(n int, path string) error {
	m := made{Software: v.plan.Software, Plan: v.sum, Tile: n, Options: map[string]string{}}
	for option, value := range v.plan.Options {
		if m.Options[option] = value; v.plan.Content[option] != "" {
			m.Options[option] = filepath.Base(value)
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return records.SetMade(path, text)
}

// madeBy returns the plan that made a result; "" if none did.
func madeBy(path string) string {
	m := new(made)
	if json.Unmarshal(records.Made(path), m) != nil {
		return ""
	}
	return m.Plan
}

// resultNames returns the names that the result of a tile may have.
func resultNames(t *planned) []string { return []string{t.Name, child.UnpackedName(t.Name)} }

// foreign refuses to write tiles beside, or over, results that this plan did not make.
func (v *Survey) foreign(tiles []planned) error {
	there, err := clouds(v.path("out"))
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for k := range v.plan.Tiles {
		for _, name := range resultNames(&v.plan.Tiles[k]) {
			known[name] = true
		}
	}
	others := slices.DeleteFunc(there, func(name string) bool { return known[name] })
	for k := range tiles {
		for _, name := range resultNames(&tiles[k]) {
			if _, err := os.Stat(v.path("out", name)); err == nil && madeBy(v.path("out", name)) != v.sum {
				others = append(others, name)
			}
		}
	}
	if len(others) == 0 {
		return nil
	}
	slices.Sort(others)
	return fmt.Errorf("%s holds %s, which this plan did not make; move what is not wanted away, or plan in another "+
		"folder", v.path("out"), some(others))
}

// some lists the first names of many.
func some(names []string) string {
	const most = 5
	if len(names) > most {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// clouds lists the LAS and LAZ files of a folder.
func clouds(folder string) (names []string, err error) {
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

// removeFormer removes what a former plan made in a folder, and says so: its results and
// all between the steps. Results of others stay. Where the plan is the same one, all does.
func removeFormer(h host.Host, folder string, p *plan) error {
	text, err := os.ReadFile(filepath.Join(folder, "plan.json"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var now strings.Builder
	if err := indented(p)(&now); err != nil || now.String() == string(text) {
		return err
	}
	out := filepath.Join(folder, "out")
	names, err := clouds(out)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return madeBy(filepath.Join(out, name)) != planSum(text) })
	if len(names) > 0 {
		h.Log(filter.LogWarning, fmt.Sprintf("%s is planned anew; the results of the former plan are removed: %s", folder,
			some(names)))
	}
	for _, name := range names {
		if err := os.Remove(filepath.Join(out, name)); err != nil {
			return err
		}
	}
	for _, s := range Steps() {
		if err := os.RemoveAll(filepath.Join(folder, s.Name)); err != nil {
			return err
		}
	}
	return nil
}
