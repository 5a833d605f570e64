// SPDX-License-Identifier: BSD-3-Clause

package sources_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"superpoint/pipelines/files/sources"
	"superpoint/testdata/must"
)

// write writes a file and returns its path.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	must.OK(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.OK(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// Text is read as it is meant, or refused with the line and a remedy.
func TestInspectText(t *testing.T) {
	t.Parallel()
	const notNames = "line 1: PDAL does not understand the names of columns in"
	for _, c := range []struct {
		text   string
		points int64  // or
		words  string // of the error
	}{
		{"X,Y,Z\n1,2,3\n", 1, ""},
		{"X,Y,Z\n1,2,3", 1, ""},
		{"X,Y,Z\r\n1,2,3\r\n\r\n4,5,6\r\n", 2, ""},
		{"X Y Z\n1 2  3\n\n -4.5e-3 +5. .6 \n", 2, ""},
		{"X;Y;Z\n1; 2;3E+7\n", 1, ""},
		{"x\ty\tz\tIntensity\n1\t2\t3\t4\n", 1, ""},
		{"X,Y,Z,R,G,B,Red\n1,2,3,.4,.5,.6,7\n", 1, ""},
		{"X, Y, Z\n1, 2, 3\n", 1, ""},
		{"X,Y,Z\n" + strings.Repeat("1,2,3\n", 1<<17), 1 << 17, ""},
		{"X,Y,Z\n" + strings.Repeat(" ", 1<<19) + "1,2,3\n4,5,6\n", 2, ""},

		{"X;Y;Z\n500010,731;1,5;2,25\n", 0, "line 2: '500010,731' is not a number; write it without"},
		{"X;Y;Z\n1;2;3\n,5;1;2\n", 0, "decimal comma as a point, for example by sed 's/\"//g; s/,/./g'"},
		{"X\tY\tZ\n1,5e3\t2\t3\n", 0, "decimal comma"},
		{"X Y Z\n1,5 2,5 3,5\n", 0, "decimal comma"},
		{"X,Y,Z\n1,5,2,5,3,5\n", 0,
			"line 2: 6 fields, and the first line names 3 columns; if they are decimal commas"},
		{"X;Y;Z\n500'010.731;1;2\n", 0, "line 2: '500'010.731' is not a number; write it without quotes and"},
		{"X;Y;Z\n500\u00a0010,731;1;2\n", 0, "thousands"},
		{"X;Y;Z\n123,456;1;2\n", 0, "separators of thousands, and a decimal comma as a point"},
		{"X,Y,Z\n1,2,3\n4,5\n", 0,
			"line 3: 2 fields, and the first line names 3 columns; correct or remove the line"},
		{"X,Y,Z\n1,2,3,4\n", 0, "line 2: 4 fields"},
		{"X,Y,Z\n1,2,3,\n", 0, "line 2: 4 fields"},
		{"X,Y,Z\n1,,3\n", 0, "line 2: a field is empty"},
		{"X Y Z\n1 2 3 \r\n", 0, "line 2: a field is empty"},
		{"X,Y,Z\n1,2,three\n", 0, "line 2: 'three' is not a number; correct or remove the line"},
		{"X,Y,Z\n1,2,3m\n", 0, "'3m' is not a number"},
		{"X,Y,Z\n1,2,0x10\n", 0, "'0x10' is not a number; correct"},
		{"X,Y,Z\n1,2,1e\n", 0, "'1e' is not a number"},
		{"X,Y,Z\n1,2,1e+\n", 0, "'1e+' is not a number"},
		{"X,Y,Z\n1,2,.\n", 0, "'.' is not a number"},
		{"X,Y,Z\n1,2,--3\n", 0, "'--3' is not a number"},
		{"X,Y,Z\n1,2,nan\n", 0,
			"line 2: 'nan' is not a number; remove the line, for example by grep -viE 'nan|inf'"},
		{"X,Y,Z\n1,-Inf,3\n", 0, "'-Inf' is not a number; remove the line"},
		{"X,Y,Z\n1,2,\"3\"\n", 0, `'"3"' is not a number; write it without quotes`},
		{"X,Y,Z\n# a comment\n", 0, "line 2: '# a comment' is not a number"},
		{"X,Y,Z\n1,2,3\n\x1a", 0, "line 3"},

		{"X,Y,Z,Intensity\n1,2,3,4\n1,2,3,4.50\n", 0,
			"line 3: Intensity is 4.50, and PDAL rounds it; write integers, or"},
		{"X Y Z Red\n1 2 3 25e-2\n", 0, "Red is 25e-2"},
		{"x y z r g b\n1 2 3 .5 .5 .5\n", 1, ""},
		{"\"X\",\"Y\",\"Z\"\n1,2,3\n", 0, "line 1: the names of columns are in quotes; remove these, for"},
		{"X,Y,Z,Classification,Amplitude\n1,2,3,4.0,.5\n", 1, ""},
		{"X,Y,Z,Id\n1,2,3,9007199254740992\n1,2,3,9007199254740993\n", 0,
			"line 3: '9007199254740993' has more digits than"},
		{"X,Y,Z,x\n1,2,3,4\n", 0, "two columns are named x"},
		{"1,2,3\n4,5,6\n", 0, "line 1: it does not name the columns; add a first line such as X Y Z"},
		{"", 0, "line 1: it does not name the columns"},
		{"Easting,Northing,Height\n1,2,3\n", 0, "line 1: it has no columns X and Y"},
		{"X Y Z\r1 2 3\r", 0, `write line feeds, for example by tr '\r' '\n'`},
		{"\ufeffSep=;\nX;Y;Z\n1;2;3\n", 0,
			"line 1: it is for spreadsheets only; remove it, for example by sed 1d"},
		{"X\x00,\x00Y\x00\n", 0, "not text"},
		{"\ufeffX,Y,Z\r\n1,2,3\r\n", 0, notNames},
		{"//X,Y,Z\n1,2,3\n", 0, "line 1: the names of columns are a comment"},
		{"# X Y Z\n1 2 3\n", 0, "for example by sed '1s|^[#/ ]*||'"},
		{"//X Y Z\r\n1 2 3\r\n", 0, "line 1: the names of columns are a comment"},
		{"// a comment\n1 2 3\n", 0, notNames},
		{"# X [m]\n1 2 3\n", 0, notNames},
		{"(X) (Y) (Z)\n1 2 3\n", 0, notNames},
		{"X [m],Y [m],Z [m]\n1,2,3\n", 0, notNames},
		{"X ,Y ,Z\n1,2,3\n", 0, notNames},
		{"X,Y,Z,2nd,\n1,2,3,4,5\n", 0, notNames},
		{"Point_id,X,Y,Z\n1,2,3,4\n", 0, notNames},
	} {
		points, err := sources.Inspect(write(t, t.TempDir(), "a.CSV", c.text))
		must.Says(t, err, c.words, "%.40q", c.text)
		must.Hold(t, points == c.points, "%.40q: %d points, not %d", c.text, points, c.points)
	}
}

