// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"superpoint/filter"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

// The pages whose blocks are run. A block marked `sh` is run as it is, a block marked `json` that is a list
// is run as a pipeline; other `json` must parse; blocks with no mark are not run. All blocks of a page are
// run in order in one folder that looks like the checkout, with input.laz, a scanned village, and room.laz, a
// scanned room, in it. Make builds `build/pdal`, which is also the pdal on the PATH.
var pages = []string{
	"README.md",
	"filter/pdal/filters.superpoint.md",
	"filter/pdal/kernels.md",
	"pipelines/README.md",
	"pipelines/choosing.md",
	"pipelines/map.md",
	"pipelines/survey.md",
	"pipelines/ground.md",
	"pipelines/buildings.md",
	"pipelines/trees.md",
	"pipelines/labels.md",
	"pipelines/recipes.md",
	"pipelines/training.md",
	"pipelines/troubleshooting.md",
	"CONTRIBUTING.md",
}

func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	points := must.Get(scanned("village", scan.Aerial, 10_000))(t) // size is not the point
	inside := must.Get(scanned("room", scan.Terrestrial, 8_000))(t)
	scan.SetTruthApart(points) // as make demo writes it
	samples := map[string]string{
		"input.laz": filepath.Join(workplace(t, points), "input.laz"),
		"room.laz":  filepath.Join(workplace(t, inside), "input.laz"),
	}
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			program, _ := program(t)
			dir := checkout(t, program, samples)
			for _, b := range blocks(t, page) {
				switch b.mark {
				case "sh":
					runShell(t, dir, b)
				case "sh gdal":
					runGDAL(t, dir, b)
				case "json":
					runJSON(t, dir, b)
				}
			}
			if page == "pipelines/recipes.md" {
				checkRecipes(t, dir)
				checkChangeOfClasses(t, dir, blocks(t, page))
			}
		})
	}
}

// runGDAL runs a block of a program of GDAL, which the build does not need, if there is one.
func runGDAL(t *testing.T, dir string, b block) {
	t.Helper()
	program, _, _ := strings.Cut(b.text, " ")
	t.Run(program, func(t *testing.T) {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s: %s is not installed", b.place, program)
		}
		runShell(t, dir, b)
	})
}

// checkRecipes compares the results of the recipes with what their page states.
func checkRecipes(t *testing.T, dir string) {
	t.Helper()
	points := func(name string) *las.Points { return gathered(t, filepath.Join(dir, name)) }
	all, thin := points("results/points/input.laz"), points("thin.laz")
	must.Hold(t, len(thin.X) > 100,
		"%d of %d points are thinned, want more than 100", len(thin.X), len(all.X))
	must.Hold(t, len(thin.X) < len(all.X)*9/10,
		"%d of %d points are thinned, want less than %v", len(thin.X), len(all.X), len(all.X)*9/10)
	heights := points("heights.laz")
	for i, class := range heights.Classification {
		above := heights.Extra["HeightAboveGround"][i]
		if class == 2 {
			must.Need(t, math.Abs(above) < 1e-6,
				"math.Abs(above) is %v, want less than 1e-6", math.Abs(above))
		}
	}
	buildings := points("buildings.laz")
	must.Need(t, len(buildings.X) > 0, "points of buildings: got %v, want more than 0", len(buildings.X))
	must.Hold(t, !slices.ContainsFunc(buildings.Classification,
		func(c uint8) bool { return c != 6 }), "points of other classes among the buildings")
	clean := points("clean.laz")
	noise := func(c uint8) bool { return c == 7 || c == 18 }
	kept := slices.DeleteFunc(slices.Clone(all.Classification), noise)
	must.Need(t, len(clean.X) == len(kept),
		"points without noise: got %v, want %v", len(clean.X), len(kept))
	must.Hold(t, !slices.ContainsFunc(clean.Classification, noise),
		"slices.ContainsFunc(clean.Classification, noise) is true")
	checkChange(t, points("change.laz").Extra["HeightAboveGround"])
}

