package pdaltest

import (
	"testing"
)

func TestCommandErrors(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	for _, c := range []struct {
		args  []string
		words []string
	}{
		{[]string{"nonsense"}, []string{"nonsense", "eval", "render"}},
		{[]string{"info", "/nowhere/a.laz"}, []string{"/nowhere/a.laz"}},
		{[]string{"eval", "--nonsense", "a.laz"}, []string{"nonsense", "--help"}},
		{[]string{"train", "--output", "m.safetensors"}, []string{"train", "--input"}},
		{[]string{"outline", in, "a.gpkg"}, []string{"house.las", "SuperpointID", "pdal superpoint segment IN OUT", "--id"}},
		{[]string{"outline", in, "a.nothing"}, []string{"a.nothing", "has no driver that writes such files", ".gpkg"}},
	} {
		refused(t, pdal(t, nil, append([]string{"superpoint"}, c.args...)...), "", c.words...)
	}
}

// TestOneDash writes options with one dash, which pdal takes apart into -t -r -u -t
// and keeps -h of.
func TestOneDash(t *testing.T) {
	t.Parallel()
	for wrong, right := range map[string]string{"-truth": "--truth", "-target_size": "--target_size",
		"-output": "--output"} {
		refused(t, pdal(t, nil, "superpoint", "eval", wrong, "Classification", "a.laz"), "", "two dashes: "+right)
	}
	refused(t, pdal(t, nil, "superpoint", "render", "--tilt", "-30", "a.laz", "a.png"), "",
		"equals sign, as in --tilt=-30")
}
