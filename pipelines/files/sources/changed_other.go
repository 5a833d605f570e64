//go:build !linux

package sources

import "io/fs"

func changed(fs.FileInfo) string { return "" }
