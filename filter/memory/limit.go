// SPDX-License-Identifier: BSD-3-Clause

package memory

// limit is memory that views take: base for buffers and stacks of any view, and factor for each
// byte that points need. The Go runtime reserves address space (ulimit -v) and data (ulimit -d) in
// units of 64 MB, about twice as much as it uses, with arenas for threads.
type limit struct {
	name         string
	free         uint64
	base, factor float64
	shared       bool // by all processes
}
