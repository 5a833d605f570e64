package compare

import (
	"path/filepath"
	"strings"
)

// formula are the signs by which spreadsheets know a formula. Numbers may begin
// with them; names of files come from elsewhere.
const formula = "=+-@\t\r"

// FileCell is a file's name as tables have it: ./=A1.laz for =A1.laz, which is the
// same file, and no formula to a spreadsheet.
func FileCell(path string) string {
	name := filepath.Base(path)
	if strings.ContainsRune(formula, rune(name[0])) {
		return "./" + name
	}
	return name
}

// SetCell is the name of a data set without such signs before it.
func SetCell(name string) string {
	if plain := strings.TrimLeft(name, formula); plain != "" {
		return plain
	}
	return "data"
}
