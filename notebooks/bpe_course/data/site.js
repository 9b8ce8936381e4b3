// Shows the sections that hold all words of the search, those with a word in their heading first.
const box = document.getElementById("search");
const found = document.getElementById("found");
const MOST = 20;

function rank([, page, heading, text], wanted) {
  const title = (page + " " + heading).toLowerCase();
  const all = title + " " + text.toLowerCase();
  if (!wanted.every((word) => all.includes(word))) return -1;
  return wanted.filter((word) => title.includes(word)).length;
}

function entry([where, page, heading, text], word) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = where;
  link.textContent = heading ? page + ": " + heading : page;
  const line = document.createElement("p");
  const place = Math.max(0, text.toLowerCase().indexOf(word) - 60);
  line.textContent = (place ? "… " : "") + text.slice(place, place + 180) + " …";
  item.append(link, line);
  return item;
}

box.addEventListener("input", () => {
  const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = INDEX.map((section) => [rank(section, wanted), section]).filter(([points]) => points >= 0);
  ranked.sort((a, b) => b[0] - a[0]);
  const items = ranked.slice(0, MOST).map(([, section]) => entry(section, wanted[0]));
  if (!items.length) items.push(document.createTextNode("Nothing holds all of these words."));
  found.replaceChildren(...items);
  found.hidden = !wanted.length;
});

found.addEventListener("click", (event) => {
  if (event.target.closest("a")) found.hidden = true;
});
