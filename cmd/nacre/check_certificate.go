package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"time"
)

// soonOver is how long before its end a certificate should have been renewed.
const soonOver = 14 * 24 * time.Hour

// certificate looks at that of the page as a start would, and when it ends.
func (x *examination) certificate(context.Context) []finding {
	web := x.cfg.Web
	if web.Listen == "" || web.TLSCert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(web.TLSCert, web.TLSKey)
	if err != nil {
		return []finding{{Name: "certificate", Level: problem, Found: fmt.Sprintf("%s and %s cannot be used (%v)", web.TLSCert, web.TLSKey, err),
			Do: "name a certificate with its chain and the key that belongs to it, both in PEM, which this user may read"}}
	}
	return []finding{checkPeriod(pair.Leaf.NotBefore, pair.Leaf.NotAfter, time.Now())}
}

// checkPeriod compares a time with those between which a certificate is valid.
func checkPeriod(from, to, now time.Time) finding {
	f := finding{Name: "certificate", Level: fine, Found: "valid until " + to.Format(time.DateOnly)}
	switch {
	case now.Before(from):
		f.Level, f.Found, f.Do = problem, "not valid before "+from.Format(time.DateOnly), "see that the clock is right, or take another certificate"
	case now.After(to):
		f.Level, f.Found, f.Do = problem, "not valid since "+to.Format(time.DateOnly), "renew it; Nacre takes the new one by itself"
	case to.Sub(now) < soonOver:
		f.Level, f.Do = warning, "renew it, and see why that did not happen by itself"
	}
	return f
}
