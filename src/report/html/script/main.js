// The page's frame: what the address says is what is shown, so that going back works and a link leads to what was seen.

const VIEWS = { types: 'Types and sites', flame: 'Flame graph', heap: 'Live heap', sizes: 'Distributions', figures: 'All figures' };
const KEYS = [
  ['/', 'to the filter'], ['j or ↓', 'the next row'], ['k or ↑', 'the row before'], ['Enter', 'open or choose the row'],
  ['Esc', 'leave the filter, or go up'], ['[ and ]', 'the case before, the next case'], ['1 to 5', 'the parts of a case'],
  ['t', 'light or dark'], ['?', 'this help'],
];

let page;
let content;
let shown = {};
let showChoice = null;
const scrolled = new Map();

function main() {
  page = readData();
  content = el('main', { id: 'content', tabindex: '-1' });
  document.getElementById('app').replaceChildren(topBar(), content, help());
  document.title = `${page.reports.at(-1).profile || 'results'} · alloclab`;
  useTheme(rememberedTheme());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => useTheme(null));
  addEventListener('hashchange', show);
  addEventListener('keydown', onKey);
  history.scrollRestoration = 'manual';
  show();
}

// --- What the address says.

function hashOf(state) {
  const known = Object.entries(state).filter(([, value]) => value !== undefined && value !== null);
  return `#${new URLSearchParams(known)}`;
}

function stateOf(hash) {
  const numbers = ['run', 'case', 'type', 'site', 'frame', 'difference'];
  const state = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  for (const name of numbers) {
    if (name in state) state[name] = /^\d+$/.test(state[name]) ? Number(state[name]) : undefined;
  }
  return state;
}

function go(state) {
  location.hash = hashOf(state);
}

function show() {
  const state = stateOf(location.hash);
  if (showChoice && samePlace(state, shown)) {
    shown = state;
    showChoice(state);
    return;
  }
  scrolled.set(JSON.stringify(shown), scrollY);
  shown = state;
  showChoice = null;
  content.replaceChildren();
  draw(state);
  markTabs(state);
  scrollTo(0, isOverview(state) ? scrolled.get(JSON.stringify(state)) ?? 0 : 0);
}

// Whether only another type, site or function of the same case is chosen.
function samePlace(one, other) {
  return ['run', 'case', 'view', 'difference'].every(name => one[name] === other[name]);
}

function isOverview(state) {
  return state.case === undefined && state.difference === undefined;
}

function draw(state) {
  if (page.difference && state.run === undefined) return drawChanges(state);
  const report = page.reports[state.run ?? 0] ?? page.reports[0];
  useColors(report);
  const kase = report.cases[state.case];
  if (kase) drawCase(report, kase, state);
  else drawOverview(report, state);
}

function drawChanges(state) {
  useColors(page.reports[1]);
  if (page.difference.changed[state.difference]) return drawDifference(content, page, state);
  content.append(el('h1', { dir: 'auto' }, `What differs: ${page.reports[1].title || page.reports[1].profile || 'two runs'}`));
  drawDifferences(content, page);
}

// --- The bar on top.

function topBar() {
  const report = page.reports.at(-1);
  const tabs = page.difference
    ? [['Difference', {}], ['Old run', { run: 0 }], ['New run', { run: 1 }]].map(([title, state]) => link(state, title))
    : [];
  return el('header', { class: 'top' },
    el('a', { class: 'brand', href: '#' }, 'alloclab'),
    el('span', { class: 'profile', dir: 'auto' }, report.profile),
    el('nav', { class: 'tabs', id: 'runs', 'aria-label': 'Runs' }, tabs),
    el('span', { class: 'tools' },
      el('button', { type: 'button', id: 'theme', onclick: changeTheme }, 'Dark'),
      el('button', { type: 'button', onclick: openHelp, 'aria-label': 'Help: keys' }, '?')));
}

function markTabs(state) {
  const current = page.difference ? (state.run === undefined ? 0 : state.run + 1) : null;
  [...document.querySelectorAll('#runs a')].forEach((tab, index) => {
    if (index === current) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  });
}

function help() {
  const keys = KEYS.map(([key, does]) => el('div', null, el('dt', null, el('kbd', null, key)), el('dd', null, does)));
  return el('dialog', { id: 'help', 'aria-label': 'Keys' }, el('h2', null, 'Keys'), el('dl', { class: 'keys' }, keys),
    el('form', { method: 'dialog' }, el('button', null, 'Close')));
}

function openHelp() {
  document.getElementById('help').showModal();
}

// --- Light and dark.

function rememberedTheme() {
  try {
    return localStorage.getItem('alloclab-theme');
  } catch {
    return null;
  }
}

function useTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  document.getElementById('theme').textContent = isDark() ? 'Light' : 'Dark';
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function changeTheme() {
  const theme = isDark() ? 'light' : 'dark';
  useTheme(theme);
  try {
    localStorage.setItem('alloclab-theme', theme);
  } catch {
    // A page from a file may have no storage; then the theme lasts as long as the page.
  }
}

// --- All cases.

function drawOverview(report, state) {
  content.append(el('h1', { dir: 'auto' }, report.title || report.profile || 'Results'));
  if (report.finding) content.append(el('p', { class: 'finding', dir: 'auto' }, sentence(report.finding)));
  content.append(notes(report));
  if (report.cases.length === 0) {
    content.append(el('p', { class: 'hint' }, 'No case was measured.'));
    return;
  }
  content.append(...drawCases(report, { run: state.run }), environment(report));
}

