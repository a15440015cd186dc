package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"nacre"
	"nacre/web"
)

const (
	consentTime  = 10 * time.Minute // in which a person may consent
	consentLook  = time.Second      // between two looks whether they did
	longestPaste = 16 << 10         // bytes of an address that somebody brings
)

// consentWait is a terminal that waits for a person to consent. Their browser comes
// back to the server, or to this process where none runs; from another machine they
// bring the address that it shows.
type consentWait struct {
	call
	mail   web.Mail
	alone  bool          // no server runs
	before web.MailSheet // how it was
	came   chan web.MailSheet
}

// connect asks for consent and waits for it.
func (w consentWait) connect(wish web.MailConnect) error {
	if w.alone {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		wish.At = "http://" + listener.Addr().String()
		server := &http.Server{Handler: w.taking(wish.At), ReadHeaderTimeout: headWait}
		go server.Serve(listener)
		defer server.Shutdown(w.ctx) // the browser is answered first
	}
	consent, err := w.mail.Connect(w.ctx, wish)
	if err != nil {
		return err
	}
	fmt.Fprintf(w.out, "Open this in a browser and allow what it asks for:\n\n%s\n\nGoogle then sends your browser to %s. If that page does not open, paste its whole address here.\n", consent.URL, consent.Back)
	sheet, err := w.wait()
	if err != nil {
		return err
	}
	return w.welcome(sheet)
}

// taking is the end of the way back from Google, in this process.
func (w consentWait) taking(origin string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+web.MailBack, func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
		rw.Header().Set("Referrer-Policy", "no-referrer")
		sheet, err := w.mail.Finish(r.Context(), web.MailReturn{URL: origin + r.URL.RequestURI()})
		if err != nil {
			fmt.Fprintln(rw, "Gmail is not connected.", faultWords(err))
			return
		}
		fmt.Fprintln(rw, "Gmail is connected. You can close this tab.")
		w.came <- sheet
	})
	return mux
}

// faultWords is an error as people may read it.
func faultWords(err error) string {
	if nacre.KindOf(err) == nacre.Internal {
		return "Something went wrong inside."
	}
	return err.Error()
}

// wait returns how it is once the person consented, whichever way they came.
func (w consentWait) wait() (web.MailSheet, error) {
	ctx, cancel := context.WithTimeout(w.ctx, consentTime)
	defer cancel()
	lines, look := w.lines(ctx), time.NewTicker(consentLook)
	defer look.Stop()
	for {
		select {
		case sheet := <-w.came:
			return sheet, nil
		case text := <-lines:
			sheet, err := w.mail.Finish(ctx, web.MailReturn{URL: text})
			if err == nil {
				return sheet, nil
			}
			if sheet, ended, failed := w.fate(ctx); ended {
				return sheet, failed
			}
			fmt.Fprintln(w.err, faultWords(err))
		case <-look.C:
			if sheet, ended, err := w.fate(ctx); ended {
				return sheet, err
			}
		case <-ctx.Done():
			if w.ctx.Err() == nil {
				return web.MailSheet{}, nacre.Errorf(nacre.Invalid, "nobody consented within 10 minutes; start again")
			}
			return web.MailSheet{}, errors.New("stopped before anything was connected")
		}
	}
}

// fate looks whether the person consented, or refused, wherever they were.
func (w consentWait) fate(ctx context.Context) (sheet web.MailSheet, ended bool, err error) {
	sheet, err = w.mail.Show(ctx)
	switch {
	case err != nil:
		return sheet, false, nil
	case sheet.Failed != "":
		return sheet, true, nacre.Errorf(nacre.Denied, "%s", sheet.Failed)
	}
	return sheet, sheet.Connected && !sheet.Since.Equal(w.before.Since), nil
}

// lines are what the person pastes, until the input or ctx ends.
func (w consentWait) lines(ctx context.Context) <-chan string {
	lines := make(chan string)
	go func() {
		in := bufio.NewScanner(io.Reader(w.in))
		in.Buffer(nil, longestPaste)
		for in.Scan() {
			text := strings.TrimSpace(in.Text())
			if text == "" {
				continue
			}
			select {
			case lines <- text:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// welcome says what follows. Where no server runs, what was sent is read here.
func (w consentWait) welcome(s web.MailSheet) error {
	fmt.Fprintf(w.out, "\nGmail is connected as %s.\n", s.Address)
	if !w.alone {
		_, err := fmt.Fprintln(w.out, "Your sent mail is being read now; nacre gmail shows what was learned from it.")
		return err
	}
	fmt.Fprintln(w.out, "Your sent mail is being read now, which may take minutes.")
	text, err := w.mail.Learn(w.ctx)
	if err == nil {
		_, err = fmt.Fprintln(w.out, text)
	}
	return err
}
