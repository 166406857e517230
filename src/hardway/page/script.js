// Copy buttons, search, playing a record; and where a server has the pages, running commands and looking again.
// Pages say everything without it.
"use strict";

function button(label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", () => act(made));
  return made;
}

function copyTo(text, made) {
  const said = (words) => {
    made.textContent = words;
    setTimeout(() => { made.textContent = "Copy"; }, 1500);
  };
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).then(() => said("Copied"), () => said("Not allowed"));
    return;
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  said(document.execCommand("copy") ? "Copied" : "Not allowed");
  area.remove();
}

function addCopyButtons() {
  for (const command of document.querySelectorAll("[data-command]")) {
    const made = button("Copy", (pressed) => copyTo(command.dataset.command, pressed));
    made.setAttribute("aria-label", `Copy: ${command.dataset.command}`);
    made.className = "copy";
    command.append(made);
  }
}

function addSearch() {
  const rows = [...document.querySelectorAll(".searched tbody tr, .searched > article, .row")];
  if (rows.length < 10) return;
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const box = document.createElement("div");
  box.className = "search";
  box.setAttribute("role", "search");
  const label = document.createElement("label");
  const input = document.createElement("input");
  const count = document.createElement("small");
  input.type = "search";
  input.id = "search";
  label.htmlFor = input.id;
  label.textContent = "Search this page";
  count.setAttribute("role", "status");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, index) => {
      row.hidden = !words.every((word) => texts[index].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    count.textContent = words.length ? `${shown} of ${rows.length}` : "";
  });
  box.append(label, input, count);
  document.querySelector("h1").after(box);
}

function addPlayer() {
  const list = document.querySelector(".events");
  if (!list) return;
  const events = [...list.children];
  const marks = [...document.querySelectorAll(".milestones li")];
  const steps = [...document.querySelectorAll(".lanes [data-at]")];
  const past = document.querySelector(".past");
  const tables = past ? [...past.querySelectorAll("[data-from]")] : [];
  const until = Number(events[events.length - 1].dataset.at);
  const slider = document.createElement("input");
  const said = document.createElement("output");
  Object.assign(slider, { type: "range", min: 0, max: Math.ceil(until), value: Math.ceil(until) });
  slider.setAttribute("aria-label", "Seconds since the run began");
  const show = () => {
    const now = Number(slider.value);
    const reached = new Set();
    events.forEach((event) => {
      event.hidden = Number(event.dataset.at) > now;
      if (!event.hidden) reached.add(event.dataset.reached);
    });
    marks.forEach((mark) => { mark.classList.toggle("quiet", !reached.has(mark.dataset.milestone)); });
    steps.forEach((step) => { step.classList.toggle("later", Number(step.dataset.at) > now); });
    if (past) past.hidden = now >= Number(slider.max);
    for (const table of tables) {
      table.hidden = now < Number(table.dataset.from) || now >= Number(table.dataset.until || Infinity);
    }
    said.textContent = `${Math.min(now, Math.floor(until))} s`;
  };
  let timer = 0;
  const play = button("Play", () => {
    if (timer) { clearInterval(timer); timer = 0; play.textContent = "Play"; return; }
    if (Number(slider.value) >= until) slider.value = 0;
    play.textContent = "Pause";
    timer = setInterval(() => {
      slider.value = Number(slider.value) + Math.max(1, until / 60);
      show();
      if (Number(slider.value) >= until) { clearInterval(timer); timer = 0; play.textContent = "Play"; }
    }, 250);
  });
  slider.addEventListener("input", show);
  const box = document.createElement("div");
  box.className = "player";
  box.append(play, slider, said);
  (past || list).before(box);
  show();
}

function addRunButtons() {
  for (const command of document.querySelectorAll("[data-run]")) {
    const made = button("Run", (pressed) => run(command, pressed));
    made.setAttribute("aria-label", `Run: ${command.dataset.command}`);
    made.className = "run";
    command.append(made);
  }
}

function resultOf(command) {
  const result = command.nextElementSibling?.classList.contains("result")
    ? command.nextElementSibling : document.createElement("div");
  result.className = "result";
  command.after(result);
  return result;
}

function show(result, said, when) {
  const title = document.createElement("strong");
  const printed = document.createElement("pre");
  title.textContent = `Printed ${when}, exit code ${said.code}`;
  printed.textContent = said.printed;
  printed.tabIndex = 0;
  result.replaceChildren(title, printed);
}

async function addLastResults() {
  const commands = [...document.querySelectorAll("[data-run]")];
  if (!commands.length) return;
  const answer = await fetch("/printed");
  if (!answer.ok) return;
  const kept = await answer.json();
  for (const command of commands) {
    const said = kept[command.dataset.command.split(/\s+/).filter(Boolean).join(" ")];
    if (said) show(resultOf(command), said, `on ${new Date(said.at).toLocaleString()}`);
  }
}

async function run(command, pressed) {
  const result = resultOf(command);
  result.setAttribute("role", "status");
  result.textContent = "Running";
  pressed.disabled = true;
  try {
    const headers = { "X-Hardway": "run", "Content-Type": "text/plain" };
    const answer = await fetch("/run", { method: "POST", headers, body: command.dataset.command });
    const said = answer.ok ? await answer.json() : { printed: await answer.text(), code: "none" };
    show(result, said, "now");
  } catch {
    result.textContent = "The server does not answer: start `hardway guide --web` again.";
  }
  pressed.disabled = false;
}

async function lookAgain() {
  if (lookAgain.busy) return;
  lookAgain.busy = true;
  try {
    await compare();
  } finally {
    lookAgain.busy = false;
  }
}

async function compare() {
  const slider = document.querySelector(".player input");
  if (document.hidden || (slider && Number(slider.value) < Number(slider.max))) return;
  const answer = await fetch(location.pathname);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  if (fresh.innerHTML === lookAgain.last) return;
  const first = lookAgain.last === undefined;
  lookAgain.last = fresh.innerHTML;
  if (first) return;
  document.querySelector("main").replaceChildren(...fresh.childNodes);
  enhance();
}

function enhance() {
  addCopyButtons();
  addSearch();
  addPlayer();
  if (!document.body.dataset.served) return;
  addRunButtons();
  addLastResults().catch(() => {});
}

enhance();
if (document.body.dataset.served && document.querySelector("[data-live]")) {
  setInterval(() => { lookAgain().catch(() => {}); }, 2000);
}
