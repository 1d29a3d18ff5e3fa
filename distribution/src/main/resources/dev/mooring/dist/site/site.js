"use strict";
// Search, copy buttons and links of headings. Without this script the pages show their content only.
const root = document.documentElement.dataset.root;
const LONGEST = 12;
let entries = null;

// search-index.js calls this; a script also loads from file://, where fetch is refused
function searchIndex(all) {
  entries = all.map(([address, title, heading, text]) => ({
    address, title, heading, text,
    titleFolded: title.toLowerCase(), headingFolded: heading.toLowerCase(), textFolded: text.toLowerCase(),
  }));
}

function loadIndex(done) {
  if (entries) {
    done();
    return;
  }
  const script = document.createElement("script");
  script.src = root + "search-index.js";
  script.onload = done;
  document.head.append(script);
}

// Every word must occur. A word of a heading counts more than one of the text, and the start of a word more than its middle.
function score(entry, words) {
  let total = 0;
  for (const word of words) {
    const inHeading = rank(entry.headingFolded || entry.titleFolded, word) * 8;
    const found = inHeading + rank(entry.titleFolded, word) * 4 + rank(entry.textFolded, word);
    if (!found) {
      return 0;
    }
    total += found;
  }
  return total;
}

function rank(text, word) {
  const at = text.indexOf(word);
  if (at < 0) {
    return 0;
  }
  return at === 0 || /[^a-z0-9]/.test(text[at - 1]) ? 2 : 1;
}

function find(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) {
    return [];
  }
  return entries
    .map((entry) => ({ entry, score: score(entry, words), words }))
    .filter((found) => found.score)
    .sort((a, b) => b.score - a.score)
    .slice(0, LONGEST);
}

function excerpt(text, words) {
  const folded = text.toLowerCase();
  const first = Math.min(...words.map((word) => folded.indexOf(word)).filter((at) => at >= 0), text.length);
  const begin = first === text.length ? 0 : Math.max(0, text.lastIndexOf(" ", Math.max(0, first - 40)) + 1);
  return (begin ? "… " : "") + text.slice(begin, begin + 140) + (begin + 140 < text.length ? " …" : "");
}

function appendMarked(parent, text, words) {
  const folded = text.toLowerCase();
  for (let at = 0; at < text.length;) {
    const [next, word] = words
      .map((each) => [folded.indexOf(each, at), each])
      .filter(([each]) => each >= 0)
      .sort((a, b) => a[0] - b[0])[0] || [text.length, ""];
    parent.append(text.slice(at, next));
    if (word) {
      const mark = document.createElement("mark");
      mark.textContent = text.slice(next, next + word.length);
      parent.append(mark);
    }
    at = next + word.length;
  }
}

function showResults(list, query) {
  const results = find(query);
  list.replaceChildren(
    ...results.map(({ entry, words }) => {
      const link = document.createElement("a");
      link.href = root + entry.address;
      const title = document.createElement("b");
      title.textContent = entry.title;
      const detail = document.createElement("small");
      appendMarked(detail, excerpt(entry.text, words), words);
      link.append(title, entry.heading ? " › " + entry.heading : "", detail);
      const item = document.createElement("li");
      item.append(link);
      return item;
    }));
  if (!results.length) {
    const none = document.createElement("li");
    none.className = "none";
    none.textContent = "No page contains all of these words.";
    list.append(none);
  }
  list.hidden = !query.trim();
}

function addSearch() {
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "Search ( / )";
  input.setAttribute("aria-label", "Search");
  const list = document.createElement("ul");
  list.hidden = true;
  document.getElementById("search").append(input, list);
  const update = () => loadIndex(() => showResults(list, input.value));
  input.addEventListener("input", update);
  input.addEventListener("focus", () => loadIndex(() => {}));
  input.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.findIndex((link) => link.classList.contains("chosen"));
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = event.key === "ArrowDown" ? Math.min(at + 1, links.length - 1) : Math.max(at - 1, 0);
      links.forEach((link, i) => link.classList.toggle("chosen", i === next));
      links[next]?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && links.length) {
      links[Math.max(at, 0)].click();
      list.hidden = true;
    } else if (event.key === "Escape") {
      list.hidden = true;
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#search") || event.target.closest("#search a")) {
      list.hidden = true;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    }
  });
}

function addHeadingLinks() {
  for (const heading of document.querySelectorAll("main h2[id], main h3[id]")) {
    const link = document.createElement("a");
    link.className = "anchor";
    link.href = "#" + heading.id;
    link.textContent = "#";
    link.setAttribute("aria-label", "Link to " + heading.textContent);
    heading.append(link);
  }
}

// Copies commands without the prompt, and without the output that follows a prompt.
function addCopyButtons() {
  for (const pre of document.querySelectorAll("main pre:not(:has(.language-text))")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const lines = pre.textContent.split("\n");
      const commands = lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
      await navigator.clipboard.writeText(commands.length ? commands.join("\n") : pre.textContent.trimEnd());
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    const frame = document.createElement("div");
    frame.className = "code";
    pre.replaceWith(frame);
    frame.append(pre, button);
  }
}

addSearch();
addHeadingLinks();
if (navigator.clipboard) {
  addCopyButtons();
}
