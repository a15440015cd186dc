package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"nacre/agent/llm"
	"nacre/agent/llm/llmtest"
)

// TestMetrics holds what is counted to what happened.
func TestMetrics(t *testing.T) {
	w := newObserved(t)
	w.env["NACRE_HEARTBEAT"] = "off" // it would be a job at a moment of its own
	w.model.Push(llmtest.Reply{Status: 429, Message: "slow down"}, llmtest.Reply{Text: "one", Usage: llm.Usage{Input: 1000, Output: 20, CacheRead: 600}})
	p := w.start()
	w.confirmed(w.api.Text(1001, "hello"))
	w.sent(1)
	w.confirmed(w.api.Text(5005, "hello")) // a stranger
	w.sent(2)
	w.confirmed(w.api.Text(1002, "/status"))
	w.sent(3)
	w.confirmed(w.api.Text(1001, "/remember my card is 4111 1111 1111 1111"))
	w.sent(4)
	w.confirmed(w.api.Text(1001, "/remember my bike is green"))
	w.sent(5)
	w.confirmed(w.api.Text(1001, "/remind in 2 hours tea"))
	w.sent(6)
	w.run("", "backup")
	w.settled()
	text := w.get(w.page, "/metrics")
	for _, line := range []string{
		`nacre_messages_received_total{channel="telegram"} 5`,
		`nacre_strangers_total{channel="telegram"} 1`,
		`nacre_turn_duration_seconds_count{outcome="answered"} 1`,
		`nacre_turn_duration_seconds_count{outcome="command"} 4`,
		`nacre_model_call_duration_seconds_count{model="openai/test",outcome="ok"} 1`,
		`nacre_model_call_duration_seconds_count{model="openai/test",outcome="overloaded"} 1`,
		`nacre_model_tokens_total{kind="input",model="openai/test"} 1000`,
		`nacre_model_tokens_total{kind="cache_read",model="openai/test"} 600`,
		`nacre_model_tokens_total{kind="output",model="openai/test"} 20`,
		`nacre_recall_duration_seconds_count 1`,
		`nacre_memory_refusals_total{reason="secret"} 1`,
		`nacre_deliveries_total{channel="telegram",outcome="sent"} 6`,
		`nacre_outbox_parts 0`, `nacre_outbox_dead_letters 0`, `nacre_messages_pending 0`, `nacre_notes 1`, `nacre_web_pages 0`,
		`nacre_channel_up{channel="telegram"} 1`, `nacre_jobs{state="active"} 1`, `nacre_jobs_due 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("there is no line %s", line)
		}
	}
	for _, name := range []string{"nacre_build_info{", "nacre_database_size_bytes ", "nacre_database_wal_size_bytes ", "nacre_disk_free_bytes ", "nacre_backup_age_seconds ", "nacre_backup_size_bytes ",
		"nacre_search_index_size_bytes ", "go_goroutines ", "process_open_fds "} {
		if !strings.Contains(text, "\n"+name) {
			t.Errorf("there is no %s", name)
		}
	}
	if strings.Contains(text, "nacre_model_cost_dollars_total{") {
		t.Error("a model whose price is unknown costs something")
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("names: %v, %v", problems, err)
	}
	began := time.Now()
	for range 20 {
		w.get(w.page, "/metrics")
	}
	t.Logf("a scrape takes %v", time.Since(began)/20)
	w.profiled()
	p.stop()
	if t.Failed() {
		t.Log(text)
	}
}

// profiled looks at the profiler's address: it knows no other name.
func (w *observed) profiled() {
	w.t.Helper()
	for host, want := range map[string]int{w.pprof: http.StatusOK, "evil.example": http.StatusMisdirectedRequest} {
		req, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, "http://"+w.pprof+"/debug/pprof/cmdline", nil)
		if err != nil {
			w.t.Fatal(err)
		}
		req.Host = host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			w.t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			w.t.Errorf("profiles as %s: %s, want %d", host, resp.Status, want)
		}
	}
}
