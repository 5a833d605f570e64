//go:build !unix

package models

const nonblocking = 0
