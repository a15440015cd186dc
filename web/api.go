package web

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"nacre"
)

// route is one thing that can be asked. web/openapi.yaml describes each.
type route struct {
	pattern  string // method and path, as http.ServeMux reads them
	operator bool   // for the operator alone
	serve    http.Handler
}

// routes are all that can be asked of a Desk. Where words belong to a request it is
// a POST of one JSON object, also where nothing changes, so that no path holds
// them.
func routes(d Desk) []route {
	of := func(h Hand) own { return own{d, h} }
	list := []route{
		{"GET /api/me", false, told(of, own.me)},
		{"GET /api/usage", false, asked(of, own.usage)},
		{"POST /api/login", false, told(of, own.login)},
		{"GET /api/status", true, told(of, own.status)},
		{"POST /api/pair", true, asked(of, own.pair)},
		{"GET /api/strangers", true, told(of, own.strangers)},
		{"POST /api/strangers/decide", true, asked(of, own.decide)},
		{"POST /api/whatsapp/link", true, link(d)},
		{"POST /api/whatsapp/unlink", true, told(of, own.unlinkWhatsApp)},
	}
	list = append(list, memoryRoutes(d.Memory)...)
	list = append(list, fileRoutes(d.Files)...)
	list = append(list, historyRoutes(d.History)...)
	list = append(list, jobsRoutes(d.Jobs)...)
	list = append(list, settingsRoutes(d.Settings)...)
	list = append(list, mailRoutes(d.Mail)...)
	list = append(list, movingRoutes(d.Moving)...)
	list = append(list, backupRoutes(d.Backups)...)
	return append(list, accessRoutes(d.Access)...)
}

// table is what can be asked, by path and then by method.
type table struct {
	at       map[string]map[string]route
	operator func(nacre.OwnerID) bool // whether an owner is the operator
}

// api serves routes. Each request has a Hand, which the way in gave it; operator
// tells whether an owner is the operator.
func api(list []route, operator func(nacre.OwnerID) bool) http.Handler {
	t := table{map[string]map[string]route{}, operator}
	for _, r := range list {
		method, path, _ := strings.Cut(r.pattern, " ")
		if t.at[path] == nil {
			t.at[path] = map[string]route{}
		}
		t.at[path][method] = r
	}
	return handler(t.serve)
}

// serve finds who answers a request. HEAD is asked as GET is, and answered without
// a body by the server.
func (t table) serve(w http.ResponseWriter, r *http.Request) error {
	here, method := t.at[r.URL.Path], r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	found, ok := here[method]
	switch {
	case here == nil:
		return nacre.Errorf(nacre.NotFound, "There is nothing of that name to ask; web/API.md lists what there is.")
	case !ok:
		w.Header().Set("Allow", allowed(here))
		if method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		newProblem(nacre.Invalid, "This is asked in another way; see Allow.").answer(w, http.StatusMethodNotAllowed)
		return nil
	case found.operator && !t.operator(handOf(r.Context()).Owner):
		return nacre.Errorf(nacre.Denied, "Only the operator can ask for this.")
	}
	found.serve.ServeHTTP(w, r)
	return nil
}

// allowed are the methods of a path.
func allowed(here map[string]route) string {
	methods := append(slices.Collect(maps.Keys(here)), http.MethodOptions)
	if _, ok := here[http.MethodGet]; ok {
		methods = append(methods, http.MethodHead)
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}

// own is a Desk in one hand.
type own struct {
	desk Desk
	hand Hand
}

type (
	pairRequest struct {
		Code string `json:"code"`
	}
	textAnswer struct {
		Text string `json:"text"` // to show
	}
	loginAnswer struct {
		Link string `json:"link"`
		SVG  string `json:"svg"` // the link as a QR code, for a phone
	}
)

func (o own) me(ctx context.Context) (Me, error) { return o.desk.Me(ctx, o.hand) }

func (o own) usage(ctx context.Context, q UsageQuery) (Usage, error) {
	return o.desk.Usage(ctx, o.hand, q)
}

func (o own) login(ctx context.Context) (loginAnswer, error) {
	link, err := o.desk.Login(ctx, o.hand)
	if err != nil {
		return loginAnswer{}, err
	}
	svg, err := drawSVG(link)
	return loginAnswer{link, svg}, err
}

func (o own) status(ctx context.Context) (Status, error) { return o.desk.Status(ctx) }

func (o own) pair(ctx context.Context, p pairRequest) (textAnswer, error) {
	text, err := o.desk.Pair(ctx, p.Code)
	return textAnswer{text}, err
}

func (o own) strangers(ctx context.Context) ([]Stranger, error) { return o.desk.Strangers(ctx) }

func (o own) decide(ctx context.Context, d Decision) (textAnswer, error) {
	text, err := o.desk.Decide(ctx, d)
	return textAnswer{text}, err
}

func (o own) unlinkWhatsApp(ctx context.Context) (struct{}, error) {
	return struct{}{}, o.desk.UnlinkWhatsApp(ctx)
}
