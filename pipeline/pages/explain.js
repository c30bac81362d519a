"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const parts = [...document.querySelectorAll("main > section")];
  const [back, next, place, where, list] = ["back", "next", "place", "where", "list"].map(byId);
  let now = 0;
  const items = parts.map((part, index) => {
    const item = document.createElement("li");
    const title = document.createElement("b");
    const heading = part.querySelector("h2");
    const text = part.querySelector("p")?.textContent ?? "";
    const name = heading.textContent.replace(/^\S+\s/, "");
    const repeats = text.toLowerCase().startsWith(name.toLowerCase());
    title.textContent = repeats ? heading.querySelector("span").textContent : heading.textContent;
    item.append(title, " ", text);
    item.onclick = () => show(index);
    list.append(item);
    return item;
  });
  const show = (number) => {
    now = Math.min(Math.max(number, 0), parts.length - 1);
    parts.forEach((part, index) => part.classList.toggle("now", index === now));
    items.forEach((item, index) => item.classList.toggle("now", index === now));
    list.scrollTop = items[now].offsetTop - list.clientHeight / 2;
    place.value = now;
    where.value = `${now + 1} of ${parts.length}`;
    back.disabled = now === 0;
    next.disabled = now === parts.length - 1;
    history.replaceState(null, "", `#${now + 1}`);
  };
  const keys = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  document.documentElement.classList.add("js");
  document.querySelector("nav").hidden = list.hidden = false;
  place.max = parts.length - 1;
  back.onclick = () => show(now - 1);
  next.onclick = () => show(now + 1);
  place.oninput = () => show(Number(place.value));
  document.addEventListener("keydown", (event) => {
    if (event.key in keys && event.target !== place) {
      event.preventDefault();
      show(now + keys[event.key]);
    }
  });
  show(Number(location.hash.slice(1)) - 1 || 0);
})();
