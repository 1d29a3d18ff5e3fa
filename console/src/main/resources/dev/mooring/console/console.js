// Keeps a page up to date: when the server says that something has changed, the page is asked for again,
// and those parts of it are exchanged that are marked as live. Without it a page shows what was when it was loaded.

const RETRY = 3000; // ms, where the server cannot tell of changes
const status = document.getElementById("status");
let stream = null;
let timer = 0;
let asking = false;
let askAgain = false;

function say(text, state) {
  if (status.textContent !== text) {
    status.textContent = text;
  }
  status.className = "status " + state;
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
          say("Live", "live");
        }
      }
    } while (askAgain);
  } catch {
    say("Nobody answers; trying again", "lost");
  } finally {
    asking = false;
  }
}

function follow() {
  clearTimeout(timer);
  stream?.close();
  const version = document.documentElement.dataset.version ?? "";
  stream = new EventSource("/console/events?since=" + encodeURIComponent(version));
  stream.addEventListener("open", () => say("Live", "live"));
  stream.addEventListener("change", refresh);
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) {
      say("Nobody answers; trying again", "lost");
      timer = setTimeout(() => refresh().then(follow), RETRY);
    }
  });
}

// a browser has few connections to one server: pages that nobody sees need none
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    clearTimeout(timer);
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
