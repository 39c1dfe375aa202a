// Small comforts; every page works without them.
for (const field of document.querySelectorAll("[data-select]")) {
  field.addEventListener("focus", () => field.select());
}
for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("input").value);
    button.textContent = "Copied";
  });
}
