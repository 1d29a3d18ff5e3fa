// Keeps a page up to date: when the server says that something has changed, the page is asked for again,
// and those parts of it are exchanged that are marked as live. Without it a page shows what was when it was loaded.

const RETRY = 3000; // ms, where the server cannot tell of changes
const SILENCE = 25000; // ms; the server sends something every 10 s
const status = document.getElementById("status");
let stream = null;
let timer = 0;
let silence = 0;
let lostSince = null;
let asking = false;
let askAgain = false;

function say(text, state) {
  if (status.textContent !== text) {
    status.textContent = text;
  }
  status.className = "status " + state;
}

// The console answers; the API server behind it may not: the page says so then.
function answered() {
  lostSince = null;
  document.getElementById("lost")?.remove();
  document.documentElement.removeAttribute("data-lost");
  if (document.documentElement.hasAttribute("data-outage")) {
    say("The API server does not answer", "lost");
  } else {
    say("Live", "live");
  }
}

// The console itself does not answer: nothing on the page is newer than that moment.
function lost() {
  lostSince ??= new Date();
  const since = lostSince.toISOString().replace(/\.[0-9]+Z$/, "Z");
  say("The console has not answered since " + since, "lost");
  document.documentElement.setAttribute("data-lost", "");
  if (!document.getElementById("lost")) {
    const alarm = document.createElement("p");
    alarm.id = "lost";
    alarm.className = "alarm";
    alarm.setAttribute("role", "alert");
    alarm.textContent =
      "The console has not answered since " + since + ": what is here is old. The page tries again.";
    document.querySelector("main h1").after(alarm);
  }
}

function listen() {
  clearTimeout(silence);
  silence = setTimeout(() => {
    lost();
    refresh().then(follow);
  }, SILENCE);
}

function exchange(next) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = next.getElementById(part.id);
    if (!fresh || fresh.isEqualNode(part)) {
      continue;
    }
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const href = focused ? focused.getAttribute("href") : null;
    const label = focused ? focused.getAttribute("aria-label") : null;
    const scrolled = new Map();
    for (const box of part.querySelectorAll(".scroll")) {
      scrolled.set(box.getAttribute("aria-label"), box.scrollLeft);
    }
    const taken = document.importNode(fresh, true);
    part.replaceWith(taken);
    for (const box of taken.querySelectorAll(".scroll")) {
      box.scrollLeft = scrolled.get(box.getAttribute("aria-label")) ?? 0;
      if (label && box.getAttribute("aria-label") === label) {
        box.focus({ preventScroll: true });
      }
    }
    if (href) {
      for (const link of taken.querySelectorAll("a")) {
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
  if (asking) {
    askAgain = true;
    return;
  }
  asking = true;
  try {
    do {
      askAgain = false;
      const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
      if ((answer.headers.get("Content-Type") ?? "").startsWith("text/html")) {
        const next = new DOMParser().parseFromString(await answer.text(), "text/html");
        if (answer.status === 404 && document.getElementById("object")) {
          say("It is not there any more.", "lost");
        } else {
          exchange(next);
          answered();
        }
      }
    } while (askAgain);
  } catch {
    lost();
  } finally {
    asking = false;
  }
}

function follow() {
  clearTimeout(timer);
  stream?.close();
  const version = document.documentElement.dataset.version ?? "";
  stream = new EventSource("/console/events?since=" + encodeURIComponent(version));
  listen();
  stream.addEventListener("open", () => {
    clearTimeout(timer);
    listen();
    answered();
  });
  stream.addEventListener("still", listen);
  stream.addEventListener("change", () => {
    listen();
    refresh();
  });
  stream.addEventListener("error", () => {
    clearTimeout(timer);
    if (stream.readyState === EventSource.CLOSED) {
      lost();
      timer = setTimeout(() => refresh().then(follow), RETRY);
    } else {
      // a stream ends now and then, and the browser opens another within a second
      timer = setTimeout(lost, RETRY);
    }
  });
}

// a browser has few connections to one server: pages that nobody sees need none
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
