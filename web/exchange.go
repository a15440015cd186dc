package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"nacre"
)

// exchange is a question that can be asked of a Part, and its answer. A GET has
// what it asks in its query, all else in one JSON object.
type exchange[Part, In, Out any] struct {
	of func(Hand) Part
	do func(Part, context.Context, In) (Out, error)
}

// asked serves what takes something and answers with another.
func asked[Part, In, Out any](of func(Hand) Part, do func(Part, context.Context, In) (Out, error)) exchange[Part, In, Out] {
	return exchange[Part, In, Out]{of, do}
}

// told serves what takes nothing.
func told[Part, Out any](of func(Hand) Part, do func(Part, context.Context) (Out, error)) exchange[Part, struct{}, Out] {
	return asked(of, func(p Part, ctx context.Context, _ struct{}) (Out, error) { return do(p, ctx) })
}

// ServeHTTP implements http.Handler.
func (e exchange[Part, In, Out]) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler(e.serve).ServeHTTP(w, r)
}

func (e exchange[Part, In, Out]) serve(w http.ResponseWriter, r *http.Request) error {
	var in In
	if err := read(w, r, &in); err != nil {
		return err
	}
	out, err := e.do(e.of(handOf(r.Context())), r.Context(), in)
	if err != nil {
		return err
	}
	body, err := json.Marshal(out)
	if err != nil {
		return err
	}
	send(w, r, append(body, '\n'))
	return nil
}

// A question that carries a whole text says how long it may be, in bytes.
// Others may be as long as a message.
type bulky interface{ longest() int64 }

func (FileWrite) longest() int64 { return 1 << 20 }
func (Check) longest() int64     { return 1 << 20 } // some thousand checkpoints

func (chatRequest) longest() int64 { return longestChat }

// read takes what a request asks into a struct. A name that is not known is
// refused, and so is one that comes twice, because a misspelt question must not
// become a wider one. Once the question is there, the time of the server for that
// counts no more; the answer may take longer.
func read(w http.ResponseWriter, r *http.Request, into any) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		if r.ContentLength != 0 {
			return nacre.Errorf(nacre.Invalid, "What is asked here stands in the query of the address, not in the body of the request.")
		}
		arrived(w)
		return readQuery(r.URL.RawQuery, fieldsOf(into))
	}
	if r.URL.RawQuery != "" {
		return nacre.Errorf(nacre.Invalid, "What is asked here stands in the body of the request, not in its address.")
	}
	most := int64(maxRequest)
	if b, ok := into.(bulky); ok {
		most = b.longest()
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return nacre.Errorf(nacre.Invalid, "The request is too long; at most %d bytes are taken here.", most)
	}
	if err != nil {
		return nacre.Errorf(nacre.Invalid, "The request did not come in whole.")
	}
	arrived(w)
	return readObject(body, fieldsOf(into))
}

// arrived ends the time in which a request has to come in.
func arrived(w http.ResponseWriter) { http.NewResponseController(w).SetReadDeadline(time.Time{}) }

func errNotAsked(name string) error {
	return nacre.Errorf(nacre.Invalid, "The request is not what is asked for here: %.40q is not known, or comes twice.", name)
}

var errNotJSON = nacre.Errorf(nacre.Invalid, "The request is not the JSON object that is asked for here.")

// fieldsOf are what a struct is made of, by the names that they have in JSON.
func fieldsOf(into any) map[string]reflect.Value {
	v := reflect.ValueOf(into).Elem()
	fields := map[string]reflect.Value{}
	for i := range v.NumField() {
		if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); name != "-" {
			fields[name] = v.Field(i)
		}
	}
	return fields
}

// readObject reads one JSON object. Where nothing is asked, it need not be there.
func readObject(body []byte, fields map[string]reflect.Value) error {
	if len(fields) == 0 && len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errNotJSON
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return errNotJSON
		}
		f, known := fields[name.(string)] // as names in objects are
		if !known {
			return errNotAsked(name.(string))
		}
		delete(fields, name.(string))
		if err := d.Decode(f.Addr().Interface()); err != nil {
			return errNotJSON
		}
	}
	if _, err := d.Token(); err != nil {
		return errNotJSON
	}
	if _, err := d.Token(); err != io.EOF {
		return errNotJSON
	}
	return nil
}

// readQuery reads texts, whole numbers and switches.
func readQuery(query string, fields map[string]reflect.Value) error {
	q, err := url.ParseQuery(query)
	if err != nil {
		return nacre.Errorf(nacre.Invalid, "The query of the request is not written as queries are.")
	}
	for name, values := range q {
		f, known := fields[name]
		if !known || len(values) != 1 {
			return errNotAsked(name)
		}
		if !setText(f, values[0]) {
			return nacre.Errorf(nacre.Invalid, "What the request says of %q is neither a whole number nor true or false.", name)
		}
	}
	return nil
}

// setText sets a field to what a text says; false if it says nothing of the kind.
func setText(f reflect.Value, text string) bool {
	switch f.Kind() {
	case reflect.String:
		f.SetString(strings.ToValidUTF8(text, "\uFFFD")) // as JSON is read
	case reflect.Bool:
		on, err := strconv.ParseBool(text)
		f.SetBool(on)
		return err == nil
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, f.Type().Bits())
		f.SetInt(n)
		return err == nil
	default:
		return false
	}
	return true
}

// worthPacking is from how many bytes on an answer is compressed: below, it would
// not fill a packet anyway.
const worthPacking = 1 << 10

// send writes the body of an answer. If it cannot be written there is nobody to
// tell.
func send(w http.ResponseWriter, r *http.Request, body []byte) {
	h := w.Header()
	h.Set("Vary", "Accept-Encoding")
	if len(body) >= worthPacking && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = packed(body)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	wait := writeWait + time.Duration(len(body)/slowest)*time.Second
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(wait))
	w.Write(body)
}

// packed compresses quickly, since somebody waits.
func packed(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level is known
	w.Write(body)                                   // memory takes it
	w.Close()
	return b.Bytes()
}
