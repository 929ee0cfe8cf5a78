package transcript

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// streamedItems are the items of an answer of the Responses API on their way.
// Each is sent whole at its end; until then what has come of it stands for it.
type streamedItems struct {
	list  []*streamedItem
	named map[string]*streamedItem // by their places and names, "" for one without
}

// streamedItem is one of them.
type streamedItem struct {
	begun  map[string]json.RawMessage // as it was announced
	whole  json.RawMessage            // as it ended, nil until then
	kind   string
	pieces []*streamedPiece
	at     map[string]*streamedPiece
}

// streamedPiece is a text in an item that grows.
type streamedPiece struct {
	pieceKind
	text strings.Builder
}

// pieceKind says where in an item a text belongs: in the member named, of the item
// itself or of a block in one of its lists.
type pieceKind struct{ item, list, block, index, member string }

// pieceKinds are the texts that grow, by their events.
var pieceKinds = map[string]pieceKind{
	"output_text":             {"message", "content", "output_text", "content_index", "text"},
	"refusal":                 {"message", "content", "refusal", "content_index", "refusal"},
	"reasoning_summary_text":  {"reasoning", "summary", "summary_text", "summary_index", "text"},
	"reasoning_text":          {"reasoning", "content", "reasoning_text", "content_index", "text"},
	"function_call_arguments": {item: "function_call", member: "arguments"},
	"mcp_call_arguments":      {item: "mcp_call", member: "arguments"},
	"custom_tool_call_input":  {item: "custom_tool_call", member: "input"},
}

// event takes an event of an item or of a text in one.
func (l *streamedItems) event(kind string, e gjson.Result) {
	switch kind {
	case "response.output_item.added":
		if item := e.Get("item"); item.IsObject() {
			it := l.item(e)
			it.begun, it.kind = object(item), item.Get("type").Str
		}
		return
	case "response.output_item.done":
		if item := e.Get("item"); item.IsObject() {
			l.item(e).whole = json.RawMessage(item.Raw)
		}
		return
	}
	name, ended := strings.CutSuffix(strings.TrimPrefix(kind, "response."), ".done")
	name, grows := strings.CutSuffix(name, ".delta")
	text, ok := pieceKinds[name]
	if !ok || !ended && !grows {
		return
	}
	p := l.item(e).piece(text, e.Get(text.index).Raw)
	if ended {
		p.text.Reset()
		p.text.WriteString(e.Get(text.member).Str)
		return
	}
	p.text.WriteString(e.Get("delta").Str)
}

// item is the item an event is about, a new one where the event begins one.
// Providers change its name on the way, so that its place is asked first.
func (l *streamedItems) item(e gjson.Result) *streamedItem {
	var keys []string
	if place := e.Get("output_index"); place.Exists() {
		keys = append(keys, "at "+place.Raw)
	}
	if id := first(e, "item_id", "item.id"); id.Type == gjson.String {
		keys = append(keys, "named "+id.Str)
	}
	for _, key := range append(keys, "") {
		if it := l.named[key]; it != nil && it.whole == nil {
			return it
		}
	}
	it := &streamedItem{at: map[string]*streamedPiece{}}
	l.list = append(l.list, it)
	if keys == nil {
		keys = []string{""}
	}
	for _, key := range keys {
		l.named[key] = it
	}
	return it
}

// piece is the text of a kind in one place of an item.
func (it *streamedItem) piece(kind pieceKind, index string) *streamedPiece {
	if it.kind == "" {
		it.kind = kind.item
	}
	key := kind.block + " " + kind.member + " " + index
	if it.at[key] == nil {
		it.at[key] = &streamedPiece{pieceKind: kind}
		it.pieces = append(it.pieces, it.at[key])
	}
	return it.at[key]
}

// output is what has come of the items, as a response has them. One that was
// only announced says nothing yet, unless it is a call.
func (l *streamedItems) output() []any {
	out := []any{}
	for _, it := range l.list {
		switch {
		case it.whole != nil:
			out = append(out, it.whole)
		case len(it.pieces) > 0 || strings.HasSuffix(it.kind, "_call"):
			out = append(out, it.part())
		}
	}
	return out
}

// part is an item as far as it has come.
func (it *streamedItem) part() map[string]any {
	item := map[string]any{"type": it.kind}
	for name, v := range it.begun {
		item[name] = v
	}
	if it.kind == "message" && item["role"] == nil {
		item["role"] = "assistant"
	}
	lists := map[string][]any{}
	for _, p := range it.pieces {
		if p.list == "" {
			item[p.member] = p.text.String()
			continue
		}
		lists[p.list] = append(lists[p.list], map[string]any{"type": p.block, p.member: p.text.String()})
	}
	for name, list := range lists {
		item[name] = list
	}
	return item
}
