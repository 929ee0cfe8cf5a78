package token

import (
	"slices"
	"testing"
	"time"
)

var sink int64

// ratioTo runs ours and theirs in turn and reports the median of how many times
// faster ours was. The time of the benchmark itself is ours alone.
func ratioTo(b *testing.B, ours, theirs func(), unit string) {
	var ratios []float64
	for b.Loop() {
		start := time.Now()
		ours()
		mine := time.Since(start)
		b.StopTimer()
		start = time.Now()
		theirs()
		ratios = append(ratios, float64(time.Since(start))/float64(mine))
		b.StartTimer()
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], unit)
}
