package metrics

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestTable finds each field in one row, by the name that JSON has for it.
func TestTable(t *testing.T) {
	if rows, fields := len(Table()), reflect.TypeFor[Scores]().NumField(); rows != fields {
		t.Errorf("%d rows for %d fields", rows, fields)
	}
	for _, row := range Table() {
		var s Scores
		*row.Field(&s) = 0.5
		text, err := json.Marshal(s)
		var named map[string]float64
		if err == nil {
			err = json.Unmarshal(text, &named)
		}
		if err != nil || named[row.Name] != 0.5 || row.Label == "" || row.Help == "" {
			t.Errorf("%s: %v, %s", row.Name, err, text)
		}
	}
	if got := (Counts{Pure: 1, Classified: 2}).Scores(); got.OOA != 0.5 {
		t.Errorf("%+v", got)
	}
}
