package transcript

import (
	"reflect"

	"cinch/model"
)

// fold drops an earlier request of a log that the newest one only continues.
// What its answer cost is known from there alone, so that is kept.
func fold(convs []*model.Conversation) []*model.Conversation {
	last := len(convs) - 1
	newest := convs[last]
	for i, old := range convs[:last] {
		if old.System == newest.System && continues(old.Messages, newest.Messages) {
			for j, m := range old.Messages {
				if grown := newest.Messages[j]; grown.Usage == nil {
					grown.Usage = m.Usage
				}
			}
			if newest.Model == "" {
				newest.Model = old.Model
			}
			if newest.Tools == "" {
				newest.Tools = old.Tools
			}
			return append(convs[:i], convs[i+1:]...)
		}
	}
	return convs
}

// continues reports whether a list begins with all of another.
func continues(old, grown []*model.Message) bool {
	if len(old) == 0 || len(old) > len(grown) {
		return false
	}
	for i, m := range old {
		if m.Role != grown[i].Role || !reflect.DeepEqual(m.Parts, grown[i].Parts) {
			return false
		}
	}
	return true
}
