package whatsapp

import (
	"context"
	"net/http"
	"time"

	"go.mau.fi/whatsmeow"
	wastore "go.mau.fi/whatsmeow/store"
)

const (
	versionAge  = 24 * time.Hour   // how old our knowledge of the version may be
	versionTime = 10 * time.Second // how long to ask for it
)

// version keeps the version of WhatsApp Web under which we log in fresh, because
// WhatsApp refuses old ones. Who has the account has it too.
type version struct {
	asked time.Time // zero before the first time
}

// refresh asks for the newest version, once a day. A failure is harmless: the
// version that we have mostly does.
func (v *version) refresh(ctx context.Context, web *http.Client) {
	if v.asked.IsZero() || time.Since(v.asked) >= versionAge {
		v.renew(ctx, web)
	}
}

// renew asks for the newest version and reports whether it is newer than ours was.
func (v *version) renew(ctx context.Context, web *http.Client) bool {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	v.asked = time.Now()
	latest, err := whatsmeow.GetLatestVersion(ctx, web)
	if err != nil || !wastore.GetWAVersion().LessThan(*latest) {
		return false
	}
	wastore.SetWAVersion(*latest)
	return true
}
