package pdaltest

import (
	"encoding/csv"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"superpoint/partition/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

const pixel = 0.5 // metres

// orthophoto is a simulated village from above, of side × side pixels: the
// colour of the highest point of each pixel, or of the pixel before where no
// point fell. west and north are the middle of the first pixel.
func orthophoto(t testing.TB, side int) (photo *image.RGBA, west, north float64) {
	t.Helper()
	scene := must.Get(scenes.New("village", scenes.Options{Seed: 3}))(t)
	metres := float64(side) * pixel
	p := must.Get(scan.Cloud(parallel.Run{}, scene,
		scan.Options{Mode: scan.Aerial, Points: int(metres * metres * 20 * 1.3), Density: 20, Color: true}))(t)
	return view(p, side)
}

func view(p *las.Points, side int) (photo *image.RGBA, west, north float64) {
	left, top := p.X[0], p.Y[0]
	for i := range p.X {
		left, top = min(left, p.X[i]), max(top, p.Y[i])
	}
	photo = image.NewRGBA(image.Rect(0, 0, side, side))
	highest := make([]float64, side*side)
	for i := range highest {
		highest[i] = -1e9
	}
	for i := range p.X {
		column, row := int((p.X[i]-left)/pixel), int((top-p.Y[i])/pixel)
		if column >= side || row >= side || p.Z[i] <= highest[row*side+column] {
			continue
		}
		highest[row*side+column] = p.Z[i]
		photo.SetRGBA(column, row, color.RGBA{uint8(p.Red[i] >> 8), uint8(p.Green[i] >> 8), uint8(p.Blue[i] >> 8), 255})
	}
	for i := 1; i < len(highest); i++ {
		if highest[i] == -1e9 {
			photo.SetRGBA(i%side, i/side, photo.RGBAAt((i-1)%side, (i-1)/side))
		}
	}
	return photo, left + pixel/2, top - pixel/2
}

// writePhoto writes a PNG and the world file that says where it lies.
func writePhoto(t testing.TB, photo image.Image, west, north float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "photo.png")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	must.OK(t, png.Encode(file, photo))
	world := fmt.Sprintf("%v\n0\n0\n%v\n%.3f\n%.3f\n", pixel, -pixel, west, north)
	must.OK(t, os.WriteFile(filepath.Join(filepath.Dir(path), "photo.pgw"), []byte(world), 0o666))
	return path
}

// imageIDs partitions a photo through pdal and returns the id of every pixel.
func imageIDs(t testing.TB, photo *image.RGBA, west, north float64, options stage) (id []int, summary map[string]any) {
	t.Helper()
	text := filepath.Join(t.TempDir(), "pixels.csv")
	with := stage{"type": "filters.superpoint", "graph": "grid", "embedding": false}
	maps.Copy(with, options)
	o := pipeline(t, nil, stage{"type": "readers.gdal", "filename": writePhoto(t, photo, west, north)}, with,
		stage{"type": "writers.text", "filename": text, "format": "csv", "order": "SuperpointID",
			"keep_unspecified": false}).ok(t)
	content := must.Get(os.Open(text))(t)
	defer content.Close()
	lines := must.Get(csv.NewReader(content).ReadAll())(t)
	for _, line := range lines[1:] {
		v := must.Get(strconv.ParseFloat(line[0], 64))(t)
		id = append(id, int(v))
	}
	return id, o.stage[0]
}

// within returns the share of the variance of the colours that is left within
// superpoints.
func within(photo *image.RGBA, id []int) float64 {
	type sum struct{ n, s, q float64 }
	parts, left, all := map[int]*sum{}, 0.0, 0.0
	for c := range 3 {
		clear(parts)
		var total sum
		for i, k := range id {
			if parts[k] == nil {
				parts[k] = &sum{}
			}
			v := float64(photo.Pix[4*i+c])
			for _, p := range []*sum{parts[k], &total} {
				p.n, p.s, p.q = p.n+1, p.s+v, p.q+v*v
			}
		}
		for _, p := range parts {
			left += p.q - p.s*p.s/p.n
		}
		all += total.q - total.s*total.s/total.n
	}
	return left / all
}

func TestImageThroughGDAL(t *testing.T) {
	t.Parallel()
	launcher(t)
	const side = 80
	photo, west, north := orthophoto(t, side)
	id, summary := imageIDs(t, photo, west, north, stage{"target_size": 60})
	if len(id) != side*side {
		t.Fatalf("%d pixels, want %d", len(id), side*side)
	}
	count := map[int]int{}
	for _, v := range id {
		count[v]++
	}
	dense(t, count)
	if summary["graph"] != "grid" || summary["edges"] != float64(2*side*(side-1)+2*(side-1)*(side-1)) {
		t.Errorf("graph %v of %v edges", summary["graph"], summary["edges"])
	}
	squares := make([]int, len(id)) // as many, cut by ruler
	for i := range squares {
		squares[i] = i/side/8*100 + i%side/8
	}
	if got, ruler := within(photo, id), within(photo, squares); got > 0.6*ruler || len(count) < 80 || len(count) > 140 {
		t.Errorf("%d superpoints keep %.3f of the variance of colours within; squares of the same size keep %.3f",
			len(count), got, ruler)
	}
	if named, _ := imageIDs(t, photo, west, north,
		stage{"target_size": 60, "features": "band_1,band_2,band_3", "threads": 3}); fmt.Sprint(named) != fmt.Sprint(id) {
		t.Error("naming the bands gives other ids")
	}
}

// TestRecipeImage runs the recipe as it is on a photo.
func TestRecipeImage(t *testing.T) {
	t.Parallel()
	const side = 60
	photo, west, north := orthophoto(t, side)
	from, dir := writePhoto(t, photo, west, north), t.TempDir()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "photo.tif"), text, 0o644)
	}
	must.OK(t, err)
	in(t, dir, launcher(t), "pipeline", file(t, "image.json")).ok(t)
	raw := filepath.Join(dir, "photo.las")
	pdal(t, nil, "translate", filepath.Join(dir, "photo.laz"), raw, "--writers.las.minor_version=4",
		"--writers.las.extra_dims=all").ok(t)
	p := read(t, raw)
	dense(t, ids(t, p, "SuperpointID"))
	if p.Len() != side*side {
		t.Errorf("%d points, want %d", p.Len(), side*side)
	}
}
