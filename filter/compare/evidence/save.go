package main

import "os"

// save writes a page or a table of cells.
func save(path string, text []byte) error { return os.WriteFile(path, text, 0o666) }