func FuzzInspectText(f *testing.F) {
	f.Add("X,Y,Z\n1,2,3\n")
	f.Add("\ufeff\"X\" \"Y\"\n1 2\r\n")
	f.Add(textPLY + "1 1 1\n2 2 2\n")
	f.Add(textPCD + "1 1 1\n2 nan 2\n")
	f.Add("2\n1 2 3\n4 5 6\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"a.txt", "a.ply", "a.pcd", "a.pts"} {
			points, err := sources.Inspect(write(t, t.TempDir(), name, text))
			// of binary points a header states the number
			lines, stated := int64(strings.Count(text, "\n"))+1, name == "a.ply" || name == "a.pcd"
			if err == nil && !stated {
				must.Hold(t, points >= 0, "%s: points is %v, want at least 0", name, points)
				must.Hold(t, points <= lines, "%s: points is %v, want at most %v", name, points, lines)
			}
		}
	})
}

// las returns an empty LAS 1.4 header with a number of points.
func las(points int) string {
	head := make([]byte, 375+16)
	copy(head, "LASF")
	head[24], head[25], head[247], head[248] = 1, 4, byte(points), byte(points>>8)
	head[94], head[95], head[96], head[97] = 119, 1, 119, 1 // 375, of the header and where points begin
	head[104], head[105] = 0x80, 20                         // LAZ
	head[375], head[376] = 127, 1                           // its table of chunks
	return string(head)
}

