package browse

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"nacre"
)

// searxng speaks the API of a SearXNG instance
// (https://docs.searxng.org/dev/search_api.html).
type searxng struct{ base string }

// NewSearXNG returns a Search by the SearXNG instance at base, which is up to
// and without "/search". It may stand on a private address, because it is the
// operator who names it.
func NewSearXNG(base string) *Search {
	return newSearch(searxng{strings.TrimRight(base, "/")})
}

func (s searxng) request(query string) (*http.Request, error) {
	ask := url.Values{"q": {query}, "format": {"json"}}
	return http.NewRequest(http.MethodGet, s.base+"/search?"+ask.Encode(), nil)
}

func (searxng) hits(body []byte) ([]Hit, error) {
	var answer struct {
		Results []struct {
			Title   string `json:"title"`
			URL     string `json:"url"`
			Content string `json:"content"`
		} `json:"results"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	var hits []Hit
	for _, r := range answer.Results {
		hits = append(hits, Hit{r.Title, r.URL, r.Content})
	}
	return hits, nil
}

// refusal knows that an instance answers 403 for formats that are switched
// off, as JSON is in a fresh installation.
func (searxng) refusal(status int, _ []byte) error {
	switch status {
	case http.StatusForbidden:
		return nacre.Errorf(nacre.Denied, "SearXNG does not answer in JSON (403); the operator has to add json to search.formats in its settings.yml")
	case http.StatusUnauthorized:
		return nacre.Errorf(nacre.Denied, "SearXNG asks for a password (401); the operator has to put it into the configured address")
	}
	return nil
}
