package llm

import (
	"encoding/json"
	"errors"
	"strings"
)

// Limits of what Object looks at.
const (
	maxObject = 4 << 20 // bytes of an answer
	maxStarts = 16      // braces at which the object may begin
)

// ErrNoObject says that an answer holds no complete JSON object with any of the
// fields that were looked for.
var ErrNoObject = errors.New("no JSON object with the right fields")

// Object finds the first complete JSON object in an answer that has one of some
// fields, whatever stands around it, since models put prose and fences there. A
// field counts if its name is exactly that; null is a value too.
func Object(answer string, fields ...string) (json.RawMessage, error) {
	answer = answer[:min(len(answer), maxObject)]
	for range maxStarts {
		i := strings.IndexByte(answer, '{')
		if i < 0 {
			break
		}
		answer = answer[i:]
		var all map[string]json.RawMessage
		d := json.NewDecoder(strings.NewReader(answer))
		if d.Decode(&all) != nil {
			answer = answer[1:]
			continue
		}
		for _, f := range fields {
			if _, ok := all[f]; ok {
				return json.RawMessage(answer[:d.InputOffset()]), nil
			}
		}
		answer = answer[d.InputOffset():]
	}
	return nil, ErrNoObject
}
