// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"bytes"
	"io"
	"testing"

	"superpoint/filter/georef"
	"superpoint/testdata/must"
)

// wrapped is a host in another one, as a command may make it to change messages.
type wrapped struct{ Host }

// known is a host that knows every spatial reference.
type known struct {
	Host
	out bytes.Buffer
}

func (k *known) Stdout() io.Writer { return &k.out }

func (k *known) Reference(text string) (georef.Reference, error) {
	return georef.Reference{WKT: text}, nil
}

// TestOptionsOfAWrappedHost: --override_srs and --quiet do not depend on which host a command passes on.
func TestOptionsOfAWrappedHost(t *testing.T) {
	k := &known{}
	a := NewArguments("x", k)
	a.Override = "EPSG:32632"
	for name, h := range map[string]Host{"plain": k, "wrapped": wrapped{k}} {
		r, given, err := a.References.Of(h, georef.Reference{WKT: "stated"})
		must.OK(t, err)
		must.Equal(t, r.WKT, "EPSG:32632", "reference by a %s host", name)
		must.Equal(t, given, "EPSG:32632", "reference for a reader, by a %s host", name)
	}
	a.Host = wrapped{k}
	must.OK(t, a.Say("file: %d points", 3))
	must.Equal(t, k.out.String(), "file: 3 points\n", "standard output")
	a.quiet = true
	must.OK(t, a.Say("file: %d points", 4))
	must.Equal(t, k.out.String(), "file: 3 points\n", "standard output of a quiet command")
}

// TestDefaultReference: --default_srs is for files that state none.
func TestDefaultReference(t *testing.T) {
	r := References{Default: "EPSG:2056"}
	for stated, want := range map[string]string{"": "EPSG:2056", "stated": "stated"} {
		got, _, err := r.Of(&known{}, georef.Reference{WKT: stated})
		must.OK(t, err)
		must.Equal(t, got.WKT, want, "reference of a file that states %q", stated)
	}
}
