// The page's frame: what the address says is what is shown, so that going back works and a link leads to what was seen.

let page;
let content;
let shown = {};
let showChoice = null;
const scrolled = new Map();

function main() {
  page = readData();
  useColors(page.colors);
  content = el('main', { id: 'content', tabindex: '-1' });
  document.getElementById('app').replaceChildren(topBar(), content, help());
  useTheme(rememberedTheme());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => useTheme(null));
  addEventListener('hashchange', show);
  addEventListener('keydown', onKey);
  history.scrollRestoration = 'manual';
  show();
}

function hashOf(state) {
  const known = Object.entries(state).filter(([, value]) => value !== undefined && value !== null);
  return `#${new URLSearchParams(known)}`;
}

// What an address says, without what the page does not have: the address may be another page's, or be written by hand.
function stateOf(hash) {
  const said = new URLSearchParams(hash.slice(1));
  const place = (name, list) => {
    const text = said.get(name) ?? '';
    return /^\d+$/.test(text) && Number(text) < list.length ? Number(text) : undefined;
  };
  const word = (name, words) => (Object.hasOwn(words, said.get(name)) ? said.get(name) : undefined);
  const run = place('run', page.reports);
  if (page.difference && run === undefined) return { difference: place('difference', page.difference.changed) };
  const report = page.reports[run ?? 0];
  const index = place('case', report.cases);
  if (index === undefined) return { run };
  const { types, sites } = report.cases[index];
  return {
    run, case: index, view: word('view', VIEWS), list: word('list', LISTS),
    type: place('type', types), site: place('site', sites), frame: report.frames[place('frame', report.frames)]?.first,
  };
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
  content.focus({ preventScroll: true });
  scrollTo(0, isOverview(state) ? scrolled.get(JSON.stringify(state)) ?? 0 : 0);
}

// Whether only another type, site or function of the same case is chosen.
function samePlace(one, other) {
  return ['run', 'case', 'view', 'difference'].every(name => one[name] === other[name]);
}

function isOverview(state) {
  return state.case === undefined && state.difference === undefined;
}

function entitle(...names) {
  document.title = [...names, page.reports.at(-1).profile, 'alloclab'].filter(Boolean).join(' · ');
}

function draw(state) {
  entitle();
  if (page.difference && state.run === undefined) return drawChanges(state);
  const report = page.reports[state.run ?? 0];
  const kase = report.cases[state.case];
  if (kase) drawCase(report, kase, state);
  else drawOverview(report, state);
}

function drawChanges(state) {
  if (state.difference !== undefined) return drawDifference(content, page, state);
  const { title, profile } = page.reports[1];
  content.append(el('h1', { dir: 'auto' }, `What differs: ${title || profile || 'two runs'}`));
  drawDifferences(content, page);
}

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