// checkChange checks the changes of a survey of which a copy was raised by half a metre. Cells at whose edge
// their highest point lies may be compared with the cell beside them.
func checkChange(t *testing.T, change []float64) {
	t.Helper()
	must.Need(t, len(change) > 100, "%d changes", len(change))
	right := 0
	for _, c := range change {
		if math.Abs(c-0.5) < 0.006 { // PDAL writes hundredths
			right++
		}
	}
	must.Hold(t, right >= len(change)*95/100, "%d of %d cells rose by 0.5 m", right, len(change))
}

// checkChangeOfClasses runs the blocks of the last recipe for a second survey that has classes, and compares
// the change of its ground with the one that was made.
func checkChangeOfClasses(t *testing.T, dir string, all []block) {
	t.Helper()
	last := all[len(all)-2:]
	classified := strings.Replace(last[0].text, " input.laz ", " results/points/input.laz ", 1)
	must.Need(t, classified != last[0].text, "%s copies no input.laz", last[0].place)
	last[0].text = classified
	for _, b := range last {
		runShell(t, dir, b)
	}
	p := gathered(t, filepath.Join(dir, "change.laz"))
	var ground []float64
	for i, class := range p.Classification {
		if class == 2 {
			ground = append(ground, p.Extra["HeightAboveGround"][i])
		}
	}
	checkChange(t, ground)
}

// TestRecipesHavePictures: each of the ten recipes has a block that is run, and a picture.
func TestRecipesHavePictures(t *testing.T) {
	page := filepath.Join("..", "..", "pipelines", "recipes.md")
	recipes := strings.Split(string(must.Get(os.ReadFile(page))(t)), "\n## ")[1:]
	must.Equal(t, len(recipes), 10, "recipes")
	picture := regexp.MustCompile(`!\[.+\]\((pictures/recipes/.+\.png)\)`)
	for _, recipe := range recipes {
		title, text, _ := strings.Cut(recipe, "\n")
		must.Hold(t, strings.Contains(text, "```sh"), "%s: no block", title)
		found := picture.FindStringSubmatch(text)
		must.Need(t, found != nil, "%s: no picture", title)
		info, err := os.Stat(filepath.Join(filepath.Dir(page), found[1]))
		must.OK(t, err)
		must.Hold(t, info.Size() > 1000, "%s: its picture has %d bytes", title, info.Size())
	}
}

// block is one fenced block of a page.
type block struct {
	place      string // page and line
	mark, text string
}

func blocks(t *testing.T, page string) []block {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join("..", "..", page)))(t)
	var all []block
	open := -1 // line of the opening fence
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		mark, fence := strings.CutPrefix(line, "```")
		switch {
		case !fence:
		case open < 0:
			open = i
			all = append(all, block{place: page + ":" + strconv.Itoa(i+1), mark: strings.TrimSpace(mark)})
		default:
			all[len(all)-1].text = strings.Join(lines[open+1:i], "\n") + "\n"
			open = -1
		}
	}
	must.Hold(t, open < 0, "%s:%d: the block has no end", page, open+1)
	return all
}

// checkout makes a folder with the checkout's own folders, with a program as build/pdal, and the samples.
func checkout(t *testing.T, program string, samples map[string]string) string {
	t.Helper()
	dir, root := t.TempDir(), filepath.Join("..", "..")
	entries := must.Get(os.ReadDir(root))(t)
	link := func(from, name string) {
		must.OK(t, os.Symlink(must.Get(filepath.Abs(from))(t), filepath.Join(dir, name)))
	}
	for _, e := range entries {
		if !slices.Contains([]string{"build", "out", "report", ".git"}, e.Name()) &&
			!strings.HasSuffix(e.Name(), ".laz") {
			link(filepath.Join(root, e.Name()), e.Name())
		}
	}
	build := filepath.Dir(launcher(t))
	must.OK(t, os.Mkdir(filepath.Join(dir, "build"), 0o777))
	for _, e := range must.Get(os.ReadDir(build))(t) {
		if e.Name() != "pdal" {
			link(filepath.Join(build, e.Name()), filepath.Join("build", e.Name()))
		}
	}
	link(program, filepath.Join("build", "pdal"))
	for name, from := range samples {
		put(t, filepath.Join(dir, name), string(must.Get(os.ReadFile(from))(t)))
	}
	return dir
}