// TestNamesOfResults: a result has the name of its input, and a suffix of LAS.
func TestNamesOfResults(t *testing.T) {
	for input, want := range map[string][2]string{"/a/tile.LAS": {"tile.LAS", "tile.copc.laz"},
		"b.copc.laz": {"b.copc.laz", "b.copc.laz"}, "/a/v1.2.xyz": {"v1.2.laz", "v1.2.copc.laz"}} {
		name := sources.ResultName(input)
		must.Equal(t, [2]string{name, sources.COPCName(name)}, want, "%s", input)
	}
}

// The heads of two points in text.
const (
	textPLY = "ply\nformat ascii 1.0\ncomment element face 1\nelement vertex 2\nproperty float x\nproperty " +
		"float y\nproperty float z\nend_header\n"
	textPCD = "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\nPOINTS 2\nDATA ascii\n"
)

func TestInspectHeaders(t *testing.T) {
	// COLUMNS is the former name of FIELDS
	former := strings.NewReplacer("FIELDS", "COLUMNS", "COUNT 1 1 1\n", "").Replace(textPCD)
	t.Parallel()
	for name, c := range map[string]struct {
		text   string
		points int64
	}{
		"a.ply":    {binaryPLY(17, 4, 17*4), 17},
		"c.ply":    {textPLY + "1 1 1\n\n2 2e3\t-.5\n", 2},
		"b.pcd":    {textPCD + "1 1 1\nnan -nan 2\n", 2},
		"b.ply":    {"ply\nend_header\nelement vertex 17\n", sources.Unknown},
		"a.pcd":    {compressedPCD(3, 9, 36), 3},
		"c.pcd":    {"# .PCD v0.7\nWIDTH 3\nDATA ascii\n", sources.Unknown},
		"a.laz":    {las(0), 0},
		"b.laz":    {"no LAS", sources.Unknown},
		"a.e57":    {"unknown", sources.Unknown},
		"c.las.gz": {"unknown", sources.Unknown},
	} {
		points, err := sources.Inspect(write(t, t.TempDir(), name, c.text))
		must.Need(t, err == nil, "%s: %v", name, err)
		must.Equal(t, points, c.points, "%s: points", name)
	}
	must.Fail(sources.Inspect(write(t, t.TempDir(), "b.PCD", "POINTS 3\nDATA binary\n")))(t,
		"binary", "ascii")
	for text, words := range map[string]string{ // PDAL shifts values, takes prefixes, or gives no remedy
		textPLY + "1 1\n2 2 2\n2 2 2\n":      "line 9: 2 fields, and the header names 3",
		textPLY + "1 1 1\n2 2 2 2\n":         "line 10: 4 fields, and the header names 3",
		textPLY + "1 1 1\n2 2 nan\n":         "line 10: 'nan' is not a number; remove",
		textPLY + "1 1 1\n2,5 2 2\n":         "line 10: '2,5' is not a number; write it without",
		textPLY + "1 1 1\n":                  "counts 2 points, and the bytes behind it hold at most 1",
		textPLY + "1 1 1\n2 2 2\n3 3 3\n":    "line 11: its header counts 2 points, and more follow",
		textPCD + "1 1 1\n2,5 2 2\n":         "line 10: '2,5' is not a number; write it without",
		textPCD + "1 1 1\n2 2 inf\n":         "line 10: 'inf' is not a number; remove",
		textPCD + "1 1 1\n2 2\n":             "line 10: 2 fields, and the header names 3",
		former + "1 1 1\n2 2\n":              "line 9: 2 fields, and the header names 3",
		textPCD + "1 1 1\n":                  "1 point can be read and the file should have 2",
		textPCD + "1 1 1\n2 2 2\n3 3 3\n":    "line 11: its header counts 2 points, and more follow",
		textPCD + strings.Repeat("1", 1<<17): "line 9: 1 fields",
		textPCD + strings.Repeat("1", 1<<25): "line 9 has more than 16777216 bytes",
	} {
		name := "text" + map[bool]string{true: ".ply", false: ".pcd"}[strings.HasPrefix(text, textPLY)]
		must.Fail(sources.Inspect(write(t, t.TempDir(), name, text)))(t, words)
	}
}

