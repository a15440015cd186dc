//go:build linux

package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nacre/gateway/gatewaytest/wadouble"
	"nacre/memory"
	"nacre/web"
)

var (
	soakTime = flag.Duration("soak", 0, "how long TestSoak runs; 0 for each fault once")
	soakSeed = flag.Uint64("seed", 0, "what TestSoak draws its faults from; 0 for a seed of its own")
)

// soak is a program that three people talk with while everything goes wrong.
type soak struct {
	*world
	model                        *moody
	wa                           *wadouble.Server
	bot, phone                   *wadouble.Account
	page                         *page
	people                       []*talker
	client                       *web.Client // one, as each keeps a connection for the next question
	telegram, whatsapp, provider *link
	beneath                      *beneath
	small                        string // a small disk on which the data lies; empty if there is none
	rnd                          *rand.Rand
	proc                         *process
	logs                         []*buffer
	books                        *books
	number, inGroup              atomic.Int64
	table                        []string // what is shown at the end
	samples                      []sample

	mu        sync.Mutex // guards what follows
	forgotten []string
}

// TestSoak lets three people talk for a while, on Telegram, on WhatsApp and on the
// page, while the program is killed, its networks, its model, its disk and its clock
// fail. Afterwards nothing is lost, nothing doubled, and all is in order. .ci/soak runs
// it for long.
func TestSoak(t *testing.T) {
	s := newSoak(t)
	stop := make(chan struct{})
	var people sync.WaitGroup
	people.Go(func() { s.page.open(stop) })
	short, every := *soakTime == 0, max(200*time.Millisecond, *soakTime/600)
	list := s.faults()
	if short {
		s.spell(list, 250*time.Millisecond, every)
	} else {
		s.storm(list, *soakTime/2, every)
		s.steady(list, *soakTime/2, every)
	}
	s.rest()
	close(stop)
	people.Wait()
	s.afterwards()
	s.t.Log("\n" + strings.Join(s.table, "\n"))
}

// newSoak builds the networks and starts the program.
func newSoak(t *testing.T) *soak {
	s := &soak{world: newWorld(t), books: newBooks(), wa: wadouble.New()}
	seed := *soakSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	s.note("seed", "%d", seed)
	s.rnd = rand.New(rand.NewPCG(seed, 0))
	s.model = &moody{rnd: s.random()}
	models := httptest.NewServer(s.model)
	t.Cleanup(func() { models.CloseClientConnections(); models.Close() })
	s.telegram = newLink(t, strings.TrimPrefix(s.env["NACRE_TELEGRAM_API"], "http://"))
	s.provider = newLink(t, strings.TrimPrefix(models.URL, "http://"))
	s.whatsapp = newLink(t, s.wa.Listen(t))
	s.beneath = s.world.beneath()
	if s.small = s.smallDisk("128m"); s.small != "" {
		s.env["NACRE_DATA"] = filepath.Join(s.small, "data")
	}
	base := s.servesPage()
	for name, value := range map[string]string{"NACRE_TELEGRAM_API": "http://" + s.telegram.addr(), "OPENAI_BASE_URL": "http://" + s.provider.addr() + "/v1",
		reachWhatsApp: s.whatsapp.addr(), "NACRE_WHATSAPP": "separate", "NACRE_HEARTBEAT": "5m", "NACRE_ACTIVE_HOURS": "00:00-00:00",
		"NACRE_OWNERS": "telegram:" + atTelegram + ",whatsapp:" + atWhatsApp + ",telegram:" + atPage, "NACRE_LOG_LEVEL": "info", "NACRE_BACKUP": s.backups()} {
		s.env[name] = value
	}
	s.alone(func(a *app) {
		made, err := a.Access(web.Hand{Owner: s.owner(a, atPage), By: memory.ByPage}).MakeToken(t.Context(), web.TokenWish{Name: "page"})
		if err != nil {
			t.Fatal(err)
		}
		s.page = newPage(base, made.Token)
	})
	s.client = web.NewClient(s.env["NACRE_DATA"])
	s.proc = s.start()
	s.bot, s.phone = s.linked(s.wa), s.wa.Account(atWhatsApp)
	s.people = []*talker{s.ann(), s.ben(), s.cleo()}
	return s
}

// random is a source of its own, so that the others' order does not matter to it.
func (s *soak) random() *rand.Rand { return rand.New(rand.NewPCG(s.rnd.Uint64(), s.rnd.Uint64())) }

func (s *soak) note(what, how string, args ...any) {
	s.table = append(s.table, fmt.Sprintf("%-24s %s", what, fmt.Sprintf(how, args...)))
}

func (s *soak) start() *process {
	p := s.world.start()
	s.logs = append(s.logs, p.log)
	return p
}

func (s *soak) kill() { s.proc.kill() }

func (s *soak) stops() {
	if err := s.proc.stop(); err != nil {
		s.t.Errorf("after SIGTERM: %v", err)
	}
}

// spell lets everybody talk while the faults happen one after another.
func (s *soak) spell(list []fault, each, every time.Duration) {
	stop := make(chan struct{})
	var people sync.WaitGroup
	for _, p := range s.people {
		people.Go(func() { s.talk(p, max(every, p.pause), stop) })
	}
	for _, f := range list {
		f.do(s, each)
	}
	close(stop)
	people.Wait()
}

// deck is faults in a random order, each once before any comes again.
type deck struct {
	all, left []fault
	rnd       *rand.Rand
}

// draw draws some.
func (d *deck) draw(n int) (list []fault) {
	for range n {
		if len(d.left) == 0 {
			d.left = slices.Clone(d.all)
			d.rnd.Shuffle(len(d.left), func(i, k int) { d.left[i], d.left[k] = d.left[k], d.left[i] })
		}
		list, d.left = append(list, d.left[0]), d.left[1:]
	}
	return list
}

// storm is everything at random, with a rest now and then.
func (s *soak) storm(list []fault, d, every time.Duration) {
	met, cards := map[string]int{}, deck{all: list, rnd: s.rnd}
	for end := time.Now().Add(d); time.Now().Before(end); {
		some := cards.draw(6)
		for _, f := range some {
			met[f.name]++
		}
		s.spell(some, 100*time.Millisecond+time.Duration(s.rnd.Int64N(int64(1500*time.Millisecond))), every)
		s.rest()
	}
	for _, f := range list {
		s.note(f.name, "%d times", met[f.name])
	}
}

// steady is what one process goes through, which is measured at each rest.
func (s *soak) steady(list []fault, d, every time.Duration) {
	cards := deck{all: slices.DeleteFunc(slices.Clone(list), func(f fault) bool { return f.ends }), rnd: s.rnd}
	s.stops()
	s.proc = s.start()
	for end := time.Now().Add(d); time.Now().Before(end); {
		s.spell(cards.draw(4), 300*time.Millisecond, every)
		s.rest()
		s.samples = append(s.samples, s.sample())
	}
	s.growth()
}
