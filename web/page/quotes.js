import { channelName } from "/labels.js";
import { html, nothing } from "/ui.js";
import { moment, t } from "/words.js";

// quotes are the words that a note rests on, as they were said, with the way to where
// that was.
export function quotes(said) {
  return said.map((q) => html`
    <figure class="quote">
      <blockquote dir="auto">${q.text}</blockquote>
      <figcaption>${moment(q.sent)} · ${channelName(q.channel)}${q.spoken ? html` · ${t("a voice note")}` : nothing} ·
        <a href=${"/history/" + encodeURIComponent(q.message)}>${t("See it in the chat")}</a></figcaption>
    </figure>`);
}
