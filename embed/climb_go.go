//go:build !cgo || !amd64

package embed

// walk takes one step in the rows lo to hi−1.
func walk(paths []path, at, next []place, lo, hi int) { plainWalk(paths, at, next, lo, hi) }
