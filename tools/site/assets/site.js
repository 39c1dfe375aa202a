/* What the theme builds in the browser and not everybody could use: the button that copies a block of code stands in a
   <nav> without a name, and a wide table scrolls only by mouse. */
const mend = () => {
  document.querySelectorAll("nav.md-code__nav").forEach((nav) => nav.setAttribute("role", "none"));
  document.querySelectorAll(".md-typeset__scrollwrap").forEach((table) => table.setAttribute("tabindex", "0"));
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
mend();
