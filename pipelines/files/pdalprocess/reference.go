// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"encoding/base64"
	"fmt"
	"strings"

	"superpoint/filter/georef"
	"superpoint/filter/host"
)

// Reference returns the spatial reference that a file's metadata state, as the host understands it.
func (s *Schema) Reference(h host.Host) (georef.Reference, error) {
	text, err := base64.StdEncoding.DecodeString(s.projection("2112"))
	if wkt := strings.TrimSpace(strings.TrimRight(string(text), "\x00")); s.WKT() == "" && wkt != "" && err == nil {
		return h.Reference(wkt) // PDAL could not read it
	}
	r, err := h.Reference(s.WKT())
	r.GeoKeys = s.GeoKeys()
	return r, err
}

// GeoKeys returns the GeoTIFF keys of a LAS file, "" if well-known text replaces them.
func (s *Schema) GeoKeys() (keys string) {
	if s.WKT() != "" && s.projection("2112") != "" {
		return ""
	}
	return s.projection("34735")
}

// projection returns a record of a LAS file about the projection (base64).
func (s *Schema) projection(id string) string {
	for name, value := range s.Metadata {
		vlr, _ := value.(map[string]any)
		if strings.HasPrefix(name, "vlr_") && vlr["user_id"] == "LASF_Projection" && fmt.Sprint(vlr["record_id"]) == id {
			data, _ := vlr["data"].(string)
			return data
		}
	}
	return ""
}
