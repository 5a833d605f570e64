package lpe

func fastKernels() []string { return nil }

func fastKernel(string) kernel { return nil }
