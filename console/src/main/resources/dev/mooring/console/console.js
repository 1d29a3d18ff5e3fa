// Live updates: on a change event, fetches the page again and replaces the elements marked data-live.
// Filters a list while the user types, and adds buttons that copy commands. Without this script a page is static.

const RETRY = 3000; // ms until a refused event stream is opened again
const TYPING = 250; // ms without a key until a filter applies
const SILENCE = 25000; // ms; the server sends an event at least every 10 s
const status = document.getElementById("status");
let stream = null;
let timer = 0;
let silence = 0;
let lostSince = null;
let fetching = false;
let fetchAgain = false;

function setStatus(text, state) {
  if (status.textContent !== text) {
    status.textContent = text;
  }
  status.className = "status " + state;
}

// The console responds. The API server behind it may be unreachable, which the page marks with data-outage.
function markAlive() {
  lostSince = null;
  document.getElementById("lost")?.remove();
  document.documentElement.removeAttribute("data-lost");
  if (document.documentElement.hasAttribute("data-outage")) {
    setStatus("The API server is unreachable", "lost");
  } else {
    setStatus("Live", "live");
  }
}

// The console itself does not respond: the page is stale.
function markLost() {
  lostSince ??= new Date();
  const since = lostSince.toISOString().replace(/\.[0-9]+Z$/, "Z");
  setStatus("The console has not answered since " + since, "lost");
  document.documentElement.setAttribute("data-lost", "");
  if (!document.getElementById("lost")) {
    const alarm = document.createElement("p");
    alarm.id = "lost";
    alarm.className = "alarm";
    alarm.setAttribute("role", "alert");
    alarm.textContent =
      "The console has not answered since " + since + ". This page shows older data. The page keeps retrying.";
    document.querySelector("main h1").after(alarm);
  }
}

function watchSilence() {
  clearTimeout(silence);
  silence = setTimeout(() => {
    markLost();
    refresh().then(follow);
  }, SILENCE);
}

// A browser offers the clipboard only over HTTPS and on localhost.
function addCopyButtons(root) {
  if (!navigator.clipboard) {
    return;
  }
  for (const code of root.querySelectorAll(".commands code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy " + code.textContent);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    });
    code.after(button);
  }
}

// Text of each live part as the server sent it: buttons and open details are not a difference.
const rendered = new WeakMap();

function replaceLiveParts(next) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = next.getElementById(part.id);
    if (!fresh || fresh.outerHTML === rendered.get(part)) {
      continue;
    }
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const href = focused ? focused.getAttribute("href") : null;
    const label = focused ? focused.getAttribute("aria-label") : null;
    const scrolled = new Map();
    for (const box of part.querySelectorAll(".scroll")) {
      scrolled.set(box.getAttribute("aria-label"), box.scrollLeft);
    }
    const replacement = document.importNode(fresh, true);
    for (const details of part.querySelectorAll("details[open]")) {
      replacement.querySelector("details#" + CSS.escape(details.id))?.setAttribute("open", "");
    }
    rendered.set(replacement, fresh.outerHTML);
    addCopyButtons(replacement);
    part.replaceWith(replacement);
    for (const box of replacement.querySelectorAll(".scroll")) {
      box.scrollLeft = scrolled.get(box.getAttribute("aria-label")) ?? 0;
      if (label && box.getAttribute("aria-label") === label) {
        box.focus({ preventScroll: true });
      }
    }
    if (href) {
      for (const link of replacement.querySelectorAll("a")) {
        if (link.getAttribute("href") === href) {
          link.focus({ preventScroll: true });
          break;
        }
      }
    }
  }
  document.documentElement.dataset.version = next.documentElement.dataset.version ?? "";
  document.documentElement.toggleAttribute(
    "data-outage", next.documentElement.hasAttribute("data-outage"));
  document.title = next.title;
}

async function refresh() {
  if (fetching) {
    fetchAgain = true;
    return;
  }
  fetching = true;
  try {
    do {
      fetchAgain = false;
      const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
      if ((answer.headers.get("Content-Type") ?? "").startsWith("text/html")) {
        const next = new DOMParser().parseFromString(await answer.text(), "text/html");
        if (answer.status === 404 && document.getElementById("object")) {
          setStatus("This object has been deleted.", "lost");
        } else {
          replaceLiveParts(next);
          markAlive();
        }
      }
    } while (fetchAgain);
  } catch {
    markLost();
  } finally {
    fetching = false;
  }
}

function follow() {
  clearTimeout(timer);
  stream?.close();
  const version = document.documentElement.dataset.version ?? "";
  stream = new EventSource("/console/events?since=" + encodeURIComponent(version));
  watchSilence();
  stream.addEventListener("open", () => {
    clearTimeout(timer);
    watchSilence();
    markAlive();
  });
  stream.addEventListener("still", watchSilence);
  stream.addEventListener("change", () => {
    watchSilence();
    refresh();
  });
  stream.addEventListener("error", () => {
    clearTimeout(timer);
    if (stream.readyState === EventSource.CLOSED) {
      markLost();
      timer = setTimeout(() => refresh().then(follow), RETRY);
    } else {
      // a stream ends after 25 s, and the browser reconnects within a second
      timer = setTimeout(markLost, RETRY);
    }
  });
}

function applyFilter(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value) {
      query.append(name, value);
    }
  }
  const text = query.toString();
  history.replaceState(null, "", form.getAttribute("action") + (text ? "?" + text : ""));
  refresh();
}

for (const form of document.querySelectorAll("form.search")) {
  let typing = 0;
  form.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => applyFilter(form), TYPING);
  });
}

for (const part of document.querySelectorAll("[data-live]")) {
  rendered.set(part, part.outerHTML);
}
addCopyButtons(document);

// browsers limit the connections per server: hidden pages close theirs
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    clearTimeout(timer);
    clearTimeout(silence);
    stream?.close();
  } else {
    follow();
  }
});
addEventListener("pagehide", () => stream?.close());
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    refresh().then(follow);
  }
});

if (!document.hidden) {
  follow();
}
