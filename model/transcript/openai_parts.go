package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// openaiBlock reads a content part of OpenAI's Chat Completions or Responses.
// Proxies put Anthropic blocks into the same lists, so those are read too.
func openaiBlock(parts []model.Part, b gjson.Result) ([]model.Part, bool) {
	switch b.Get("type").Str {
	case "text", "input_text", "output_text", "summary_text", "reasoning_text":
		return append(parts, model.Part{Kind: model.Text, Text: str(b.Get("text"))}), true
	case "refusal":
		return append(parts, model.Part{Kind: model.Text, Text: str(first(b, "refusal", "text"))}), true
	case "image_url", "input_image":
		url := first(b, "image_url.url", "image_url", "file_id")
		if url.Type != gjson.String {
			return parts, true // an image that was taken out: nothing is sent for it
		}
		return append(parts, model.Part{Kind: model.Image, Media: media("", str(url))}), true
	case "input_audio":
		kind := "audio/" + str(b.Get("input_audio.format"))
		return append(parts, model.Part{Kind: model.Document, Media: media(kind, str(b.Get("input_audio.data")))}), true
	case "file", "input_file":
		data := first(b, "file.file_data", "file.file_id", "file_data", "file_url", "file_id")
		return append(parts, model.Part{
			Kind:  model.Document,
			Text:  str(first(b, "file.filename", "filename")),
			Media: media("", str(data)),
		}), true
	case "encrypted_content":
		return append(parts, sealed(b.Get("encrypted_content"))), true
	}
	return anthropicBlock(parts, b)
}

// openaiReasoning reads the forms in which reasoning travels beside the content
// of a chat message: the first that is there, since gateways repeat it.
func openaiReasoning(m gjson.Result) []model.Part {
	for _, name := range []string{"reasoning_content", "reasoning", "thinking_blocks", "reasoning_details"} {
		var parts []model.Part
		switch v := m.Get(name); {
		case v.Type == gjson.String && v.Str != "":
			parts = append(parts, model.Part{Kind: model.Thinking, Text: str(v)})
		case v.IsArray():
			v.ForEach(func(_, b gjson.Result) bool {
				parts = append(parts, reasoningDetail(b)...)
				return true
			})
		}
		if len(parts) > 0 {
			return parts
		}
	}
	return nil
}

// reasoningDetail reads one piece of reasoning: an Anthropic block, or one of a gateway's.
func reasoningDetail(b gjson.Result) []model.Part {
	if parts, ok := anthropicBlock(nil, b); ok && strings.HasSuffix(b.Get("type").Str, "thinking") {
		return parts
	}
	if t := first(b, "text", "summary"); t.Type == gjson.String {
		return []model.Part{{Kind: model.Thinking, Text: str(t)}}
	}
	if d := b.Get("data"); d.Type == gjson.String {
		return []model.Part{sealed(d)}
	}
	return nil
}

// openaiUsage reads what OpenAI says a request cost, in Chat Completions' words
// or in those of Responses: the prompt counts what came from the cache.
func openaiUsage(u gjson.Result) *model.Usage {
	if !u.IsObject() {
		return nil
	}
	return &model.Usage{
		Input:      first(u, "prompt_tokens", "input_tokens").Int(),
		CacheRead:  first(u, "prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens", "cached_input_tokens").Int(),
		CacheWrite: u.Get("cache_write_input_tokens").Int(),
		Output:     first(u, "completion_tokens", "output_tokens").Int(),
	}
}
