package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// anthropicBlock reads a block of an Anthropic message.
func anthropicBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	switch kind := b.Get("type").Str; kind {
	case "text":
		return append(parts, model.Part{Kind: model.Text, Text: str(b.Get("text"))}), true
	case "thinking":
		if t := b.Get("thinking"); t.Str != "" {
			parts = append(parts, model.Part{Kind: model.Thinking, Text: str(t)})
		} else if s := b.Get("signature"); s.Str != "" {
			parts = append(parts, sealed(s))
		}
		return parts, true
	case "redacted_thinking":
		return append(parts, sealed(b.Get("data"))), true
	case "image", "document":
		return append(parts, anthropicMedia(b, kind)), true
	case "tool_use", "server_tool_use", "mcp_tool_use":
		return append(parts, toolCall(str(b.Get("id")), str(b.Get("name")), b.Get("input"))), true
	case "tool_result", "mcp_tool_result", "web_search_tool_result", "web_fetch_tool_result",
		"code_execution_tool_result", "bash_code_execution_tool_result",
		"text_editor_code_execution_tool_result", "tool_search_tool_result":
		part := result(str(first(b, "tool_use_id", "id")), str(b.Get("name")), b.Get("content"), anthropicBlock)
		part.IsError = b.Get("is_error").Bool()
		return append(parts, part), true
	case "compaction":
		return append(parts, model.Part{Kind: model.Text, Text: str(b.Get("content"))}), true
	case "tool_reference":
		return append(parts, model.Part{Kind: model.Text, Text: str(b.Get("tool_name"))}), true
	}
	return parts, false
}

// anthropicMedia reads an image or a document.
func anthropicMedia(b gjson.Result, kind string) model.Part {
	source, part := b.Get("source"), model.Part{Kind: model.Image}
	if kind == "document" {
		part.Kind = model.Document
	}
	mime := str(source.Get("media_type"))
	switch source.Get("type").Str {
	case "text":
		part.Text = str(source.Get("data"))
	case "content":
		part.Text = (&model.Part{List: content(source.Get("content"), anthropicBlock, func(string) {})}).Output()
	case "url":
		part.Media = &model.Media{Type: mime, Encoding: "url", Data: str(source.Get("url"))}
	case "file":
		part.Media = &model.Media{Type: mime, Encoding: "url", Data: str(source.Get("file_id"))}
	default:
		part.Media = &model.Media{Type: mime, Encoding: "base64", Data: str(source.Get("data"))}
	}
	return part
}

// anthropicUsage reads what Anthropic says a request cost: its input_tokens leave the cache out.
func anthropicUsage(u gjson.Result) *model.Usage { return readAnthropicUsage(u.Raw) }

func readAnthropicUsage(raw string) *model.Usage {
	if !strings.HasPrefix(raw, "{") {
		return nil
	}
	var fresh, read, write, output int64
	walkMembers(raw, 0, func(name string, at int) int {
		var to *int64
		switch name {
		case "input_tokens":
			to = &fresh
		case "cache_read_input_tokens":
			to = &read
		case "cache_creation_input_tokens":
			to = &write
		case "output_tokens":
			to = &output
		default:
			return passed
		}
		v, end := valueAt(raw, at)
		*to = gjson.Parse(v).Int()
		return end
	})
	return &model.Usage{Input: fresh + read + write, CacheRead: read, CacheWrite: write, Output: output}
}
