package summarize

import (
	"encoding/json"
	"regexp"
	"strings"
)

// decides finds sentences in which an agent settles something.
var decides = regexp.MustCompile(`(?i)\b(decid\w+|chos\w+|choos\w+|we will|i will|i'll|going to|instead|because|root cause|turns out|the (?:bug|problem|issue|cause) (?:is|was)|fixed|fixes|must not|never|switched?|replac\w+|conclu\w+|agreed|settled|plan is|works now|passes now|confirmed)\b`)

// identifiers finds names of code: what stands in backquotes, and words with a
// capital or an underscore inside them.
var identifiers = regexp.MustCompile("`([A-Za-z_$@][\\w$.:-]*(?:\\(\\))?)`" + `|\b([A-Za-z][a-z0-9]+[A-Z]\w*|[A-Za-z]\w*_\w+)\b`)

// goneWrong finds the line of a tool's output that says what failed.
var goneWrong = regexp.MustCompile(`(?i)(\berror\b|\bpanic:|\bexception\b|\btraceback\b|--- FAIL|^FAIL\b|\bfatal\b|\bfailed\b|no such file|not found|permission denied|\bdenied\b)`)

// plainlyWrong is the same for output that its tool does not call an error,
// which may be a file in which errors are merely spoken of.
var plainlyWrong = regexp.MustCompile(`^(?:\S+:\d+(?::\d+)?: )?(?i:error|panic|fatal)(?:\[\w+\])?:|^--- FAIL|^FAIL\b|^Traceback \(|^[A-Z]\w*(?:Error|Exception): |: command not found$|: No such file or directory$|: Permission denied$`)

// fileKeys and commandKeys are what tools commonly call their inputs.
var (
	fileKeys = map[string]bool{"path": true, "file": true, "file_path": true, "filePath": true, "filename": true,
		"notebook_path": true, "target_file": true, "absolute_path": true, "relative_path": true, "paths": true, "files": true}
	commandKeys = map[string]bool{"command": true, "cmd": true, "script": true}
)

type input struct{ key, value string }

// inputs lists the strings among a tool call's inputs, in the order of the file.
func inputs(raw string) []input {
	in := json.NewDecoder(strings.NewReader(raw))
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []input
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return out
		}
		var value any
		if err := in.Decode(&value); err != nil {
			return out
		}
		name, _ := key.(string)
		switch v := value.(type) {
		case string:
			out = append(out, input{name, v})
		case []any:
			out = append(out, listed(name, v)...)
		}
	}
	return out
}

// listed is a list among the inputs: of a command its words, of files each one.
func listed(name string, list []any) []input {
	var words []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			words = append(words, s)
		}
	}
	if commandKeys[name] {
		return []input{{name, strings.Join(words, " ")}}
	}
	var out []input
	for _, w := range words {
		out = append(out, input{name, w})
	}
	return out
}

// wrong is the line of a tool's output that says what went wrong, "" for none.
// A result that is marked as an error has one in any case.
func wrong(out string, isError bool) string {
	first, sign := "", plainlyWrong
	if isError {
		sign = goneWrong
	}
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if first == "" {
			first = line
		}
		if len(line) < 2000 && sign.MatchString(line) {
			return line
		}
	}
	if isError {
		return first
	}
	return ""
}

// sentences cuts prose into sentences and lines, without headings' and lists' marks.
func sentences(text string) []string {
	var out []string
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if fenced {
			continue
		}
		line = strings.TrimLeft(line, "#*->• \t")
		for line != "" {
			end := sentenceEnd(line)
			if s := strings.TrimSpace(line[:end]); s != "" {
				out = append(out, s)
			}
			line = line[end:]
		}
	}
	return out
}

// sentenceEnd is the length of the first sentence of a line: up to a full stop,
// question or exclamation mark before a space, or all of it.
func sentenceEnd(line string) int {
	for i := 0; i+1 < len(line); i++ {
		if strings.IndexByte(".!?", line[i]) >= 0 && line[i+1] == ' ' {
			return i + 1
		}
	}
	return len(line)
}
