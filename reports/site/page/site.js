"use strict";
// Narrows the table, and says that a verdict has lapsed since the page was written; the pages work without it.
for (const stamp of document.querySelectorAll("[data-lapses]")) {
  if (Number(stamp.dataset.lapses) * 1000 < Date.now()) stamp.hidden = false;
}
const form = document.getElementById("tools");
if (form) {
  const WORDS = { f: "failed", w: "warned", p: "passed" };
  const table = document.querySelector(".matrix table");
  const ids = table.dataset.ids.split(" ");
  const heads = [...table.querySelectorAll("thead .turned")];
  const groups = [...table.querySelectorAll("thead .group")];
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, name: row.cells[0].textContent.toLowerCase(), told: null }));
  // What is shown stands in the address, such as #requirement=LEAD-02&verdict=failed.
  const inForm = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim()));
  const inAddress = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");

  const showColumns = (kind) => {
    const only = heads.findIndex((head) => head.dataset.kind === "class" && head.dataset.name === kind);
    heads.forEach((head, place) => (head.hidden = only >= 0 && place !== only));
    for (const group of groups) {
      group.hidden = only >= 0 && group.dataset.kind !== "class";
      group.colSpan = only >= 0 ? 1 : group.dataset.count;
    }
    for (const { row } of rows) [...row.querySelectorAll("td")].forEach((cell, place) => (cell.hidden = only >= 0 && place !== only));
    return only;
  };

  const narrow = () => {
    const wanted = Object.fromEntries(inForm());
    const place = ids.indexOf((wanted.requirement ?? "").trim().toUpperCase());
    const column = showColumns(wanted.class ?? "");
    let left = 0;
    for (const each of rows) {
      const { row, name } = each;
      const cell = row.querySelectorAll("td")[column];
      const word = place >= 0 ? WORDS[row.dataset.known[place]] ?? "missing" : cell?.className ?? "";
      row.hidden = !name.includes((wanted.find ?? "").trim().toLowerCase()) || (wanted.show && !row.classList.contains(wanted.show))
        || (wanted.day && row.dataset.day !== wanted.day) || cell?.className === "none" || (wanted.verdict && word !== wanted.verdict)
        || (wanted.requirement && place < 0);
      left += row.hidden ? 0 : 1;
      each.told?.remove();
      each.told = null;
      if (place >= 0) {
        each.told = row.cells[0].appendChild(document.createElement("small"));
        each.told.textContent = `${ids[place]}: ${word === "missing" ? "not judged" : word}`;
      }
    }
    document.getElementById("found").textContent = `${left} of ${rows.length}`;
  };

  const fill = () => {
    for (const field of form.elements) {
      if (field.name) field.value = inAddress().get(field.name) ?? "";
      if (field.selectedIndex < 0) field.value = "";
    }
    narrow();
  };

  const changed = () => {
    narrow();
    const wanted = inForm().toString();
    history.replaceState(null, "", wanted ? `#${wanted}` : location.pathname);
  };

  form.hidden = false;
  form.addEventListener("input", changed);
  form.addEventListener("reset", () => setTimeout(changed));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", fill);
  fill();
}
