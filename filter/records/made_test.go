package records_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"superpoint/filter/records"
)

func TestWhatMadeAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.las")
	if records.Made(path) != nil {
		t.Error("a file that is not there was made by something")
	}
	w, err := records.NewWriter(path, lasHead())
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if err := w.Append(make([]byte, 34)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if records.Made(path) != nil {
		t.Error("a plain file was made by something")
	}
	for _, text := range []string{"first", "second"} { // an earlier record stays, the last one counts
		if err := records.SetMade(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := records.Made(path); string(got) != text {
			t.Errorf("%q instead of %q", got, text)
		}
	}
	if l, err := records.Read(path); err != nil || l.Count != 100 {
		t.Errorf("%+v, %v", l, err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	if got := records.Made(path); got != nil {
		t.Errorf("a file that was cut short was made by %q", got)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 500), 0o666); err != nil {
		t.Fatal(err)
	}
	if records.Made(path) != nil || records.SetMade(path, nil) == nil {
		t.Error("what is no LAS 1.4 takes a record")
	}
}
