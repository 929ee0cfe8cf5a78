package transcript

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// isOpencodeStore knows opencode's storage folder, or the data folder that holds it.
func isOpencodeStore(path string) bool {
	for _, root := range []string{path, filepath.Join(path, "storage")} {
		if isFolder(filepath.Join(root, "session")) && isFolder(filepath.Join(root, "message")) {
			return true
		}
	}
	return false
}

// decodeOpencodeStore reads all sessions of a storage folder.
func decodeOpencodeStore(doc *Document) ([]*model.Conversation, error) {
	root := doc.Path
	if !isFolder(filepath.Join(root, "session")) {
		root = filepath.Join(root, "storage")
	}
	var infos []gjson.Result
	for _, path := range jsonFiles(filepath.Join(root, "session")) {
		if r, ok := readJSON(doc, path); ok && isOpencodeSession(r) {
			infos = append(infos, r)
		}
	}
	return opencodeTree(doc, root, infos), nil
}

// storeOf is the storage folder a session's file lies in: storage/session/<project>/<id>.json.
func storeOf(path string) string { return filepath.Dir(filepath.Dir(filepath.Dir(path))) }

// opencodeTree reads the sessions that were described from a storage folder.
// Sessions another one started are its children.
func opencodeTree(doc *Document, root string, infos []gjson.Result) []*model.Conversation {
	loose := map[string][]gjson.Result{} // old layouts keep all parts in one folder
	for _, path := range jsonFilesIn(filepath.Join(root, "part")) {
		if p, ok := readJSON(doc, path); ok {
			id := p.Get("messageID").Str
			loose[id] = append(loose[id], p)
		}
	}
	var all []*model.Conversation
	started := map[string]string{}
	for _, info := range infos {
		var messages []opencodeMessage
		for _, path := range jsonFilesIn(filepath.Join(root, "message", info.Get("id").Str)) {
			m, ok := readJSON(doc, path)
			if !ok {
				continue
			}
			id := m.Get("id").Str
			name, _ := filepath.Rel(root, path)
			one := opencodeMessage{info: m, span: model.Span{Record: filepath.ToSlash(name), Length: int64(len(m.Raw))}}
			for _, path := range jsonFilesIn(filepath.Join(root, "part", id)) {
				if p, ok := readJSON(doc, path); ok && id != "" {
					one.parts = append(one.parts, p)
				}
			}
			one.parts = append(one.parts, loose[id]...)
			messages = append(messages, one)
		}
		slices.SortStableFunc(messages, func(a, b opencodeMessage) int {
			return int(a.info.Get("time.created").Int() - b.info.Get("time.created").Int())
		})
		all = append(all, opencodeConversation(doc, info, messages, started))
	}
	return adopt(all, started)
}

// adopt hands every conversation that another one of the list started to that
// one. started says by which call, by conversation.
func adopt(all []*model.Conversation, started map[string]string) []*model.Conversation {
	byID := map[string]*model.Conversation{}
	for _, c := range all {
		byID[c.ID] = c
	}
	var roots []*model.Conversation
	for _, c := range all {
		if c.CallID == "" && c.Parent != "" {
			c.CallID = started[c.ID]
		}
		if parent := byID[c.Parent]; parent != nil && parent != c && !descends(byID, parent, c) {
			parent.Children = append(parent.Children, c)
		} else {
			roots = append(roots, c)
		}
	}
	return roots
}

// descends reports whether c was started by ancestor, however indirectly.
func descends(byID map[string]*model.Conversation, c, ancestor *model.Conversation) bool {
	for steps := 0; c != nil && steps <= len(byID); steps++ {
		if c == ancestor {
			return true
		}
		c = byID[c.Parent]
	}
	return c != nil
}

// jsonFiles are the JSON files in a folder and below it, in the order of their names.
func jsonFiles(folder string) []string {
	var paths []string
	_ = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".json") {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}

// jsonFilesIn are the JSON files directly in a folder.
func jsonFilesIn(folder string) []string {
	entries, _ := os.ReadDir(folder)
	var paths []string
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".json") {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths
}

// readJSON reads a small file of a store; a damaged one is left out with a warning.
func readJSON(doc *Document, path string) (gjson.Result, bool) {
	b, err := os.ReadFile(path)
	switch {
	case err != nil:
		doc.Warn(0, 0, "left out %s: %s", path, plain(err))
		return gjson.Result{}, false
	case !holdsJSON(string(b)):
		doc.Warn(0, 0, "left out %s: it is not valid JSON", path)
		return gjson.Result{}, false
	}
	return gjson.ParseBytes(b), true
}
