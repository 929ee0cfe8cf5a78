package transcript

const claudeRepeated = "record or tool call repeated, read once"

// readOnce leaves out the records that were written twice, with a warning for
// each: a compaction honoured again would take what came after it for what came
// before, and a prompt read again looks like one that was taken back.
func readOnce(d *Document, records []*claudeRecord) []*claudeRecord {
	named := make(map[string]*claudeRecord, len(records))
	once := make([]*claudeRecord, 0, len(records))
	for _, r := range records {
		if first := named[r.uuid]; r.uuid != "" && first != nil && r.repeats(first) {
			d.Warn(r.span.Line, 0, claudeRepeated)
			continue
		} else if first == nil {
			named[r.uuid] = r
		}
		once = append(once, r)
	}
	return once
}

// repeats reports whether a record says again what an earlier one of its name
// said. A boundary is one compaction, whatever its second copy says of it.
func (r *claudeRecord) repeats(first *claudeRecord) bool {
	if r.kind != first.kind {
		return false
	}
	if r.compaction != nil && first.compaction != nil {
		return true
	}
	if r.subtype != first.subtype || r.attachment != first.attachment || r.content != first.content || len(r.parts) != len(first.parts) {
		return false
	}
	for i := range r.parts {
		if r.parts[i].Text != first.parts[i].Text || r.parts[i].ID != first.parts[i].ID {
			return false
		}
	}
	return r.hasMessage || len(r.parts) > 0 || r.content != ""
}
