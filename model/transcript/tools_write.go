package transcript

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// schema is one tool as the model is told about it.
type schema struct {
	name, description string
	parameters        string // JSON
}

// schemas reads tool schemas, in the words of any API. Tools that the provider
// itself runs have none.
func schemas(tools string) []schema {
	var out []schema
	var read func(t gjson.Result)
	read = func(t gjson.Result) {
		if list := first(t, "functionDeclarations", "function_declarations"); list.IsArray() {
			list.ForEach(func(_, one gjson.Result) bool { read(one); return true })
			return
		}
		for _, inside := range []string{"function", "toolSpec"} {
			if f := t.Get(inside); f.IsObject() {
				t = f
			}
		}
		name := first(t, "name", "tool")
		parameters := first(t, "parameters", "input_schema", "inputSchema", "inputSchema.json", "parametersJsonSchema", "parameters_json_schema")
		if json := parameters.Get("json"); json.IsObject() {
			parameters = json
		}
		if name.Type != gjson.String || !parameters.IsObject() {
			return
		}
		out = append(out, schema{name.Str, first(t, "description").String(), parameters.Raw})
	}
	if holdsJSON(tools) {
		gjson.Parse(tools).ForEach(func(_, t gjson.Result) bool { read(t); return true })
	}
	return out
}

// toolForms are one tool in the words of each format, with NAME, TEXT and SCHEMA
// in the places of what it says.
var toolForms = map[string]struct {
	own  []string // members by which their first tool is known to be in these words
	form string
}{
	"openai":           {[]string{"0.function"}, `{"type":"function","function":{"name":NAME,"description":TEXT,"parameters":SCHEMA}}`},
	"openai-responses": {[]string{"0.type", "0.parameters"}, `{"type":"function","name":NAME,"description":TEXT,"parameters":SCHEMA}`},
	"anthropic":        {[]string{"0.name", "0.input_schema"}, `{"name":NAME,"description":TEXT,"input_schema":SCHEMA}`},
	"gemini":           {[]string{"0.functionDeclarations"}, `{"name":NAME,"description":TEXT,"parameters":SCHEMA}`},
	"codex":            {[]string{"0.inputSchema"}, `{"name":NAME,"description":TEXT,"inputSchema":SCHEMA}`},
}

// toolsAs writes tool schemas in the words of a format: as they are where they
// are in those already, "" where none is left.
func toolsAs(format, tools string) string {
	form := toolForms[format]
	if lacks := func(path string) bool { return !gjson.Get(tools, path).Exists() }; holdsJSON(tools) && !slices.ContainsFunc(form.own, lacks) {
		return tools
	}
	var list []string
	for _, t := range schemas(tools) {
		list = append(list, strings.NewReplacer("NAME", quote(t.name), "TEXT", quote(t.description), "SCHEMA", t.parameters).Replace(form.form))
	}
	switch {
	case list == nil:
		return ""
	case format == "gemini":
		return `[{"functionDeclarations":[` + strings.Join(list, ",") + "]}]"
	}
	return "[" + strings.Join(list, ",") + "]"
}
