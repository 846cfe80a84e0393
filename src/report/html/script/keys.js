// What can be done without a mouse.

const KEYS = [
  ['/', 'to the filter'], ['j or ↓', 'the next row'], ['k or ↑', 'the row before'], ['Enter', 'open or choose the row'],
  ['Esc', 'leave the filter, or go up'], ['[ and ]', 'the case before, the next case'], ['1 to 5', 'the parts of a case'],
  ['t', 'light or dark'], ['?', 'this help'],
];

function onKey(event) {
  const isCommand = event.ctrlKey || event.metaKey || event.altKey;
  if (event.defaultPrevented || isCommand || document.querySelector('dialog[open]')) return;
  const typing = event.target.matches('input, textarea, select');
  if (event.key === 'Escape') return leave(event, typing);
  if (typing && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const action = keyActions()[event.key];
  if (action && action() !== false) event.preventDefault();
}

function keyActions() {
  const actions = {
    '/': () => content.querySelector('[data-filter], input[type="search"]')?.focus(),
    j: () => moveRow(1), ArrowDown: () => moveRow(1),
    k: () => moveRow(-1), ArrowUp: () => moveRow(-1),
    t: changeTheme, '?': openHelp, '[': () => step(-1), ']': () => step(1),
  };
  Object.keys(VIEWS).forEach((view, index) => { actions[index + 1] = () => openView(view); });
  return actions;
}

function leave(event, typing) {
  if (typing) return event.target.blur();
  if (shown.case !== undefined) go({ run: shown.run });
  else if (shown.difference !== undefined) go({});
}

function openView(view) {
  if (shown.case === undefined) return false;
  go({ run: shown.run, case: shown.case, view });
}

function step(by) {
  const report = page.reports[shown.run ?? 0];
  if (shown.case === undefined || !report.cases[shown.case + by]) return false;
  go({ run: shown.run, case: shown.case + by, view: shown.view });
}

// Rows that open something, from the one that has the focus, or else from the first.
function moveRow(by) {
  const at = document.activeElement;
  const table = at?.closest('table[data-rows]') ?? content.querySelector('table[data-rows]');
  if (!table) return false;
  const rows = [...table.querySelectorAll('tbody tr[tabindex]')];
  if (rows.length === 0) return false;
  const from = rows.indexOf(at);
  const next = rows[Math.min(Math.max(from === -1 ? 0 : from + by, 0), rows.length - 1)];
  rows.forEach(row => row.setAttribute('tabindex', row === next ? '0' : '-1'));
  next.focus();
}

function help() {
  const keys = KEYS.map(([key, does]) => el('div', null, el('dt', null, el('kbd', null, key)), el('dd', null, does)));
  return el('dialog', { id: 'help', 'aria-label': 'Keys' }, el('h2', null, 'Keys'), el('dl', { class: 'keys' }, keys),
    el('form', { method: 'dialog' }, el('button', null, 'Close')));
}

function openHelp() {
  document.getElementById('help').showModal();
}