// TestCheckCount: a number of points that was read is compared with that of the file, if this is known.
func TestCheckCount(t *testing.T) {
	must.OK(t, sources.CheckCount(3, 3))
	must.OK(t, sources.CheckCount(3, sources.Unknown))
	must.Fail(1, sources.CheckCount(3, 4))(t, "3 points can be read and the file should have 4")
	must.Fail(1, sources.CheckCloud("/x/photo.PNG"))(t, "is a picture")
	must.OK(t, sources.CheckCloud("/x/photo.png.laz"))
}

// A virtual point cloud has one local file per feature.
func TestVirtual(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, folder, "a b.laz", las(0))
	write(t, folder, "b.laz", las(0))
	write(t, folder, "c%20d.laz", las(0))
	for _, c := range [][2]string{
		{`{"assets": {"data": {"href": "./a b.laz"}}}`, ""},
		{`{"assets": {"data": {"href": "a%20b.laz"}}}`, ""},
		{`{"assets": {"data": {"href": "c%20d.laz"}}}`, ""},
		{`{"assets": {"data": "b.laz"}}`, "not a virtual point cloud"},
		{`{"id": "f", "assets": {"data": {"href": "none.laz"}}}`, `feature "f": there is no file `},
		{`{"assets": {"x": {"href": "b.laz", "roles": ["data"]}, "thumbnail": {"href": "b.png"}}}`, ""},
		{`{"id": "f", "assets": {"data": {"href": "https://example.org/a.laz"}}}`,
			`"f": https://example.org/a.laz: files are not`},
		{`{"assets": {"data": {"href": "s3://bucket/a.laz"}}}`, "network"},
		{
			`{"assets": {"data": {"href": "b.laz"}, "more": {"href": "a b.laz", "roles": ["data"]}}}`,
			"2 data assets, and must have one; make a feature for each file: a b.laz, b.laz"},
		{`{"assets": {"x": {"href": "b.laz", "roles": ["data"]}, "y": {"href": "c", "roles": ["data"]}}}`,
			"2 data assets"},
		{`{"assets": {"thumbnail": {"href": "b.png"}}}`, "0 data assets"},
		{`{"assets": {"data": {"href": "survey.vpc"}}}`, "survey.vpc is a virtual point cloud, too"},
	} {
		text, words := c[0], c[1]
		vpc := write(t, folder, "survey.vpc",
			"\ufeff"+`{"type": "FeatureCollection", "features": [`+text+`]}`)
		files, err := sources.Files([]string{vpc}, nil)
		must.Says(t, err, words, "%s", text)
		if err == nil {
			must.Equal(t, len(files), 1, "%s: len(files)", text)
		}
	}
}

// Names that pdal takes for a home or an option get their folder, however they are found.
func TestNamesThatPDALExpands(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "~a.las", las(0))
	write(t, ".", "-b.las", las(0))
	write(t, ".", "all.vpc", `{"features": [{"assets": {"data": {"href": "-b.las"}}}, {"assets": {"data": {"href":
		"~a.las"}}}]}`)
	for _, names := range [][]string{{"."}, {"*.las"}, {"?[ab].las"}, {"all.vpc"}, {"-b.las", "~a.las"}} {
		must.Equal(t, must.Get(sources.Members(names, nil))(t), []string{"./-b.las", "./~a.las"},
			"members of %q", names)
	}
}

