package ui

import "testing"

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "131072": 131072, "131,072": 131072, "200k": 200_000, "200K": 200_000, "1m": 1_000_000,
		"1.5m": 1_500_000, "0.5k": 500, "1.048576m": 1_048_576, " 8k ": 8000,
	} {
		if got, err := ParseSize(text); err != nil || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "k", "-1", "+1", "1.5", "1.k", ".5k", "1.0005k", "1e6", "0x10", "1kk", "1 k", "99999999999999999999", "9999999999999m"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}
