package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pdalProgram returns the pdal that runs this command, else the first on the
// PATH. Its environment (library and plugin paths) is inherited.
func pdalProgram() (string, error) {
	if own, err := os.Executable(); err == nil && filepath.Base(own) == "pdal" {
		return own, nil
	}
	if path := os.Getenv("SUPERPOINT_PDAL"); path != "" {
		return path, nil
	}
	path, err := exec.LookPath("pdal")
	if err != nil {
		return "", errors.New("no pdal on the PATH; set SUPERPOINT_PDAL to one")
	}
	return path, nil
}

// pdal runs pdal and returns what it prints.
func pdal(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	program, err := pdalProgram()
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, program, args...)
	var out, complaint bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(input), &out, &complaint
	if err := c.Run(); err != nil {
		text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(complaint.String()), "PDAL:"))
		if text == "" {
			text = err.Error()
		}
		return nil, fmt.Errorf("pdal %s: %s", args[0], text)
	}
	return out.Bytes(), nil
}

// pipeline runs stages.
func pipeline(ctx context.Context, stages ...any) error {
	text, err := json.Marshal(stages)
	if err != nil {
		return err
	}
	_, err = pdal(ctx, text, "pipeline", "--stdin")
	return err
}

// writer returns a LAS or LAZ writer for files of the layout.
func (l *layout) writer(path, extra string) map[string]any {
	w := map[string]any{
		"type": "writers.las", "filename": path, "forward": "all", "minor_version": 4, "dataformat_id": l.Format, "extra_dims": extra,
	}
	if extra == "" {
		delete(w, "extra_dims")
	}
	if strings.HasSuffix(path, ".laz") {
		w["compression"] = "laszip"
	}
	for k, axis := range []string{"x", "y", "z"} {
		w["scale_"+axis], w["offset_"+axis] = l.Scale[k], l.Offset[k]
	}
	return w
}

// extraDims writes fields as the option extra_dims takes them.
func extraDims(fields []field) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Name+"="+f.Type)
	}
	return strings.Join(all, ",")
}
