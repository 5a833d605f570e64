package pdalprocess

import (
	"fmt"
	"strings"

	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/pipelines/files/sources"
)

// Reference returns the spatial reference that a file's metadata state, as the host understands it.
func (s *Schema) Reference(h host.Host) (georef.Reference, error) {
	r, err := h.Reference(s.WKT())
	r.GeoKeys = s.GeoKeys()
	return r, err
}

// GeoKeys returns the GeoTIFF keys of a LAS file, "" if well-known text replaces them.
func (s *Schema) GeoKeys() (keys string) {
	for name, value := range s.Metadata {
		vlr, _ := value.(map[string]any)
		if !strings.HasPrefix(name, "vlr_") || vlr["user_id"] != "LASF_Projection" {
			continue
		}
		switch fmt.Sprint(vlr["record_id"]) {
		case "34735":
			keys, _ = vlr["data"].(string)
		case "2112":
			if s.WKT() != "" {
				return ""
			}
		}
	}
	return keys
}

// Replacement returns the spatial reference that a reader must be given, because PDAL does not read the GeoTIFF keys
// of the file, or makes of the unit of heights alone a compound reference without a code; "" = none.
func (s *Schema) Replacement(h host.Host) (string, error) {
	r, err := s.Reference(h)
	if err != nil || r.GeoKeys == "" {
		return "", err
	}
	name := r.KeysName()
	if _, _, err := r.Unit(); err == nil && r.WKT != "" && !r.Unnamed() || name == "" {
		return "", nil
	}
	stated, err := h.Reference(name)
	if stated.GeoKeys = r.GeoKeys; err != nil {
		return "", err
	}
	if _, _, err := stated.Unit(); err != nil { // other units than those of the code
		return "", nil
	}
	return name, nil
}

// Reference returns the spatial reference of a file by its header.
func (s *Summary) Reference(h host.Host, path string) (georef.Reference, error) {
	if s.WKT != "" || !sources.IsLAS(path) {
		return h.Reference(s.WKT)
	}
	about, err := Process{}.Schema(h.Context(), path) // it has what PDAL cannot read, too
	if err != nil {
		return georef.Reference{}, err
	}
	name, err := about.Replacement(h)
	if err != nil {
		return georef.Reference{}, err
	}
	if name != "" {
		return h.Reference(name)
	}
	return about.Reference(h)
}
