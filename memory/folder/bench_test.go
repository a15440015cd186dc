package folder

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkSync measures a look at a file of 1,000 notes, in which nothing or
// one line changed.
func BenchmarkSync(b *testing.B) {
	for _, edited := range []bool{false, true} {
		b.Run(fmt.Sprintf("edited=%v", edited), func(b *testing.B) {
			w := newWorld(b)
			for i := range 1000 {
				w.remember(fmt.Sprintf("about/n%d: Lives in house number %d since 2020.", i, i))
			}
			w.open()
			line := "in house number 500"
			for i := 0; b.Loop(); i++ {
				if edited {
					next := fmt.Sprintf("in hut number %d", i)
					w.write(Memory, strings.Replace(w.read(Memory), line, next, 1))
					line = next
				}
				w.sync()
			}
		})
	}
}
