// Package transcript reads recorded conversations from files and writes them
// back: one file a format, detected by content and never by extension.
package transcript

import (
	"io"

	"github.com/tidwall/gjson"

	"cinch/model"
)

// Format is one way in which conversations are stored.
type Format struct {
	Name    string // what --format takes: claude-code, codex, openai …
	Title   string // what people call it
	Where   string // where its agent keeps the files, "" when it is a request or an export
	Carries string // what it holds beside the messages, in a few words

	// Detect looks at the first records of a file (at most 50 top-level JSON
	// values) and reports whether they are of this format. single says that the
	// file is one JSON value and not a sequence of records. Formats are asked in
	// the order of the table, so a Detect may rely on those before it having said no.
	Detect func(head []gjson.Result, single bool) bool

	// Sniff is for what is not JSON: a folder, a database, a text. It is asked
	// before anything else with the path and the first bytes (at most 4,096,
	// decompressed; none for a folder). nil for a JSON format.
	Sniff func(path string, head []byte) bool

	// Decode reads the conversations, in file order. It fails only when nothing
	// could be read; everything else is a warning on the document.
	Decode func(*Document) ([]*model.Conversation, error)

	// Encode writes messages of a conversation, nil where the format is only
	// read. What they were read from is given when it was of this format: what
	// survives is to keep its fields byte for byte. Without it they are written
	// from the model.
	Encode func(w io.Writer, from *original, c *model.Conversation, messages []*model.Message) error
}

