package bpe

const (
	cacheBits = 15      // 32,768 pieces
	maxKey    = 256     // bytes of a piece that is remembered
	ringSize  = 1 << 20 // bytes of remembered pieces
)

// cache remembers the tokens of pieces that are no token themselves. Its memory
// is bounded: a piece has one place, and the bytes that prove it is the same piece
// stand in a ring whose oldest are overwritten.
type cache struct {
	places []place
	ring   []byte
	head   uint64 // bytes written to the ring so far
}

type place struct {
	hash   uint64
	at     uint64 // where the bytes start, counted like head
	size   uint16 // 0: empty
	tokens uint16
}

// get is the tokens of s[i:j], whose hash is h, when they are remembered.
func (c *cache) get(s string, i, j int, h uint64) (int64, bool) {
	if c.places == nil {
		return 0, false
	}
	p := &c.places[h>>(64-cacheBits)]
	if p.hash != h || int(p.size) != j-i || c.head-p.at > ringSize {
		return 0, false
	}
	if at := p.at % ringSize; s[i:j] != textOf(c.ring[at:at+uint64(p.size)]) {
		return 0, false
	}
	return int64(p.tokens), true
}

func (c *cache) put(s string, i, j int, h uint64, tokens int64) {
	if c.places == nil {
		c.places = make([]place, 1<<cacheBits)
		c.ring = make([]byte, ringSize)
	}
	if left := ringSize - c.head%ringSize; left < uint64(j-i) {
		c.head += left
	}
	at := c.head
	copy(c.ring[at%ringSize:], s[i:j])
	c.head += uint64(j - i)
	c.places[h>>(64-cacheBits)] = place{h, at, uint16(j - i), uint16(tokens)}
}
