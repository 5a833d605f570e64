//go:build unix

package filter

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"superpoint/filter/models"
)

// TestModelThatIsAPipe opens one that nobody writes to, as if it had taken the
// place of a file after somebody looked.
func TestModelThatIsAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skip(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := models.Read(path)
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil || !strings.Contains(err.Error(), "is a pipe") {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("opening a pipe waits for its other end")
	}
}
