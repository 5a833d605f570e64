package train

import "testing"

// FuzzParseRecipe reads recipes: a usable one, or an error.
func FuzzParseRecipe(f *testing.F) {
	f.Add([]byte("name: a\nbatch: {clouds: 2, points: 100}\n"))
	f.Add([]byte("inputs: {neighbors: 20, neighbor_channels: [x, y, z], point_channels: [radius]}"))
	f.Add([]byte("groups:\n- {match: 'a*', share: 1, instances: treeID}\n"))
	f.Add([]byte("network: &a [*a]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parseRecipe(text)
		if err != nil {
			return
		}
		if r == nil || r.Batch.Points < 1 || r.Batch.Clouds < 1 {
			t.Fatalf("recipe %+v", r)
		}
	})
}
