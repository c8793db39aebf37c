"use strict";
// Searches and sorts the table of tasks.
(() => {
  const body = document.querySelector("#tasks tbody");
  const rows = [...body.rows];
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) count += 1;
    }
    shown.textContent = `${count} of ${rows.length} tasks`;
  }
  search.addEventListener("input", filter);
  document.querySelectorAll("#tasks thead th").forEach((heading, column) => {
    let direction = -1;
    heading.addEventListener("click", () => {
      direction = -direction;
      const value = (row) => row.cells[column].textContent;
      const compare = (one, other) => {
        const [a, b] = [Number.parseFloat(value(one)), Number.parseFloat(value(other))];
        const both = Number.isNaN(a) || Number.isNaN(b);
        return direction * (both ? value(one).localeCompare(value(other)) : a - b);
      };
      body.append(...[...rows].sort(compare));
    });
  });
  filter();
})();
