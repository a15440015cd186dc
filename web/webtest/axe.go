package webtest

import (
	_ "embed"

	"github.com/chromedp/chromedp"
)

// axe is axe-core, which knows the rules of WCAG; axe/README.md says which.
//
//go:embed axe/axe.min.js
var axe string

// Axe looks for what keeps people with disabilities out of what the page shows now.
// It returns the findings that axe-core calls serious or critical, each as its rule,
// what is wrong and where; none is as it should be.
func (b *Browser) Axe() []string {
	b.T.Helper()
	b.still()
	if !Eval[bool](b, `typeof axe === "object"`) {
		b.Do(chromedp.Evaluate[chromedp.Void](axe)) // from outside, where the page's policy does not reach
	}
	return Eval[[]string](b, `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
		.filter((v) => v.impact === "serious" || v.impact === "critical")
		.flatMap((v) => v.nodes.map((n) => v.id + ": " + v.help + ": " + n.target.join(" ") + " " + n.html.slice(0, 120) + " " + (n.any[0]?.message ?? ""))))`)
}
