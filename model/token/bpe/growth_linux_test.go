package bpe

import (
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// TestTimeGrowsWithTheText holds the processor time for ten times as much of every
// hostile text to less than thirty times as much: a quadratic step anywhere, also
// in the scanner, shows as a hundredfold. It reads the thread's own time, so that
// other work on the machine counts little.
func TestTimeGrowsWithTheText(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for name, e := range encodings {
		e.Load()
		w := newWorker(e)
		for kind, make := range hostile {
			a, b := make(3_000), make(30_000)
			var ratio float64
			for range 8 {
				if ratio = float64(best(w, b)) / float64(best(w, a)); ratio < 30 {
					break
				}
			}
			if ratio >= 30 {
				t.Errorf("%s, %s: ten times the text took %.0f times as long", name, kind, ratio)
			}
		}
	}
}

// best is the shorter of two times.
func best(w *worker, s string) time.Duration {
	shortest := time.Hour
	for range 2 {
		w.forget()
		start := threadTime()
		w.count(w.repair(s))
		shortest = min(shortest, threadTime()-start)
	}
	return shortest
}

// threadTime is the processor time the calling thread has used.
func threadTime() time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var now syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&now)), 0); errno != 0 {
		panic(errno)
	}
	return time.Duration(now.Nano())
}
