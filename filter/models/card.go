// SPDX-License-Identifier: BSD-3-Clause

package models

import (
	"superpoint/embed"
)

// CardOf returns the card of a model, also of hand-crafted features; nil without a model.
func CardOf(m *Model) *embed.Card {
	if m == nil {
		return nil
	}
	if by, ok := m.Embedder.(interface{ Card() *embed.Card }); ok && m.Card == nil {
		return by.Card()
	}
	return m.Card
}
