"use strict";
// Finds rows of the table, and says that a verdict has lapsed since the page was written; the pages work without it.
for (const stamp of document.querySelectorAll("[data-lapses]")) {
  if (Number(stamp.dataset.lapses) * 1000 < Date.now()) stamp.hidden = false;
}
const find = document.getElementById("find");
if (find) {
  const show = document.getElementById("show");
  const rows = [...document.querySelectorAll(".matrix tbody tr")].map((row) => [row, row.cells[0].textContent.toLowerCase()]);
  const narrow = () => {
    let left = 0;
    for (const [row, text] of rows) {
      row.hidden = !text.includes(find.value.trim().toLowerCase()) || (show.value !== "" && !row.classList.contains(show.value));
      left += row.hidden ? 0 : 1;
    }
    document.getElementById("found").textContent = `${left} of ${rows.length}`;
  };
  find.closest(".tools").hidden = false;
  find.addEventListener("input", narrow);
  show.addEventListener("input", narrow);
}
