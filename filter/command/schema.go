package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// schema is what pdal tells about a file without reading its points.
type schema struct {
	reader     string
	dimensions []field
	metadata   map[string]any
}

// schema asks pdal about a file.
func (c child) schema(ctx context.Context, path string) (*schema, error) {
	args := []string{"info", "--metadata", "--schema", path}
	if isLAS(path) {
		args = append(args, "--readers.las."+describedBytes+"=true")
	}
	text, err := c.run(ctx, nil, args...)
	if err != nil {
		return nil, err
	}
	var m struct {
		Reader string
		Schema struct {
			Dimensions []struct {
				Name, Type string
				Size       int
			}
		}
		Metadata map[string]any
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("pdal info: %w", err)
	}
	s := &schema{reader: m.Reader, metadata: m.Metadata}
	for _, d := range m.Schema.Dimensions {
		s.dimensions = append(s.dimensions, field{d.Name, typeName(d.Type, d.Size)})
	}
	return s, nil
}

// describedBytes is the option of readers.las that reads extra dimensions of
// files before LAS 1.4, too, where a record describes them.
const describedBytes = "use_eb_vlr"

// isLAS tells whether readers.las reads a file of this name.
func isLAS(path string) bool {
	name := strings.ToLower(path)
	return (strings.HasSuffix(name, ".las") || strings.HasSuffix(name, ".laz")) && !strings.HasSuffix(name, copcEnding)
}

const copcEnding = ".copc.laz"

func typeName(kind string, size int) string {
	switch kind {
	case "floating":
		return map[int]string{4: "float", 8: "double"}[size]
	case "signed":
		return fmt.Sprintf("int%d", 8*size)
	}
	return fmt.Sprintf("uint%d", 8*size)
}

// names returns the names of the dimensions.
func (s *schema) names() (all []string) {
	for _, d := range s.dimensions {
		all = append(all, d.Name)
	}
	return all
}

// number returns a number of the metadata.
func (s *schema) number(key string) (v float64, ok bool) {
	v, ok = s.metadata[key].(float64)
	return v, ok
}
