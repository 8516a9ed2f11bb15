"use strict";
(() => {
  // What is shown stands in the address, such as #verdict=failed&class=core, so that a link leads to the same view.
  const form = () => document.getElementById("filter");
  const hash = () => location.hash.slice(1);
  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const inAddress = () => (hash().includes("=") ? new URLSearchParams(hash()) : null);
  const inForm = () => new URLSearchParams([...new FormData(form())].filter(([, value]) => value.trim()));
  const texts = new WeakMap();

  const text = (requirement) => {
    if (!texts.has(requirement)) texts.set(requirement, `${requirement.textContent} ${requirement.dataset.operations ?? ""}`.toLowerCase());
    return texts.get(requirement);
  };

  const fill = (wanted) => {
    for (const field of form().elements) {
      if (!field.name) continue;
      if (field.type === "checkbox") field.checked = wanted.getAll(field.name).includes(field.value);
      else field.value = wanted.get(field.name) ?? "";
      if (field.selectedIndex < 0) field.value = "";
    }
  };

  const filter = () => {
    const wanted = inForm();
    const verdicts = wanted.getAll("verdict");
    const words = (wanted.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const one = (name, values) => !wanted.get(name) || values.includes(wanted.get(name));
    const requirements = [...document.querySelectorAll(".requirement")];
    for (const each of requirements) {
      const { verdict, class: own, chapter, operations = "", kinds = "", change = "" } = each.dataset;
      each.hidden = !((!verdicts.length || verdicts.includes(verdict)) && one("class", [own]) && one("chapter", [chapter])
        && one("operation", operations.split("|")) && one("kind", kinds.split(" ")) && one("change", [change]) && words.every((word) => text(each).includes(word)));
    }
    const shown = requirements.filter((each) => !each.hidden).length;
    const narrowed = [...wanted].length > 0;
    for (const part of document.querySelectorAll(".chapter, .not-measured")) part.hidden = !part.querySelector(".requirement:not([hidden])");
    for (const folded of document.querySelectorAll(".not-measured")) folded.open = narrowed;
    form().querySelector("output").textContent = narrowed ? `${shown} of ${requirements.length} requirements` : `${requirements.length} requirements`;
    document.body.classList.toggle("filtered", narrowed);
  };

  const changed = () => {
    filter();
    const wanted = inForm().toString();
    if (wanted || inAddress()) history.replaceState(null, "", wanted ? `#${wanted}` : "#contract");
  };

  // A link shows what it leads to; a link to a requirement that was broken opens its evidence.
  const reveal = () => {
    if (inAddress()) {
      fill(inAddress());
      filter();
      form().scrollIntoView();
      return;
    }
    const target = document.getElementById(decoded(hash()));
    if (!target) return;
    if (target.closest("[hidden]")) {
      fill(new URLSearchParams());
      filter();
    }
    const own = target.matches(".requirement") && target.querySelector(":scope > .text > .evidence:not(.quiet)");
    if (own) own.open = true;
    for (let each = target.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
    target.scrollIntoView();
  };

  // The filters stay in sight, so what a link leads to has to come below them, however many rows they take.
  const measure = () => {
    const sticky = getComputedStyle(form()).position === "sticky";
    document.documentElement.style.setProperty("--bar", sticky ? `${form().offsetHeight + 8}px` : "1rem");
  };

  const evidence = (open) => {
    for (const each of document.querySelectorAll(".requirement:not([hidden]) > .text > .evidence:not(.quiet)")) each.open = open;
  };

  // What only a script can do is added by it: filters, links to filtered views, buttons that copy.
  const begin = () => {
    form().hidden = false;
    measure();
    if (inAddress()) fill(inAddress());
    filter();
    for (const kind of document.querySelectorAll("[data-kind]")) {
      const link = document.createElement("a");
      link.className = "only";
      link.href = `#kind=${kind.dataset.kind}`;
      link.textContent = "show only these";
      kind.append(link);
    }
    for (const pre of navigator.clipboard ? document.querySelectorAll(".curl pre, .command") : []) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "Copy";
      pre.after(button);
    }
  };

  const copy = async (button) => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  };

  const ofForm = (act) => (event) => event.target.closest("#filter") && act(event);
  document.addEventListener("input", ofForm(changed));
  document.addEventListener("change", ofForm(changed));
  document.addEventListener("submit", ofForm((event) => event.preventDefault()));
  document.addEventListener("reset", ofForm(() => setTimeout(changed)));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.matches(".copy")) copy(button);
    if (button?.dataset.do) evidence(button.dataset.do === "open");
  });
  addEventListener("hashchange", reveal);
  addEventListener("resize", measure);
  addEventListener("renewed", begin);
  addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "b" && document.getElementById("broken")) location.hash = "broken";
    if (event.key === "/") {
      event.preventDefault();
      form().elements.q.focus();
    }
  });
  begin();
  reveal();

  // What is at fault may stand far down in a body that scrolls.
  document.addEventListener("toggle", (event) => {
    for (const mark of event.target.open ? event.target.querySelectorAll("pre mark") : []) {
      const pre = mark.closest("pre");
      pre.scrollTop += mark.getBoundingClientRect().top - pre.getBoundingClientRect().top - pre.clientHeight / 3;
    }
  }, true);

  // Paper cannot be clicked: what was broken is printed with its evidence.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll(".requirement:not([hidden]) > .text > .evidence:not(.quiet):not([open])")];
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
})();
