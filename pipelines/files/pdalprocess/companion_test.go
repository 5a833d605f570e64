// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// served is a program that answers one request and, without "requests", says that it runs alone. answer is
// what it does with the request.
func served(t *testing.T, answer string) string {
	return program(t,
		`if [ "$2" = requests ]; then `+answer+`; cat >/dev/null; else echo "(pdal info Warning) w" >&2; `+
			`echo alone; fi`)
}

// TestCompanion: the answer of a companion counts if the command succeeded; else the command runs alone, and
// what it said before is not repeated.
func TestCompanion(t *testing.T) {
	const (
		warning = `echo "(pdal info Warning) w" >&2; `
		end     = `echo "` + answerFollows + `" >&2; `
	)
	for name, c := range map[string]struct{ answer, want string }{
		"succeeds": {warning + end + `printf '2\n1\n05\nhello'`, "hello"},
		"fails":    {warning + end + `printf '2\n1\n15\nhello'`, "alone\n"},
		"logs an error": {warning + `echo "ERROR 4: no such file" >&2; ` + end +
			`printf '2\n1\n05\nhello'`, "alone\n"},
		"ends":             {"exit 3", "alone\n"},
		"is killed":        {warning + "kill -KILL $$", "alone\n"},
		"answers too soon": {end + "exit 0", "alone\n"},
		"answers nonsense": {end + "echo nonsense", "alone\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("SUPERPOINT_PDAL", served(t, c.answer))
			var companion Companion
			defer companion.Close()
			var warnings []string
			p := Process{Companion: &companion, Warn: func(text string) { warnings = append(warnings, text) }}
			out := must.Get(p.run(t.Context(), nil, "info"))(t)
			must.Equal(t, string(out), c.want, "what the command printed")
			must.Equal(t, warnings, []string{"w"}, "warnings")
		})
	}
}

// TestCompanionEnds: Close ends the process, and so does an answer that is none.
func TestCompanionEnds(t *testing.T) {
	folder := t.TempDir()
	pid := filepath.Join(folder, "pid")
	t.Setenv("SUPERPOINT_PDAL",
		served(t, "echo $$ >"+pid+`; echo "`+answerFollows+`" >&2; printf '2\n1\n00\n'`))
	var companion Companion
	must.Get(Process{Companion: &companion}.run(t.Context(), nil, "info"))(t)
	id := strings.TrimSpace(string(must.Get(os.ReadFile(pid))(t)))
	_, err := os.Stat("/proc/" + id)
	must.OK(t, err)
	companion.Close()
	_, err = os.Stat("/proc/" + id)
	must.Hold(t, os.IsNotExist(err), "process %s is still there: %v", id, err)
	companion.Close()
}

// TestLists: what is written is read again, also texts with line feeds and without any byte.
func TestLists(t *testing.T) {
	for _, list := range [][]string{{}, {""}, {"folder", "a\nb\x00c\n", "", "é"}} {
		got := must.Get(readList(bufio.NewReader(bytes.NewReader(formatList(list)))))(t)
		must.Hold(t, slices.Equal(got, list), "%q became %q", list, got)
	}
	for _, text := range []string{"", "1\n", "1\n5\nabc", "x\n", "-1\n", "1\n-2\n"} {
		_, err := readList(bufio.NewReader(strings.NewReader(text)))
		must.Hold(t, err != nil, "%q is no list, and no error", text)
	}
}
