package sources

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"strings"
)

// edgeBytes is how much Identity reads at either end of a file: the header with the
// first points, and the last points.
const edgeBytes = 1 << 16

// Remote is the identity of what is no local file. It is taken as fixed.
const Remote = "remote"

// Identity identifies the content of a file by its size and by a hash of its first and
// last 64 KiB. It does not depend on name, place and time of change, so a link or a copy
// has the same one.
func Identity(path string) (string, error) {
	if strings.Contains(path, "://") {
		return Remote, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, at := range []int64{0, max(0, info.Size()-edgeBytes)} {
		if _, err := io.Copy(hash, io.NewSectionReader(f, at, edgeBytes)); err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
	}
	return fmt.Sprintf("%d-%x", info.Size(), hash.Sum(nil)[:16]), nil
}

// Signature is Identity with the time of the last change, which also tells of changes
// in the middle of a file.
func Signature(path string) (string, error) {
	identity, err := Identity(path)
	if err != nil || identity == Remote {
		return identity, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s-%d", identity, info.ModTime().UnixNano()), nil
}
