// Package style has no code: its tests look at the text of the repository.
package style