// formats is the table, in the order in which they are asked.
var formats = []Format{
	{
		Name: claudeName, Title: "Claude Code", Where: "~/.claude/projects",
		Carries: "usage, compactions, rewinds, subagents",
		Detect:  isClaudeCode, Decode: decodeClaudeCode, Encode: encodeClaudeCode,
	},
	{
		Name: "codex", Title: "Codex CLI", Where: "~/.codex/sessions",
		Carries: "system prompt, model, window, usage, compactions, rollbacks",
		Detect:  isCodex, Decode: decodeCodex, Encode: encodeCodex,
	},
	{
		Name: piName, Title: "pi", Where: "~/.pi/agent/sessions",
		Carries: "model, usage, compactions, branches",
		Detect:  isPi, Decode: decodePi, Encode: encodePi,
	},
	{
		Name: nativeName, Title: "cinch's own",
		Carries: "system prompt, tool schemas, model",
		Detect:  isNative, Decode: decodeNative, Encode: encodeNative,
	},
	{
		Name: "opencode", Title: "opencode", Where: "~/.local/share/opencode",
		Carries: "model, usage, compactions, pruned outputs, reverts, subagents",
		Detect:  isOpencode, Sniff: sniffOpencode, Decode: decodeOpencode,
	},
	{
		Name: "crush", Title: "crush", Where: ".crush/crush.db",
		Carries: "model, summaries, subagents",
		Sniff:   isCrush, Decode: decodeCrush,
	},
	{
		Name: "gemini-cli", Title: "Gemini CLI", Where: "~/.gemini/tmp",
		Carries: "model, usage, compressions, rewinds",
		Detect:  isGeminiCLI, Decode: decodeGeminiCLI,
	},
	{
		Name: "copilot-cli", Title: "GitHub Copilot CLI", Where: "~/.copilot/session-state",
		Carries: "system prompt, model, compactions, subagents",
		Detect:  isCopilot, Decode: decodeCopilot,
	},
	{
		Name: "vscode-copilot", Title: "VS Code Copilot chat", Where: "workspaceStorage of the editor",
		Carries: "model, usage, summaries",
		Detect:  isVSCode, Decode: decodeVSCode,
	},
	{
		Name: "cline", Title: "Cline, Roo Code", Where: "globalStorage of the editor, ~/.cline/data",
		Carries: "system prompt (newer files), model, usage, compactions",
		Detect:  isCline, Decode: decodeCline,
	},
	{
		Name: "goose", Title: "Goose", Where: "~/.local/share/goose/sessions",
		Carries: "compactions",
		Detect:  isGoose, Sniff: sniffGoose, Decode: decodeGoose,
	},
	{
		Name: "cursor", Title: "Cursor", Where: "~/.cursor/projects, state.vscdb of the editor",
		Carries: "calls without results in transcripts; results, model, summaries, subagents in the database",
		Detect:  isCursor, Sniff: sniffCursor, Decode: decodeCursor,
	},
	{
		Name: "droid", Title: "Factory droid", Where: "~/.factory/sessions",
		Carries: "title, folder",
		Detect:  isDroid, Decode: decodeDroid,
	},
	{
		Name: "kiro", Title: "Kiro CLI, Amazon Q", Where: "~/.local/share/kiro-cli",
		Carries: "tool schemas, model, summaries",
		Detect:  isKiro, Sniff: isKiroDB, Decode: decodeKiro,
	},
	{
		Name: "zed", Title: "Zed", Where: "~/.local/share/zed/threads",
		Carries: "model, usage",
		Detect:  isZed, Sniff: sniffZed, Decode: decodeZed,
	},
	{
		Name: "continue", Title: "Continue", Where: "~/.continue/sessions",
		Carries: "usage, summaries",
		Detect:  isContinue, Decode: decodeContinue,
	},
	{
		Name: "aider", Title: "aider chat history", Where: ".aider.chat.history.md",
		Carries: "text only, many sessions in a file",
		Sniff:   sniffAider, Decode: decodeAider,
	},
	{
		Name: "atif", Title: "ATIF trajectory (Harbor, Terminal-Bench)",
		Carries: "model, tool schemas, usage, summarisations",
		Detect:  isATIF, Decode: decodeATIF,
	},
	{
		Name: "swe-agent", Title: "SWE-agent trajectory",
		Carries: "system prompt, model",
		Detect:  isSWEAgent, Decode: decodeSWEAgent,
	},
	{
		Name: "mini-swe-agent", Title: "mini-swe-agent trajectory",
		Carries: "system prompt, model, usage",
		Detect:  isMiniSWEAgent, Decode: decodeMiniSWEAgent,
	},
	{
		Name: "openhands", Title: "OpenHands events",
		Carries: "system prompt, tool schemas, model, usage, condensations",
		Detect:  isOpenHands, Decode: decodeOpenHands,
	},
	{
		Name: "inspect", Title: "Inspect AI log",
		Carries: "model, tool schemas, usage, compactions; a sample is a conversation",
		Detect:  isInspect, Decode: decodeInspect,
	},
	{
		Name: "langgraph", Title: "LangGraph checkpoints",
		Carries: "model, usage, a thread is a conversation",
		Sniff:   isLangGraph, Decode: decodeLangGraph,
	},
	{
		Name: "langchain", Title: "LangChain, LangGraph",
		Carries: "system prompt, model, usage",
		Detect:  isLangChain, Decode: decodeLangChain, Encode: encodeLangChain,
	},
	{
		Name: "chatgpt", Title: "ChatGPT export",
		Carries: "model, branches, many conversations in a file",
		Detect:  isChatGPT, Decode: decodeChatGPT,
	},
	{
		Name: "claude-export", Title: "Claude account export",
		Carries: "many conversations in a file",
		Detect:  isClaudeExport, Decode: decodeClaudeExport,
	},
	{
		Name: "sharegpt", Title: "ShareGPT training data",
		Carries: "system prompt, tool schemas, many conversations in a file",
		Detect:  isShareGPT, Decode: decodeShareGPT,
	},
	{
		Name: "otel-genai", Title: "OpenTelemetry GenAI messages and spans",
		Carries: "system prompt, tool schemas, model, usage",
		Detect:  isOTel, Decode: decodeOTel,
	},
	{
		Name: "gemini", Title: "Gemini API",
		Carries: "system prompt, tool schemas, model, usage in logs",
		Detect:  isGemini, Decode: decodeGemini, Encode: encodeGemini,
	},
	{
		Name: "vercel-ai", Title: "Vercel AI SDK messages",
		Carries: "system prompt, usage where the interface keeps it",
		Detect:  isVercel, Decode: decodeVercel,
	},
	{
		Name: "openai-responses", Title: "OpenAI Responses API",
		Carries: "system prompt, tool schemas, usage in logs",
		Detect:  isResponses, Decode: decodeResponses, Encode: encodeResponses,
	},
	{
		Name: "anthropic", Title: "Anthropic Messages API",
		Carries: "system prompt, tool schemas, usage in logs",
		Detect:  isAnthropic, Decode: decodeAnthropic, Encode: encodeAnthropic,
	},
	{
		Name: "openai", Title: "OpenAI Chat Completions",
		Carries: "system prompt, tool schemas, usage in logs",
		Detect:  isOpenAI, Decode: decodeOpenAI, Encode: encodeOpenAI,
	},
}

// Formats lists what can be read, in the order of the manual.
func Formats() []Format { return formats }
