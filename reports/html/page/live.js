// While a run goes on, the page renews itself: what is new comes in, and what the reader has opened, found and marked stays.
(() => {
  const RENEWED = [".masthead", ".contents", "main"];
  const told = document.getElementById("live");
  const nameOf = (details) => {
    const within = details.closest("[id]");
    return `${within.id} ${[...within.querySelectorAll("details")].indexOf(details)}`;
  };

  const renew = async () => {
    // The style of this page is good for the next one, and the policy would refuse another.
    const text = (await (await fetch("/", { cache: "no-store" })).text()).replace(/<style>[^]*?<\/style>/, "");
    const next = new DOMParser().parseFromString(text, "text/html");
    const open = new Set([...document.querySelectorAll("main details[open]:not(.not-measured)")].map(nameOf));
    const top = [...document.querySelectorAll("main [id]")].find((each) => each.getBoundingClientRect().bottom > 0 && each.offsetParent);
    const before = top?.getBoundingClientRect().top;
    const focused = document.activeElement;
    const [form, link] = [focused?.closest("#filter"), focused?.getAttribute("href")];
    if (form) next.getElementById("filter").replaceWith(form);
    for (const part of RENEWED) document.querySelector(part).replaceWith(next.querySelector(part));
    document.title = next.title;
    document.body.className = next.body.className;
    for (const details of document.querySelectorAll("main details")) if (open.has(nameOf(details))) details.open = true;
    dispatchEvent(new Event("renewed"));
    const same = top && document.getElementById(top.id);
    if (same && scrollY > 0) scrollBy(0, same.getBoundingClientRect().top - before);
    if (form) focused.focus({ preventScroll: true });
    else if (link) [...document.querySelectorAll("a")].find((each) => each.getAttribute("href") === link)?.focus({ preventScroll: true });
    return next.getElementById("live").dataset;
  };

  const follow = async () => {
    let { state, ended } = told.dataset;
    try {
      while (ended === undefined) {
        const { state: now } = await (await fetch(`/changed?${state}`, { cache: "no-store" })).json();
        if (now !== state) ({ state, ended } = await renew());
      }
      told.textContent = "The run has ended; this is its report. Nothing serves this page any more: it stays as long as it is open.";
    } catch {
      told.textContent = "The run no longer answers; this page keeps what it has. The finished report is in the report folder.";
    }
    told.dataset.ended = "";
  };
  follow();
})();