// Files, folders and patterns become the same list of files; what is skipped is said.
func TestMembers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := write(t, folder, "tiles/a.laz", las(0)), write(t, folder, "tiles/B.LAS", las(0))
	write(t, folder, "tiles/notes.txt", "")
	write(t, folder, "tiles/fine.PLY", "")
	write(t, folder, "tiles/.hidden.laz", "")
	write(t, folder, ".trash/a.laz", "")
	write(t, folder, "tiles/more/c.laz", las(0))
	write(t, folder, "tiles/pictures/c.png", "")
	ept := write(t, folder, "octree/ept.json", "{}")
	said := ""
	for _, c := range []struct {
		name  string
		files []string
		words string // of the warning, or the error
	}{
		{folder + "/tiles", []string{b, a}, "name these, too: " + folder + "/tiles/fine.PLY " + folder +
			"/tiles/more"},
		{folder + "/tiles/[aB].*", []string{b, a}, ""},
		{folder + "/til?s/a*", []string{a}, ""},
		{folder + "/tiles/*.laz", []string{a}, ""},
		{folder + "/tiles/.hid*", []string{folder + "/tiles/.hidden.laz"}, ""},
		{folder + "/*/a.laz", []string{a}, ""},
		{folder + "/.t*/a.laz", []string{folder + "/.trash/a.laz"}, ""},
		{a, []string{a}, ""},
		{folder + "/octree", nil, ept + ": EPT is not read"},
		{ept, nil, ept + ": EPT is not read; write it as LAZ: pdal translate " + ept + " tile.laz"},
		{folder, nil,
			"has no .las or .laz file; of a folder only .las and .laz files are read; name these, too"},
		{folder + "/tiles/pictures", nil, "has no .las or .laz file"},
		{folder + "/*.laz", nil, "no file has a name of this pattern"},
		{"https://example.org/a.laz", nil, "not read over a network (https); download it first"},
	} {
		said = ""
		files, err := sources.Members([]string{c.name}, func(text string) { said += text })
		if err != nil {
			said = err.Error()
		}
		must.Equal(t, err == nil, c.files != nil, "%s: err == nil, for error %v", c.name, err)
		must.Equal(t, strings.Join(files, " "), strings.Join(c.files, " "),
			`%s: strings.Join(files, " ")`, c.name)
		must.Hold(t, strings.Contains(said, c.words), "%s: got %q, want %q in it", c.name, said, c.words)
		if c.words == "" {
			must.Equal(t, said, "", "%s: said", c.name)
		}
	}
	must.OK(t, os.Symlink("nowhere.laz", folder+"/tiles/dangling.laz"))
	for _, name := range []string{"/missing.laz", "/tiles/dangling.laz", "/tiles/dang*"} {
		must.Fail(sources.Files([]string{folder + name}, nil))(t, name[:8],
			"no such file or folder; correct the path")
	}
	must.Equal(t, must.Get(sources.Files([]string{a, b, a}, nil))(t), []string{b, a},
		"files, sorted and once each")
}

// TestOtherElements: columns of elements behind the points are none of the points.
func TestOtherElements(t *testing.T) {
	t.Parallel()
	text := strings.Replace(textPLY, "end_header", "element face 1\nproperty float area\nend_header", 1)
	n, err := sources.Inspect(write(t, t.TempDir(), "a.ply", text+"1 1 1\n2 2 2\n0.5\n"))
	must.Equal(t, n, 2, "points")
	must.OK(t, err)
}

func TestPipesAreNoSources(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe.las")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	for _, arg := range []string{pipe, filepath.Dir(pipe), filepath.Dir(pipe) + "/*.las"} {
		must.Fail(sources.Files([]string{arg}, nil))(t, "pipe.las is a pipe")
	}
}
