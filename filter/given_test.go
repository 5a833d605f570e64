package filter

import (
	"encoding/json"
)

// parseOptions reads options from JSON text, as these tests write them.
func parseOptions(text []byte) (*Options, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, err
	}
	given := map[string]string{}
	for name, value := range values {
		if given[name] = string(value); value[0] == '"' {
			var unquoted string
			if err := json.Unmarshal(value, &unquoted); err != nil {
				return nil, err
			}
			given[name] = unquoted
		}
	}
	return OptionsOf(given)
}
