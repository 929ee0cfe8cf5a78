package transcript

// Limits keep a hostile or broken input from filling the memory. Zero members
// take the defaults.
type Limits struct {
	File   int64 // bytes of a file after decompression; 1 GiB
	Pipe   int64 // bytes read from a pipe or standard input, which are held in memory; 512 MiB
	Record int64 // bytes of one record; 512 MiB
	Depth  int   // levels of nesting in a record; 1,000
	Ratio  int64 // how many times its size a compressed file of over 64 MiB may expand to; 1,000
}

func (l Limits) withDefaults() Limits {
	set := func(v *int64, to int64) {
		if *v <= 0 {
			*v = to
		}
	}
	set(&l.File, 1<<30)
	set(&l.Pipe, 512<<20)
	set(&l.Record, 512<<20)
	set(&l.Ratio, 1000)
	if l.Depth <= 0 {
		l.Depth = 1000
	}
	return l
}
