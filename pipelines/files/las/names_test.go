// SPDX-License-Identifier: BSD-3-Clause

package las

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	other "superpoint/testdata/las"
	"superpoint/testdata/must"
)

// described returns a LAS 1.4 file of no points with extra dimensions of one byte.
func described(t testing.TB, names ...string) []byte {
	f, path := &other.File{Minor: 4, Format: 6}, filepath.Join(t.TempDir(), "described.las")
	for _, name := range names {
		f.Extras = append(f.Extras, other.Extra{Name: name, Kind: other.Uint8, Scale: 1})
	}
	must.OK(t, f.Write(path))
	return must.Get(os.ReadFile(path))(t)
}

// Names become such that PDAL reads, different ones different, and no byte else changes.
func TestNamesThatPDALRefuses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 31) + "é"[:1]
	for _, c := range [][2][]string{
		{{"Amplitude", "Pulse_width"}, nil},
		{{"Pulse width", "Pulse_width", "Pulse-width"}, {"Pulse_width2", "Pulse_width", "Pulse_width3"}},
		{{"2D", "", "(X)", "Höhe"}, {"D2D", "D", "D_X_", "H_he"}},
		{{"Scan Channel ", "+"}, {"Scan_Channel_", "D_"}},
		{{long, long + "y"}, {strings.Repeat("x", 31) + "_", strings.Repeat("x", 30) + "2"}},
	} {
		path := filepath.Join(t.TempDir(), "a.las")
		whole := described(t, c[0]...)
		must.OK(t, os.WriteFile(path, whole, 0o666))
		must.Hold(t, Refused(path) == (c[1] != nil), "%q is refused: %v", c[0], Refused(path))
		if c[1] == nil {
			continue
		}
		must.OK(t, Rename(path, path+"2"))
		l := must.Get(Read(path + "2"))(t)
		for k, x := range l.Extra {
			must.Hold(t, x.Name == c[1][k], "%q is %q, not %q", c[0][k], x.Name, c[1][k])
			copy(whole[x.at:x.at+longestName], make([]byte, longestName))
			copy(whole[x.at:], x.Name)
		}
		must.Hold(t, string(must.Get(os.ReadFile(path+"2"))(t)) == string(whole),
			"%q: other bytes have changed", c[0])
	}
}

// FuzzRead: any bytes are a file or an error, and a file has names that PDAL reads.
func FuzzRead(f *testing.F) {
	f.Add(described(f, "Amplitude", "Pulse width"))
	f.Add([]byte("LASF"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l := &File{size: int64(len(text))}
		if l.read(bytes.NewReader(text)) != nil {
			return
		}
		for k, name := range l.plainNames() {
			if l.Extra[k].at > 0 {
				must.Hold(t, plainName.MatchString(name),
					"%q became %q: plainName.MatchString(name) is false", l.Extra[k].Name, name)
				must.Hold(t, len(name) <= longestName,
					"%q became %q: want len(name) at most longestName", l.Extra[k].Name, name)
			}
		}
	})
}
