package embed

import (
	"strings"
	"testing"
)

func TestBuiltinModelsLoadUnderTheirNames(t *testing.T) {
	for _, name := range Builtins() {
		m, err := Builtin(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m.Card.Name != name || m.Card.Weights == "" || len(m.Card.Training.Data) == 0 {
			t.Errorf("%s: its card says name %q, checksum %q, %d data sets", name, m.Card.Name, m.Card.Weights,
				len(m.Card.Training.Data))
		}
	}
}

func TestUnknownBuiltin(t *testing.T) {
	if _, err := Builtin("../models/README.md"); err == nil || !strings.Contains(err.Error(), "no built-in model") {
		t.Errorf("got %v", err)
	}
	if _, err := Auto([]string{"GpsTime"}); err == nil || !strings.Contains(err.Error(), "GpsTime") {
		t.Errorf("got %v", err)
	}
}
