package compare

import "testing"

func TestCellsAreNoFormulas(t *testing.T) {
	for path, want := range map[string]string{
		"a.laz": "a.laz", "/data/a b.laz": "a b.laz", "=HYPERLINK(1).laz": "./=HYPERLINK(1).laz", "/x/+1.laz": "./+1.laz",
		"x/-1.laz": "./-1.laz", "@SUM(A1).laz": "./@SUM(A1).laz", "\t=1.laz": "./\t=1.laz", "": ".",
	} {
		if got := FileCell(path); got != want {
			t.Errorf("%q gives %q", path, got)
		}
	}
	for name, want := range map[string]string{"town": "town", "=1+1": "1+1", "--": "data", "": "data", "a=b": "a=b"} {
		if got := SetCell(name); got != want {
			t.Errorf("%q gives %q", name, got)
		}
	}
}
