//go:build !unix

package filter

const nonblocking = 0
