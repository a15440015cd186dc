// Whose page this is. Another owner may log in in the same browser while it is open;
// then nothing that is asked may be theirs, and nothing that was written goes out as
// theirs.

let owner = ""; // empty until it is known

export function whose() {
  return owner;
}

// belongs tells whose page this is, as the server says it, and returns whether that is
// who it was loaded for. It drops the drafts of somebody else who was logged in in
// this window before.
export function belongs(to) {
  if (!owner && sessionStorage.getItem("owner") !== to) sessionStorage.clear();
  owner ||= to;
  if (owner !== to) {
    anew();
    return false;
  }
  sessionStorage.setItem("owner", to);
  return true;
}

// anew drops this page and all that was written on it, and loads that of whoever is
// logged in now.
export function anew() {
  sessionStorage.clear();
  addEventListener("beforeunload", (e) => e.stopImmediatePropagation(), { capture: true }); // nobody is asked
  location.reload();
}
