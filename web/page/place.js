// What the server calls the places where people talk with Nacre, as people do.

import { t } from "/words.js";

// channelName is what people call a channel.
export function channelName(channel) {
  const names = { telegram: "Telegram", whatsapp: "WhatsApp", web: t("Web page"), terminal: t("Terminal") };
  return names[channel] ?? channel;
}

// placeWords is where a job speaks.
export function placeWords(place) {
  return t(place.replace(/\w+$/, channelName));
}

// channelWords is how a channel is. What it would lead to this page for, it finds
// below.
export function channelWords(words) {
  return t(words.replace("run nacre pair whatsapp, or open the page", "link one below").replace("with nacre pair whatsapp, or on the page", "below"));
}