func runShell(t *testing.T, dir string, b block) {
	t.Helper()
	o := in(t, dir, "sh", "-euc", b.text)
	must.Hold(t, o.code == 0, "%s: exit code %d\n%s\n%s%s", b.place, o.code, b.text, o.stdout, o.stderr)
}

func runJSON(t *testing.T, dir string, b block) {
	t.Helper()
	var document any
	err := json.Unmarshal([]byte(b.text), &document)
	must.Need(t, err == nil, "%s: %v", b.place, err)
	if _, list := document.([]any); !list {
		return
	}
	must.OK(t, os.WriteFile(filepath.Join(dir, "pipeline.json"), []byte(b.text), 0o666))
	o := in(t, dir, launcher(t), "pipeline", "pipeline.json")
	must.Hold(t, o.code == 0, "%s: exit code %d\n%s", b.place, o.code, o.stderr)
}

// TestLinksOfPages: every link of any page to a file leads to one, no line but a table's is too long, and
// blocks marked `sh` are run.
func TestLinksOfPages(t *testing.T) {
	t.Parallel()
	root, read := filepath.Join("..", ".."), 0
	must.OK(t, filepath.WalkDir(root, func(page string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && page != root && (e.Name()[0] == '.' || e.Name() == "build" ||
			e.Name() == "out") {
			return filepath.SkipDir
		}
		if err != nil || filepath.Ext(page) != ".md" {
			return err
		}
		read++
		text := must.Get(os.ReadFile(page))(t)
		name, _ := filepath.Rel(root, page)
		if !slices.Contains(pages, name) {
			must.Hold(t, !bytes.Contains(text, []byte("\n```sh\n")),
				"%s: blocks are not run", page)
		}
		for _, link := range regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`).FindAllSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(page), string(link[1])))
			must.Hold(t, err == nil, "%s links to %s: %v", page, link[1], err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			n := len([]rune(line))
			if n > 130 {
				must.Hold(t, strings.HasPrefix(line, "|"),
					"%s:%d has %d columns: no %q", page, i+1, n, "|")
			}
		}
		return nil
	}))
	must.Hold(t, read >= 2*len(pages), "%d pages", read)
}

// TestCommandPage compares the commands of the page with the list of `pdal superpoint
// help`, and their options with `--help`.
func TestCommandPage(t *testing.T) {
	t.Parallel()
	text := must.Get(os.ReadFile(filepath.Join("..", "pdal", "kernels.md")))(t)
	var listed, documented []string
	for _, line := range regexp.MustCompile(`(?m)^  ([a-z]+)(?: [a-z]+)?  `).FindAllStringSubmatch(
		do(t, "help").stdout, -1) {
		listed = append(listed, line[1])
	}
	listed = slices.Compact(listed) // the steps of a survey share a section
	for _, section := range strings.Split(string(text), "\n## ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		documented = append(documented, name)
		if name != "train" {
			continue // package tables writes its options
		}
		help := do(t, name, "--help").stdout
		for _, option := range regexp.MustCompile("(?m)^\\| `(--[a-z_-]+)` \\|").FindAllStringSubmatch(body,
			-1) {
			must.Hold(t, strings.Contains(help, option[1]+" "), "kernels.md: %s has no option %s",
				name, option[1])
		}
	}
	must.Equal(t, listed, documented, "commands that kernels.md has")
}

// TestVersions compares the version everywhere with filter.Version.
func TestVersions(t *testing.T) {
	t.Parallel()
	module := must.Get(os.ReadFile(filepath.Join("..", "..", "go.mod")))(t)
	language := regexp.MustCompile(`(?m)^go (.*)$`).FindSubmatch(module)
	must.Need(t, language != nil, "go.mod names no version of Go")
	for page, words := range map[string]string{
		"README.md": "Go %s,", "pipelines/qgis/README.md": "Go %s,",
		"filter/pdal/packages/Dockerfile":               "golang:%s ",
		"filter/pdal/packages/conda/recipe/recipe.yaml": "go-cgo >=%s\n",
	} {
		text := must.Get(os.ReadFile(filepath.Join("..", "..", page)))(t)
		words = fmt.Sprintf(words, language[1])
		must.Hold(t, strings.Contains(string(text), words), "%s does not say %q, as go.mod does", page, words)
	}
	for page, pattern := range map[string]string{
		"CHANGELOG.md":                                  `(?m)^## (\d+\.\d+\.\d+)$`,
		"pipelines/qgis/superpoint/metadata.txt":        `(?m)^version=(.*)$`,
		"filter/pdal/packages/conda/recipe/recipe.yaml": `(?m)^  version: "(.*)"$`,
	} {
		text := must.Get(os.ReadFile(filepath.Join("..", "..", page)))(t)
		found := regexp.MustCompile(pattern).FindSubmatch(text)
		must.Need(t, found != nil, "%s names no version", page)
		must.Equal(t, string(found[1]), filter.Version, "version of %s", page)
	}
	metadata := filepath.Join("..", "..", "pipelines", "qgis", "superpoint", "metadata.txt")
	plugin := must.Get(os.ReadFile(metadata))(t)
	must.Hold(t, strings.Contains(string(plugin), "\nchangelog="+filter.Version+" "),
		"QGIS shows the changes of another version than %s", filter.Version)
	for _, args := range [][]string{{"version"}, {"--version"}, {"segment", "--version"}} {
		must.Equal(t, do(t, args...).stdout, "superpoint "+filter.Version+"\n", "what %v prints", args)
	}
	cache := must.Get(os.ReadFile(filepath.Join(filepath.Dir(launcher(t)), "CMakeCache.txt")))(t)
	must.Hold(t, strings.Contains(string(cache), "CMAKE_PROJECT_VERSION:STATIC="+filter.Version+"\n"),
		"CMake has another version than %s", filter.Version)
	// pdal keeps --version for itself
	for _, args := range [][]string{{"superpoint", "version"}, {"superpoint"}, {"superpoint", "help"}} {
		o := pdal(t, nil, args...).ok(t)
		must.Hold(t, strings.HasPrefix(o.stdout, "superpoint "+filter.Version+"\n"), "pdal %v says %q",
			args, o.stdout)
	}
}

// The recipes of pipelines/ are run as they are, in a folder with an input.laz.

// village is a scanned village of 16,000 points in colour.
var village = sync.OnceValues(func() (*las.Points, error) { return scanned("village", scan.Aerial, 16_000) })

func scanned(name, mode string, points int) (*las.Points, error) {
	return scannedOf(name, mode, points, 1)
}

// scannedOf scans the scene of a seed.
func scannedOf(name, mode string, points int, seed uint64) (*las.Points, error) {
	s, err := scenes.New(name, scenes.Options{Seed: seed})
	if err != nil {
		return nil, err
	}
	return scan.Cloud(parallel.Run{}, s, scan.Options{Mode: mode, Points: points, Seed: seed, Color: true})
}

// workplace makes a folder with the points as input.laz.
func workplace(t testing.TB, points *las.Points) string {
	t.Helper()
	dir := t.TempDir()
	raw := filepath.Join(dir, "raw.las")
	must.OK(t, las.WriteFile(raw, points, 0.001))
	pdal(t, nil, "translate", raw, filepath.Join(dir, "input.laz"), "--readers.las.use_eb_vlr=true",
		"--writers.las.minor_version=4", "--writers.las.forward=all", "--writers.las.extra_dims=all").ok(t)
	return dir
}

// in runs a command in a folder, with pdal on its PATH.
func in(t testing.TB, dir, command string, args ...string) outcome {
	t.Helper()
	c := exec.Command(command, args...)
	program, variables := program(t)
	if command == launcher(t) {
		c = start(t, nil, args...)
	}
	c.Dir = dir
	c.Env = append(variables, "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"), "PWD="+dir,
		"PDAL="+launcher(t))
	return outcomeOf(t, c)
}

// file returns the path of a file of pipelines/.
func file(t testing.TB, name string) string {
	t.Helper()
	return must.Get(filepath.Abs(filepath.Join("..", "..", "pipelines", name)))(t)
}

// recipe runs pipelines/NAME.json in dir and returns what it wrote.
func recipe(t *testing.T, dir, name string) *las.File {
	t.Helper()
	in(t, dir, launcher(t), "pipeline", file(t, name+".json")).ok(t)
	return readAny(t, filepath.Join(dir, "output.laz"))
}

// Every recipe that writes points keeps their point format and colours; the first
// keeps every byte that the format has. TestRecipeBuildings and TestCOPC run the others.
func TestRecipesKeepWhatThereWas(t *testing.T) {
	t.Parallel()
	for _, format := range []int{3, 8} {
		dir := t.TempDir()
		in := cloudFile(t, dir, "input.las", 4, format)
		pdal(t, nil, "translate", in, filepath.Join(dir, "input.laz"), "--writers.las.forward=all",
			"--writers.las.extra_dims=Amplitude=double").ok(t)
		before := read(t, in)
		recipes := []struct{ name, id, has string }{
			{"first", "SuperpointID", "Embedding0 Embedding3"},
			{"aerial", "SuperpointID", "SuperpointColor"},
			{"indoor", "SuperpointID", "SuperpointColor EmbeddingR EmbeddingG EmbeddingB"},
			{"clusterid", "ClusterID", ""},
			{"vote", "SuperpointID", "VotedClassification"},
			{"tiles", "SuperpointID", ""},
		}
		must.Equal(t, len(must.Get(filepath.Glob(file(t, "*.json")))(t)),
			len(recipes)+len([]string{"buildings", "copc"}),
			"recipes, of which all are run by a test")
		for _, c := range recipes {
			name, result := c.name, recipe(t, dir, c.name)
			after := result.Points()
			if name == "first" {
				k := &comparison{campaignCase: &campaignCase{file: must.Get(las.Read(in))(t)}, all: true,
					result: result}
				k.compare()
				must.Equal(t, len(k.faults), 0, "faults")
				must.Equal(t, after.WKT, before.WKT, "the reference")
				must.Hold(t, before.WKT != "", "before.WKT is empty")
			}
			dense(t, ids(t, after, c.id))
			for _, dimension := range strings.Fields(c.has) {
				must.Hold(t, after.Extra[dimension] != nil, "%s: no dimension %s", name, dimension)
			}
			for i, voted := range after.Extra["VotedClassification"] {
				must.Need(t, after.Classification[i] == uint8(voted),
					"%s: a point of class %d, and of %v by vote", name, after.Classification[i], voted)
			}
			must.Equal(t, colors(before), colors(after),
				"%s of point format %d: colors(before)", name, format)
			must.Hold(t, after.Extra["Amplitude"] != nil,
				`%s of point format %d: after.Extra["Amplitude"] is nil`, name, format)
			must.Hold(t, result.Format == format, "%s makes point format %d of %d", name,
				result.Format, format)
		}
	}
}

// colors returns the values of each colour in ascending order.
func colors(p *las.Points) (all []uint16) {
	for _, values := range [][]uint16{p.Red, p.Green, p.Blue} {
		all = append(all, slices.Sorted(slices.Values(values))...)
	}
	return all
}

func TestRecipeBuildings(t *testing.T) {
	t.Parallel()
	points := must.Get(village())(t)
	p := recipe(t, workplace(t, points), "buildings").Points()
	building := []byte{scenes.Building}
	hits, all := bytes.Count(p.Classification, building), bytes.Count(points.Classification, building)
	precision, recall := float64(hits)/float64(p.Len()), float64(hits)/float64(all)
	t.Logf("building candidates: precision %.3f, recall %.3f", precision, recall)
	must.Hold(t, precision >= 0.8, "precision: got %v, want at least 0.8", precision)
	must.Hold(t, recall >= 0.6, "recall: got %v, want at least 0.6", recall)
}

// Without python-pdal the snippet says what to install. SUPERPOINT_PYTHON names a
// python that has it, built for this PDAL.
func TestRecipePython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if named := os.Getenv("SUPERPOINT_PYTHON"); named != "" {
		python, err = named, nil
	}
	if err != nil {
		t.Log("no python3: only the recipe's text is there")
		return
	}
	dir := workplace(t, must.Get(village())(t))
	t.Setenv("PDAL_DRIVER_PATH", filepath.Dir(launcher(t)))
	o := in(t, dir, python, file(t, "superpoints.py"), "input.laz")
	if os.Getenv("SUPERPOINT_PYTHON") != "" || in(t, dir, python, "-c", "import pdal").code == 0 {
		o.ok(t)
		must.Say(t, o.stdout, "16000 points in", "embedding of the first")
	} else {
		refused(t, o, "", "conda install -c conda-forge python-pdal")
	}
}

func agreement(a, b []uint8) float64 {
	if len(a) != len(b) {
		panic(fmt.Sprintf("%d classes for %d points", len(a), len(b)))
	}
	same := 0
	for i := range a {
		if a[i] == b[i] {
			same++
		}
	}
	return float64(same) / float64(len(a))
}

// What only newer PDALs can do is done where this one can, and refused in words where it cannot.

// drivers lists the stages of this PDAL, which is asked once.
var drivers struct {
	once sync.Once
	list string
}

// hasDriver reports whether this PDAL has a stage.
func hasDriver(t *testing.T, name string) bool {
	t.Helper()
	drivers.once.Do(func() { drivers.list = pdal(t, nil, "--drivers").ok(t).stdout })
	return strings.Contains(drivers.list, name+" ")
}

// TestCOPC writes COPC by the recipe, reads its superpoints back, and takes the
// file as input of the stage and of the commands.
func TestCOPC(t *testing.T) {
	t.Parallel()
	points := must.Get(village())(t)
	dir := workplace(t, points)
	o := in(t, dir, launcher(t), "pipeline", file(t, "copc.json"))
	if !hasDriver(t, "writers.copc") {
		refused(t, o, "", "writers.copc")
		refused(t, in(t, dir, launcher(t), "superpoint", "segment", "input.laz", "x.copc.laz"), "",
			"PDAL 2.4 and newer can; choose an output that ends in .laz")
		return
	}
	o.ok(t)
	copc := filepath.Join(dir, "output.copc.laz")
	p := made(t, copc)
	dense(t, ids(t, p, "SuperpointID"))
	must.Need(t, p.Len() == points.Len(), "p.Len() is %v, want %v", p.Len(), points.Len())
	must.Equal(t, len(p.Extra["Embedding3"]), points.Len(), `len(p.Extra["Embedding3"])`)
	dense(t, ids(t, made(t, copc, superpoint(nil)), "SuperpointID"))
	do(t, "table", copc, filepath.Join(dir, "table.csv"))
	table := must.Get(os.ReadFile(filepath.Join(dir, "table.csv")))(t)
	must.Equal(t, strings.Count(string(table), "\n")-1, len(ids(t, p, "SuperpointID")),
		"rows of the table of superpoints")
}

// TestCOPCInFolders writes folders as COPC: the points of the LAS file, in another order.
func TestCOPCInFolders(t *testing.T) {
	t.Parallel()
	dir := workplace(t, must.Get(village())(t))
	at := func(name string) string { return filepath.Join(dir, name) }
	las, folder, mapped := at("out.las"), at("folder"), at("mapped")
	for _, args := range [][]string{
		{"segment", "--copc", at("input.laz"), folder},
		{"map", "--copc", "--default_srs", "EPSG:32632", at("input.laz"), mapped},
	} {
		o := try(t, args...)
		if hasDriver(t, "writers.copc") {
			o.ok(t)
			continue
		}
		refused(t, o, "", "PDAL 2.4 and newer can")
		left, err := os.ReadDir(args[len(args)-1])
		if err == nil {
			must.Hold(t, len(left) == 0, "%s left %v: len(left) is not 0", args[0], left)
		}
	}
	if !hasDriver(t, "writers.copc") {
		return
	}
	do(t, "segment", at("input.laz"), las)
	places, want := partition(t, []string{las})
	for _, name := range []string{folder + "/input.copc.laz", mapped + "/points/input.copc.laz"} {
		samePartition(t, name, []string{name}, places, want)
	}
}

// TestSixFold trains by the recipes for S3DIS and vKITTI3D, shortened to two steps, on a part that the
// scanner makes, and compares on another.
func TestSixFold(t *testing.T) {
	for _, c := range []struct{ kind, instances, scene, mode string }{
		{"s3dis", "PointSourceId", "room", scan.Terrestrial}, {"vkitti", "", "street", scan.Spinning},
	} {
		t.Run(c.kind, func(t *testing.T) {
			folder, out := t.TempDir(), t.TempDir()
			for i, part := range []string{"1", "2"} {
				s := must.Get(scenes.New(c.scene, scenes.Options{Seed: uint64(i + 1)}))(t)
				p := must.Get(scan.Cloud(parallel.Run{}, s,
					scan.Options{Mode: c.mode, Points: 6000, Seed: uint64(i + 1), Noise: 1, Rain: 1,
						Color: true}))(t)
				must.OK(t, os.MkdirAll(filepath.Join(folder, part), 0o755))
				must.OK(t, las.WriteFile(filepath.Join(folder, part, "cloud.las"), p, 0.001))
			}
			text := must.Get(os.ReadFile(filepath.Join("..", "..", "embed", "train", "recipes",
				c.kind+".yaml")))(t)
			for _, line := range []string{"batch: {clouds: 2, points: 800}",
				"optimise: {epochs: 1, steps: 2, rate: 0.01, decay: 0.7, decay_at: [], clip: 1, " +
					"norm_share: 0.5, average: 0}"} {
				key, _, _ := strings.Cut(line, ":")
				text = regexp.MustCompile(`(?m)^`+key+`:.*$`).ReplaceAll(text, []byte(line))
			}
			recipe := filepath.Join(out, "short.yaml")
			must.OK(t, os.WriteFile(recipe, text, 0o644))
			model := filepath.Join(out, c.kind)
			do(t, "train", "--recipe", recipe, "--output", model, "--input",
				filepath.Join(folder, "2", "*.las"))
			do(t, "compare", "--systems", "ssp:"+model+",geom-graph,vccs,lin", "--instances="+c.instances,
				"--targets", "50",
				"--output", filepath.Join(out, "results"), c.kind+"="+filepath.Join(folder, "1"))
			summary := string(must.Get(os.ReadFile(filepath.Join(out, "results", "summary.md")))(t))
			must.Say(t, summary, "| 50 | ssp:"+c.kind+" | ", "| 50 | geom-graph | ", "| 50 | vccs | ",
				"| 50 | lin | ")
		})
	}
}
