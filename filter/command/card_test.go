package command

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/filter/models"
)

// A card gets the figures that eval prints beside it, and the weights stay.
func TestEvalPublishesFigures(t *testing.T) {
	to := filepath.Join(t.TempDir(), "published.model")
	var rows []struct {
		File, Model string
		OOA         float64
	}
	text := mustRun(t, "eval", "--model", "aerial", "--target_size", "50", "--card", to, "--format", "json", "steps")
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		t.Fatal(err)
	}
	m, err := models.Read(to)
	if err != nil {
		t.Fatal(err)
	}
	old, err := embed.Builtin("aerial")
	if err != nil {
		t.Fatal(err)
	}
	if m.Card.Weights != old.Card.Weights || m.Card.Training.Command != old.Card.Training.Command {
		t.Error("publishing changed the weights or lost the command")
	}
	if len(rows) != 2 {
		t.Fatalf("%d rows: %s", len(rows), text)
	}
	for _, r := range rows {
		key := strings.TrimPrefix(r.Model, "aerial")
		if key != "" {
			key += " "
		}
		key += embed.Figure("OOA", "50", r.File)
		if v, ok := m.Card.Training.Figures[key]; !ok || math.Abs(v-100*r.OOA) > 0.051 {
			t.Errorf("%q is %v, eval prints %v", key, v, r.OOA)
		}
	}
}

func TestFiguresNeedOneSize(t *testing.T) {
	to := filepath.Join(t.TempDir(), "published.model")
	for _, args := range []string{"--model aerial", "--model aerial --target_size 50,100", "--target_size 50"} {
		err := Run(&madeUp{t: t}, append(strings.Fields("eval "+args+" --card "+to), "steps"))
		if err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}
