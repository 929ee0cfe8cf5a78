package compactor

// Plan is the answer to: what would one pass do right now? The pass always
// runs; Decision says whether the machine would have asked for it. Token
// numbers include the overhead.
type Plan struct {
	Policy   Policy
	Pass     *Pass
	Decision Reason // the machine's
	Manager  Reason // the manager's own should_compact, which differs in two spots
	Result   Result
	Overhead int64 // system prompt, tool schemas and reserve
	Before   int64
	After    int64
	Target   int64
}

// MakePlan runs one pass over a view under a policy.
func MakePlan(v *View, policy Policy) *Plan {
	p := &Plan{Policy: policy, Pass: Truncate(v, policy), Overhead: v.Overhead() + policy.Reserve}
	before := v.Tokens()
	p.Before, p.After = before+p.Overhead, p.Pass.After+p.Overhead
	p.Target = policy.Target(p.Overhead)
	p.Decision = policy.Decide(p.Before)
	p.Manager = policy.ShouldCompact(p.Before)
	p.Result = Classify(policy.Window, p.Overhead, v.Len(), p.Pass.Kept(), before, p.Pass.After)
	return p
}

// Saved is what the pass reclaims in tokens.
func (p *Plan) Saved() int64 { return p.Before - p.After }

// Next is what the machine does after the pass: none when the model is called,
// else the reason of another pass at once.
func (p *Plan) Next() Reason { return p.Policy.Decide(p.After) }
