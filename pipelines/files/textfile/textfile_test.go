// SPDX-License-Identifier: BSD-3-Clause

package textfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"superpoint/pipelines/files/textfile"
	"superpoint/testdata/must"
)

// TestEncodings: text is read in each encoding that says what it is, and other text is refused or found by
// CheckUTF8.
func TestEncodings(t *testing.T) {
	t.Parallel()
	const want = "id,label\n1,Gebäude 𝕏\n"
	for _, c := range []struct {
		name, content string
		words         string // of the error
	}{
		{"UTF-8", want, ""},
		{"with a byte order mark", "\ufeff" + want, ""},
		{"lines of old Macintosh computers", "id,label\r1,Gebäude 𝕏\r", ""},
		{"UTF-16, little end first", "\xff\xfe" + utf16(want, 0), ""},
		{"UTF-16, big end first", "\xfe\xff" + utf16(want, 1), ""},
		{"UTF-16 without a mark", utf16(want, 0), "not text; save the file as UTF-8"},
		{"UTF-16 cut short", "\xff\xfe" + utf16(want, 0)[1:], "not text"},
		{"UTF-32", "\xff\xfe\x00\x00i\x00\x00\x00", "not text"},
		{"a byte 0", "id,label\n1,\x00\n", "not text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a")
			must.OK(t, os.WriteFile(path, []byte(c.content), 0o666))
			text, err := textfile.Read(path)
			must.Says(t, err, c.words, "read")
			if err == nil {
				must.Equal(t, string(text), want, "text")
			}
			must.OK(t, textfile.CheckUTF8(text))
		})
	}
	must.Fail(textfile.Read(filepath.Join(t.TempDir(), "none")))(t, "no such file")
}

// utf16 returns text below U+10000 and the character 𝕏 in UTF-16; first: the place of the large byte.
func utf16(text string, low int) (encoded string) {
	for _, r := range text {
		units := []rune{r}
		if r == '𝕏' {
			units = []rune{0xd835, 0xdd4f}
		}
		for _, u := range units {
			pair := [2]byte{}
			pair[low], pair[1-low] = byte(u), byte(u>>8)
			encoded += string(pair[:])
		}
	}
	return encoded
}

// TestCheckUTF8: the line is named.
func TestCheckUTF8(t *testing.T) {
	t.Parallel()
	must.OK(t, textfile.CheckUTF8([]byte("a\nä\n")))
	must.OK(t, textfile.CheckUTF8(nil))
	must.Fail(1, textfile.CheckUTF8([]byte("a\nGeb\xe4ude\r\nb")))(t,
		`line 2 is not UTF-8: "Geb\xe4ude"; save`, "iconv")
}
