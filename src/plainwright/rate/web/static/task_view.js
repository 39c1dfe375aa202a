// How the page looks, by choice of the rater; kept in this browser.

import { byId, page } from "./task_page.js";

const PLACE = "plainwright-view/"; // in localStorage

function stored(name) {
  try {
    return localStorage.getItem(PLACE + name);
  } catch {
    return null;
  }
}

function store(name, isOn) {
  try {
    localStorage.setItem(PLACE + name, isOn ? "on" : "off");
  } catch {
    // It holds for this page.
  }
}

function show(name, isOn) {
  page.toggleAttribute(`data-${name}`, isOn);
  if (name === "compact") byId("compact").setAttribute("aria-pressed", isOn);
  else byId("show-deleted").checked = isOn;
}

/** Lets the rater change it, and starts with what was chosen before. */
export function changeView() {
  const choices = { compact: byId("compact"), deleted: byId("show-deleted") };
  for (const [name, control] of Object.entries(choices)) {
    if (!control) continue;
    const before = stored(name);
    show(name, before === null ? page.hasAttribute(`data-${name}`) : before === "on");
    control.addEventListener("click", () => {
      const isOn = !page.hasAttribute(`data-${name}`);
      show(name, isOn);
      store(name, isOn);
    });
  }
}
