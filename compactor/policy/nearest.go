package policy

// meant is the end of an error about a name that nearly is one of a few.
func meant(typed string, names []string) string {
	best, near := len(typed)/3+1, ""
	for _, name := range names {
		if d := distance(typed, name); d <= best && typed != "" {
			if d < best || near == "" {
				best, near = d, name
			}
		}
	}
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// distance is how many letters have to be changed, added or left out to make b
// of a, ASCII case aside.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i]|0x20 != b[j]|0x20 {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
