"use strict";
for (const box of document.querySelectorAll(".rules input")) {
  const show = () => {
    for (const own of document.querySelectorAll(`[data-rule="${CSS.escape(box.value)}"]`)) {
      if (own.classList.contains("found")) own.classList.toggle("off", !box.checked);
      else own.hidden = !box.checked;
    }
  };
  box.addEventListener("change", show);
  show(); // a browser may remember what was ticked before
}
