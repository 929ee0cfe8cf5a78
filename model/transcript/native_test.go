package transcript

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"

	"cinch/model"
)

// saying is what a native file holds of a message.
type saying struct {
	Role  model.Role
	Parts []model.Part
}

func whatIsSaid(messages []*model.Message) []saying {
	var out []saying
	for _, m := range messages {
		s := saying{Role: m.Role}
		for _, p := range m.Parts {
			p.Span = 0
			s.Parts = append(s.Parts, p)
		}
		out = append(out, s)
	}
	return out
}

// Every conversation that can be read can be written natively, and reads back the same.
func TestNativeRoundTrip(t *testing.T) {
	for _, format := range formats {
		for _, path := range samples(t, format.Name) {
			f, err := Open(context.Background(), path, Options{})
			if err != nil {
				continue
			}
			for _, view := range []model.View{model.Log, model.Context} {
				want := f.Selected.View(view)
				if len(want) == 0 {
					continue
				}
				var b bytes.Buffer
				if err := EncodeNative(&b, f.Selected, want); err != nil {
					t.Fatal(err)
				}
				back, err := Open(context.Background(), write(t, "out.json", b.Bytes()), Options{Format: "native"})
				if err != nil {
					t.Errorf("%s: %v", path, err)
					continue
				}
				got := back.Selected
				if a, b := whatIsSaid(want), whatIsSaid(got.Messages); !reflect.DeepEqual(a, b) {
					t.Errorf("%s: wrote\n%+v\nread\n%+v", path, a, b)
				}
				if got.System != f.Selected.System || got.Tools != f.Selected.Tools || got.Model != f.Selected.Model {
					t.Errorf("%s: system %q, tools %q, model %q became %q, %q, %q", path,
						f.Selected.System, f.Selected.Tools, f.Selected.Model, got.System, got.Tools, got.Model)
				}
				if len(back.Warnings) > 0 {
					t.Errorf("%s: warnings %+v", path, back.Warnings)
				}
			}
		}
	}
}

func TestNativeWritesWhatIsNotJSONAsText(t *testing.T) {
	c := &model.Conversation{Tools: "{broken"}
	m := []*model.Message{{Role: model.Assistant, Parts: []model.Part{{Kind: model.ToolCall, ID: "c", Name: "f", Text: `{"cut":`}}}}
	var b bytes.Buffer
	if err := EncodeNative(&b, c, m); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, `"input":"{\"cut\":"`) || strings.Contains(got, "broken") {
		t.Errorf("wrote %s", got)
	}
}
