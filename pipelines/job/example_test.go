// SPDX-License-Identifier: BSD-3-Clause

package job_test

import (
	"fmt"
	"os"
	"path/filepath"

	"superpoint/pipelines/job"
)

// An input that another program replaces while it is read is read once more, and its identity is that of
// what was read last.
func ExamplePin() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "cloud.las")
	put := func(text string) {
		if err := os.WriteFile(path+".new", []byte(text), 0o666); err != nil {
			panic(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			panic(err)
		}
	}
	put("before")
	tries := 0
	var seen []byte
	err = job.Pin(folder, []string{path}, func(all []job.Pinned) (err error) {
		if tries++; tries == 1 {
			put("after")
		}
		seen, err = os.ReadFile(all[0].Read)
		return err
	})
	fmt.Println(err, string(seen))
	// Output: <nil> after
}
