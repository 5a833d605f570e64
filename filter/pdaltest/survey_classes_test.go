package pdaltest

import (
	"fmt"
	"path/filepath"
	"testing"

	"superpoint/testdata/las"
)

// TestSurveyWithClasses classifies a village tile by tile: nearly every point gets
// the class that it has when the village is one cloud.
func TestSurveyWithClasses(t *testing.T) {
	t.Parallel()
	p, at := scene(t)
	classes := []string{"--classes", "aerial", "--class_change", "all"}
	pdal(t, nil, append(append([]string{"superpoint", "segment"}, classes...), at("plain.las"), at("whole.las"))...).ok(t)
	pdal(t, nil, append(append([]string{"superpoint", "survey", "plan", "--tile", "60", "--halo", "20",
		"--results", "tiles", "--output",
		at("survey")}, classes...), at("plain.las"))...).ok(t)
	pdal(t, nil, "superpoint", "survey", "run", at("survey")).ok(t)
	key := func(p *las.Points, i int) string {
		return fmt.Sprintf("%.3f %.3f %.3f %.6f", p.X[i], p.Y[i], p.Z[i], p.GPSTime[i])
	}
	whole, class := read(t, at("whole.las")), map[string]uint8{}
	for i := range whole.Len() {
		class[key(whole, i)] = whole.Classification[i]
	}
	tiles, err := filepath.Glob(filepath.Join(at("survey"), "out", "*.laz"))
	if err != nil || len(tiles) < 4 {
		t.Fatalf("%v, %v", tiles, err)
	}
	points, same, sure := 0, 0, 0.0
	q := gathered(t, tiles...)
	for i := range q.Len() {
		points++
		if q.Classification[i] == class[key(q, i)] {
			same++
		}
		sure += q.Extra["ClassConfidence"][i]
	}
	if points != p.Len() || float64(same) < 0.95*float64(points) || sure < 0.5*float64(points) {
		t.Errorf("%d of %d points, %.3f of them with the class of the whole, confidence %.3f", points, p.Len(),
			float64(same)/float64(points), sure/float64(points))
	}
	t.Logf("%.4f of the points have the class of the whole", float64(same)/float64(points))
}
