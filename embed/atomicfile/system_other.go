//go:build !unix

package atomicfile

import "os"

func hold(*os.File) {}

func abandoned(string) bool { return false }

func duplicate(_ int, name string) (*os.File, error) { return os.OpenFile(name, os.O_WRONLY, 0) }
