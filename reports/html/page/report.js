"use strict";
(() => {
  const form = document.getElementById("filter");
  const chosen = () => [...form.querySelectorAll("[name=verdict]:checked")].map((box) => box.value);
  const shownCount = form.querySelector("output");
  const requirements = [...document.querySelectorAll(".requirement")];
  const chapters = [...document.querySelectorAll(".chapter")];
  const all = requirements.length;

  const filter = () => {
    const verdicts = chosen();
    const kind = form.elements.class.value;
    for (const each of requirements) {
      const { verdict, class: own } = each.dataset;
      each.hidden = (verdicts.length && !verdicts.includes(verdict)) || (kind && own !== kind);
    }
    for (const chapter of chapters) chapter.hidden = !chapter.querySelector(".requirement:not([hidden])");
    const shown = requirements.filter((each) => !each.hidden).length;
    shownCount.textContent = shown === all ? `${all} requirements` : `${shown} of ${all} requirements`;
    document.body.classList.toggle("filtered", shown !== all);
  };

  // A link shows what it leads to; a link to a requirement that was broken opens its evidence.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) {
      form.reset();
      filter();
      target.scrollIntoView();
    }
    const own = target.matches(".requirement") && target.querySelector(":scope > .text > .evidence:not(.quiet)");
    if (own) own.open = true;
    for (let each = target.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
  };

  const evidence = (open) => {
    for (const each of document.querySelectorAll(".requirement:not([hidden]) > .text > .evidence:not(.quiet)")) each.open = open;
  };

  form.hidden = false;
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  form.querySelector("[data-do=open]").addEventListener("click", () => evidence(true));
  form.querySelector("[data-do=close]").addEventListener("click", () => evidence(false));
  addEventListener("hashchange", reveal);
  addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key === "b" && !typing && document.getElementById("broken")) location.hash = "broken";
  });
  filter();
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

  for (const pre of navigator.clipboard ? document.querySelectorAll(".curl pre, .command") : []) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pre.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    pre.after(button);
  }
})();
