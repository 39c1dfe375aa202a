/* What the theme builds in the browser and not everybody could use: the button that copies a block of code stands in a
   <nav> without a name, and a wide table or formula scrolls only by mouse. */
const mend = () => {
  document.querySelectorAll("nav.md-code__nav").forEach((nav) => nav.setAttribute("role", "none"));
  document
    .querySelectorAll(".md-typeset__scrollwrap, .md-typeset math[display=block]")
    .forEach((wide) => wide.setAttribute("tabindex", "0"));
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
mend();
