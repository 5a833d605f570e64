package classes

// Settings of training, which package classtrain does.
type Settings struct {
	Steps int     `yaml:"steps"`
	Batch int     `yaml:"batch"` // superpoints a step
	Part  int     `yaml:"part"`  // superpoints of one place in a batch: with their neighbours they lie together
	Rate  float64 `yaml:"rate"`  // of Adam, falling to 0 along half a cosine
	Decay float64 `yaml:"decay"` // L2 regularisation
	Noise float64 `yaml:"noise"` // on standardised features
	Drop  float64 `yaml:"drop"`  // share of parts from which intensity, echoes, colours or embedding are taken, each
	// share of labels that are taken to be wrong, of any class
	Smooth float64 `yaml:"smooth"`
	Seed   uint64  `yaml:"seed"`
	// networks that are trained, with seeds one after the other, and joined; 0 = 1
	Networks int `yaml:"networks"`
}

// DefaultSettings are those of the built-in classifier.
func DefaultSettings() Settings {
	return Settings{Steps: 3000, Batch: 512, Part: 256, Rate: 3e-3, Decay: 1e-5, Noise: 0.15, Drop: 0.15, Seed: 1}
}