function notes(report) {
  const [setting, trust, ...rest] = report.notes;
  const lines = rest.filter(line => line !== report.seeAlso);
  const warnings = lines.length ? el('ul', { class: 'warnings' }, lines.map(line => el('li', { dir: 'auto' }, sentence(line)))) : null;
  return el('div', { class: 'notes' }, el('p', { class: 'muted' }, setting, el('br'), trust), warnings,
    report.seeAlso ? el('p', { class: 'muted', dir: 'auto' }, sentence(report.seeAlso)) : null);
}

function environment(report) {
  const rows = Object.entries(report.environment).map(([name, value]) => [words(name), shownValue(value)]);
  return el('details', { class: 'environment' }, el('summary', null, 'Where and how it ran'), facts(rows));
}

function words(name) {
  const text = name.replace(/_/g, ' ');
  return text[0].toUpperCase() + text.slice(1);
}

function shownValue(value) {
  if (Array.isArray(value)) return value.length ? value.join(', ') : 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? formatCount(value) : value;
}

// --- One case.

function drawCase(report, kase, state) {
  const view = VIEWS[state.view] ? state.view : 'types';
  const place = el('div', { class: `view ${view}` });
  fill(content, crumbs(report, kase, state), el('h2', { dir: 'auto' }, kase.label), headline(kase), caseNotes(kase), viewTabs(state, view), place);
  const drawings = {
    types: () => { showChoice = drawBreakdown(place, report, kase, state); },
    flame: () => drawFlame(place, report, kase, { choose: frame => go({ run: state.run, case: kase.index, list: 'functions', frame }) }),
    heap: () => drawHeap(place, report, kase),
    sizes: () => drawHistograms(place, report, kase),
    figures: () => drawFigures(place, kase),
  };
  drawings[view]();
}

function crumbs(report, kase, state) {
  const to = (index, text, title) => (report.cases[index]
    ? el('a', { href: hashOf({ run: state.run, case: index, view: state.view }), title: report.cases[index].label, 'aria-label': title }, text)
    : el('span', { class: 'muted' }, text));
  return el('p', { class: 'crumbs' }, link({ run: state.run }, '← All cases'),
    el('span', { class: 'steps' }, to(kase.index - 1, '‹ before', 'The case before'), to(kase.index + 1, 'next ›', 'The next case')));
}

function viewTabs(state, current) {
  const tabs = Object.entries(VIEWS).map(([view, title]) => el('a', {
    href: hashOf({ run: state.run, case: state.case, view }), 'aria-current': view === current ? 'true' : null,
  }, title));
  return el('nav', { class: 'tabs', 'aria-label': 'Parts of the case' }, tabs);
}

function headline(kase) {
  const figures = [
    ['Allocations', kase.allocationsPerOp, 'per op'],
    ['Reallocations', kase.reallocationsPerOp || null, 'per op'],
    ['Bytes', kase.bytesPerOp, 'B/op', [['published', kase.published?.allocatedBytes], ['.NET model', kase.modelledDotnetBytesPerOp]]],
    ['Mean time', kase.time?.meanNs, 'ns/op', [['published', kase.published?.meanNs]]],
    ['Peak live', kase.peakLiveBytes, kase.peakErrorBytes ? `B ± ${formatCount(kase.peakErrorBytes)}` : 'B'],
    ['Left alive', kase.leakedBytes || null, 'B'],
  ];
  return el('dl', { class: 'headline' }, figures.filter(([, value]) => value !== null && value !== undefined).map(figureCard));
}

function figureCard([title, value, unit, beside = []]) {
  const others = beside.filter(([, other]) => other !== null && other !== undefined);
  return el('div', null, el('dt', null, title),
    el('dd', { 'data-value': value, title: String(value) }, formatCount(value), ' ', el('small', null, unit)),
    others.map(([name, other]) => el('dd', { class: 'beside', title: String(other) }, `${name} ${formatCount(other)}`)));
}

function caseNotes(kase) {
  const lines = [
    kase.torn ? 'The window closed before a thread answered: its last event may be missing.' : null,
    kase.untypedShare > 0 ? `${formatPercent(100 * kase.untypedShare)} % of allocations and reallocations have no type.` : null,
    kase.totals.failed > 0 ? `${plural(kase.totals.failed, 'call')} of the allocator ${kase.totals.failed === 1 ? 'was' : 'were'} answered with null.` : null,
    kase.parallel ? 'Threads do the operation together: what it allocates depends on how they meet.' : null,
  ].filter(Boolean);
  return lines.length ? el('ul', { class: 'warnings' }, lines.map(line => el('li', null, line))) : null;
}

// Every figure that the file has of the case itself, by the file's own names.
function drawFigures(element, kase) {
  const groups = new Map([['Case', []]]);
  for (const [name, value] of Object.entries(kase.raw)) {
    if (Array.isArray(value) || name === 'label') continue;
    if (value !== null && typeof value === 'object') groups.set(words(name), Object.entries(value));
    else groups.get('Case').push([name, value]);
  }
  const rows = fields => fields.map(([name, value]) => [words(name), value === null ? NONE : shownValue(value)]);
  element.append(el('div', { class: 'groups' }, [...groups].map(([title, fields]) => section(title, facts(rows(fields))))),
    kase.references.map(reference => section(`Types, according to ${reference.source}`, referenceTable(reference))));
}

function referenceTable(reference) {
  const columns = [
    { title: 'Type', figure: false, value: row => row.type, show: row => nameOf(row.type, 60) },
    figureColumn('Allocations', 'per op', row => row.allocations_per_op),
    figureColumn('Bytes', 'B/op', row => row.bytes_per_op),
  ];
  return sortedTable(columns, reference.types, { caption: `Types, according to ${reference.source}` });
}

// --- Keys.

function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
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

