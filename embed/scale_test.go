package embed

import "testing"

func TestScales(t *testing.T) {
	intensity := make([]float32, 1000)
	for i := range intensity {
		intensity[i] = float32(i)
	}
	intensity[5] = 1e9 // a glint
	for name, test := range map[string]struct {
		dimension string
		values    []float32
		want      Scale
	}{
		"8 bit":          {"Red", []float32{0, 255, 17}, Scale{0, 255}},
		"16 bit":         {"Red", []float32{0, 256}, Scale{0, 65535}},
		"none":           {"Red", nil, Scale{0, 255}},
		"intensity":      {"Intensity", intensity, Scale{11, 990}},
		"flat intensity": {"Intensity", []float32{7, 7, 7}, Scale{7, 8}},
		"no intensity":   {"Intensity", nil, Scale{0, 1}},
		"other":          {"NumberOfReturns", []float32{9}, Scale{0, 1}},
	} {
		if got := MeasureScale(test.dimension, test.values); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	in := &Input{Attributes: map[string][]float32{"Red": {300}, "Blue": {3}, "Intensity": {1, 2}}}
	if s := in.MeasureScales(); s["Blue"] != s["Red"] || s["Red"].High != 65535 {
		t.Errorf("colours have scales %v", s)
	}
	s := Scale{10, 20}
	if s.apply(9) != 0 || s.apply(15) != 0.5 || s.apply(99) != 1 {
		t.Error("a scale does not clamp")
	}
}
