"use strict";
// Moves, zooms and folds the drawing, and shows the details of the state that is clicked. All texts of states are put in as
// text, never as markup.
(() => {
  const stage = document.getElementById("stage");
  const picture = document.getElementById("picture");
  const panel = document.getElementById("details");
  const states = new Map();
  for (const details of JSON.parse(document.getElementById("states").textContent)) {
    states.set(details.state, { ...details, children: [] });
  }
  for (const details of states.values()) {
    states.get(details.parent)?.children.push(details.state);
  }
  const boxes = new Map();
  for (const box of picture.querySelectorAll(".state")) {
    boxes.set(Number(box.dataset.state), box);
  }
  const edges = [...picture.querySelectorAll(".edge, .cover")];

  // ---- The view: which part of the drawing is seen, as the drawing's own viewBox.

  const whole = { width: picture.viewBox.baseVal.width, height: picture.viewBox.baseVal.height };
  const view = { x: 0, y: 0, scale: 1 };

  function show() {
    const width = stage.clientWidth / view.scale;
    const height = stage.clientHeight / view.scale;
    picture.setAttribute("viewBox", `${view.x} ${view.y} ${width} ${height}`);
  }

  function fit(smallest) {
    const margin = 40;
    const scale = Math.min(stage.clientWidth / (whole.width + margin), stage.clientHeight / (whole.height + margin), 1);
    view.scale = Math.max(scale, smallest);
    // Too large to be seen at once: begin at the root, which stands at the top.
    const root = boxes.get(0)?.getBBox();
    const middle = scale < smallest && root
      ? boxes.get(0).transform.baseVal.getItem(0).matrix.e + root.width / 2
      : whole.width / 2;
    view.x = middle - stage.clientWidth / view.scale / 2;
    view.y = -margin / 2;
    show();
  }

  function zoom(factor, clientX, clientY) {
    const frame = stage.getBoundingClientRect();
    const x = (clientX ?? frame.left + frame.width / 2) - frame.left;
    const y = (clientY ?? frame.top + frame.height / 2) - frame.top;
    const scale = Math.min(Math.max(view.scale * factor, 0.02), 4);
    view.x += x / view.scale - x / scale;
    view.y += y / view.scale - y / scale;
    view.scale = scale;
    show();
  }

  function move(x, y) {
    view.x += x / view.scale;
    view.y += y / view.scale;
    show();
  }

  let drag = null;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button === 0) drag = { x: event.clientX, y: event.clientY, moved: false };
  });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [x, y] = [drag.x - event.clientX, drag.y - event.clientY];
    if (!drag.moved && Math.hypot(x, y) < 4) return;
    stage.classList.add("moving");
    move(x, y);
    drag = { x: event.clientX, y: event.clientY, moved: true };
  });
  window.addEventListener("pointerup", (event) => {
    stage.classList.remove("moving");
    const clicked = drag && !drag.moved ? event.target.closest?.(".state") : null;
    drag = null;
    if (clicked) select(Number(clicked.dataset.state));
  });
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX, event.clientY);
  }, { passive: false });
  stage.addEventListener("dblclick", (event) => {
    const clicked = event.target.closest(".state");
    if (clicked) fold(Number(clicked.dataset.state));
  });
  stage.addEventListener("keydown", (event) => {
    const step = 80;
    const actions = {
      "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), "0": () => fit(0),
      ArrowLeft: () => move(-step, 0), ArrowRight: () => move(step, 0),
      ArrowUp: () => move(0, -step), ArrowDown: () => move(0, step),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  });
  document.getElementById("smaller").addEventListener("click", () => zoom(0.8));
  document.getElementById("larger").addEventListener("click", () => zoom(1.25));
  document.getElementById("fit").addEventListener("click", () => fit(0));
  document.getElementById("unfold").addEventListener("click", () => { folded.clear(); hide(); });
  window.addEventListener("resize", show);

  // ---- Folding.

  const folded = new Set();

  function fold(state) {
    if (!states.get(state)?.children.length) return;
    if (!folded.delete(state)) folded.add(state);
    hide();
  }

  function hide() {
    const hidden = new Set();
    // Parents come before their children, also in the map.
    for (const { state, parent } of states.values()) {
      if (folded.has(parent) || hidden.has(parent)) hidden.add(state);
    }
    for (const [state, box] of boxes) {
      box.classList.toggle("hidden", hidden.has(state));
      box.classList.toggle("folded", folded.has(state));
    }
    for (const edge of edges) {
      const ends = [edge.dataset.to, edge.dataset.by].filter((end) => end !== undefined).map(Number);
      edge.classList.toggle("hidden", ends.some((end) => hidden.has(end)));
    }
  }

  // ---- Details.

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function list(heading, items) {
    if (!items.length) return;
    const entries = element("ul");
    entries.append(...items.map(([text, className]) => element("li", text, className)));
    panel.append(element("h3", heading), entries);
  }

  function pathTo(state) {
    const path = [];
    for (let current = states.get(state); current; current = states.get(current.parent)) path.unshift(current);
    return path;
  }

  function select(state) {
    const details = states.get(state);
    if (!details) return;
    for (const [other, box] of boxes) box.classList.toggle("selected", other === state);
    const path = pathTo(state);
    const onPath = new Set(path.map((each) => String(each.state)));
    for (const edge of edges) {
      edge.classList.toggle("path", edge.classList.contains("edge") && onPath.has(edge.dataset.to));
    }
    panel.replaceChildren(element("h2", `State #${state}`));
    list("Goal", [[details.goal, "goal"]]);
    if (details.ended) list("How it ended", [[details.ended, "ending"]]);
    if (details.rule) list(details.line ? `The rule that led here, line ${details.line}` : "The rule that led here", [[details.rule]]);
    list("Added to the store", details.added.map((text) => [text]));
    const signs = { max: "max ", min: "min ", neutral: "  · " };
    list("Constraints of the loop header", (details.header ?? []).map(
      ({ constraint, mark }) => [signs[mark] + constraint, mark]));
    if (details.interpolant) list("Interpolant", [[details.interpolant, "interpolant"]]);
    list("Store, from the query to here", path.flatMap((each) => each.added.map((text) => [`#${each.state}  ${text}`])));
    if (details.children.length) {
      const button = element("button", folded.has(state) ? "Unfold what is below" : "Fold what is below");
      button.addEventListener("click", () => { fold(state); select(state); });
      panel.append(element("h3", "Subtree"), button);
    }
    panel.parentElement.scrollTop = 0;
  }

  fit(0.5);
})();
