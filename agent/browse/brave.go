package browse

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"nacre"
)

const braveURL = "https://api.search.brave.com/res/v1/web/search"

// brave speaks the Brave Search API
// (https://api-dashboard.search.brave.com/app/documentation/web-search).
type brave struct {
	url string
	key string
}

// NewBrave returns a Search by Brave's API with the operator's key, which goes
// into a header and nowhere else.
func NewBrave(key string) *Search { return newSearch(brave{braveURL, key}) }

func (b brave) request(query string) (*http.Request, error) {
	ask := url.Values{"q": {query}, "count": {strconv.Itoa(maxHits)}, "text_decorations": {"false"}}
	req, err := http.NewRequest(http.MethodGet, b.url+"?"+ask.Encode(), nil)
	if err == nil {
		req.Header.Set("X-Subscription-Token", b.key)
	}
	return req, err
}

func (brave) hits(body []byte) ([]Hit, error) {
	var answer struct {
		Web struct {
			Results []struct {
				Title       string `json:"title"`
				URL         string `json:"url"`
				Description string `json:"description"`
			} `json:"results"`
		} `json:"web"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	var hits []Hit
	for _, r := range answer.Web.Results {
		hits = append(hits, Hit{html.UnescapeString(r.Title), r.URL, html.UnescapeString(r.Description)})
	}
	return hits, nil
}

// refusal knows that Brave answers 422 to a key that it does not know, and to
// a query that it does not accept; a code in the body tells which.
func (brave) refusal(status int, body []byte) error {
	var answer struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	unknown := json.Unmarshal(body, &answer) == nil && strings.HasPrefix(answer.Error.Code, "SUBSCRIPTION_TOKEN")
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusUnprocessableEntity && unknown:
		return nacre.Errorf(nacre.Denied, "Brave Search refuses the key (%d); the operator has to correct it in the configuration", status)
	case status == http.StatusUnprocessableEntity:
		return nacre.Errorf(nacre.Invalid, "Brave Search does not accept this query (422); use fewer and simpler words")
	case status == http.StatusPaymentRequired:
		return nacre.Errorf(nacre.Denied, "the Brave Search plan is used up (402); the operator has to renew it")
	}
	return nil
}
