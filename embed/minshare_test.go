package embed

import "testing"

// TestMinShare: the smallest size is a share of the wanted one, which grows with
// sizes above 200 points, up to a tenth.
func TestMinShare(t *testing.T) {
	for _, c := range []struct {
		share, growth, size float64
		want                int
	}{
		{0, 0, 100, 0}, {0, 0.5, 1000, 0}, // the solver's
		{0.04, 0, 10, 1}, {0.04, 0, 50, 2}, {0.04, 0, 100, 4}, {0.04, 0, 400, 16},
		{0.04, 1, 10, 1}, {0.04, 1, 100, 4}, {0.04, 1, 200, 8}, {0.04, 1, 400, 32}, {0.04, 0.5, 800, 64},
		{0.04, 1, 500, 50}, {0.04, 1, 1e5, 1e4}, {0.3, 1, 1000, 300}, {1, 1, 1e6, 1e6},
	} {
		if got := (MinShare{c.share, c.growth}).Of(c.size); got != c.want {
			t.Errorf("share %g, growth %g, size %g: %d points, want %d", c.share, c.growth, c.size, got, c.want)
		}
	}
}
