// Who was allocated and who allocates, both ways: a type leads to its sites, a site to its type, a function to all below it.

const LISTS = { types: 'Types', sites: 'Sites', functions: 'Functions' };

function drawBreakdown(element, report, kase, state) {
  const list = el('div', { class: 'list' });
  const detail = el('div', { class: 'detail', 'aria-live': 'polite' });
  element.replaceChildren(el('div', { class: 'split' }, list, detail));
  let drawn = null;
  let first = {};
  const show = next => {
    const name = listOf(next);
    if (drawn !== name) first = drawList(list, report, kase, next, name);
    drawn = name;
    // Where there is room beside the list, it is not left empty.
    const chosen = chosenKey(next) || detail.offsetTop > list.offsetTop ? next : { ...next, ...first };
    drawDetail(detail, report, kase, chosen);
    markChosen(list, chosenKey(chosen));
    // On a narrow page it stands below the list, out of sight.
    if (chosenKey(next) && detail.offsetTop > list.offsetTop) detail.scrollIntoView();
  };
  show(state);
  return show;
}

// Which list stands beside what is chosen.
function listOf(state) {
  return state.list ?? 'types';
}

function chosenKey(state) {
  return ['type', 'site', 'frame'].filter(kind => state[kind] !== undefined).map(kind => `${kind} ${state[kind]}`)[0];
}

// The place of a case, with something in it chosen.
function within(state, chosen) {
  return { run: state.run, case: state.case, list: state.list, ...chosen };
}

// Draws a list, and tells what its first row would choose.
function drawList(element, report, kase, state, name) {
  const tabs = Object.entries(LISTS).map(([list, title]) => el('a', {
    href: hashOf({ run: state.run, case: state.case, list }), 'aria-current': list === name ? 'true' : null,
  }, title));
  const makers = { types: typeList, sites: siteList, functions: functionList };
  const [rows, columns, words, key] = makers[name](report, kase);
  const chosenBy = row => Object.fromEntries([key(row)]);
  const table = sortedTable(columns, rows, {
    caption: LISTS[name], key: row => key(row).join(' '), empty: 'Nothing is allocated here.',
    open: row => go(within({ ...state, list: name }, chosenBy(row))),
  });
  const box = filterBox(`Filter ${name}`, '', text => table.firstChild.refill(rows.filter(row => hasWords(words(row), text))));
  element.replaceChildren(el('nav', { class: 'tabs small', 'aria-label': 'Lists' }, tabs), box, table);
  return rows.length ? chosenBy(rows[0]) : {};
}

function perOpColumns() {
  return [
    figureColumn('Allocs', 'per op', row => row.allocationsPerOp, 'Fresh blocks of one operation'),
    figureColumn('Bytes', 'B/op', row => row.bytesPerOp, 'Fresh bytes of one operation, and growth'),
    figureColumn('Share', '% of bytes', row => row.percent, "Share of the case's bytes", formatPercent),
  ];
}

function typeList(report, kase) {
  const columns = [
    { title: 'Type', figure: false, value: row => row.name, show: typeName },
    ...perOpColumns(),
    figureColumn('.NET', 'B/op', row => row.modelledDotnetBytesPerOp, "What the original's objects take in .NET"),
  ];
  const words = row => `${row.name} ${row.dotnet ?? ''}`;
  return [kase.types, knownColumns(columns, kase.types), words, row => ['type', row.index]];
}

function typeName(row) {
  const marks = [KINDS[row.kind], row.merged ? 'merged' : null].filter(Boolean);
  return el('span', { class: 'type' }, swatch(row.name), nameOf(row.name, 52),
    marks.map(mark => el('span', { class: 'mark', title: ABOUT_MARKS[mark] }, mark)));
}

const KINDS = { 'rust-only': 'Rust only', inline: 'inline', harness: 'harness', untyped: 'no type' };
const ABOUT_MARKS = {
  'Rust only': 'The original has no object for it',
  inline: 'An object of the original that is no block here',
  harness: "The harness's own blocks",
  'no type': 'Blocks whose type is not known',
  merged: 'Only an address that several functions share told the type: the name lists all candidates',
};

function siteList(report, kase) {
  const columns = [
    { title: 'Site', figure: false, value: site => siteTitle(report, site), show: site => siteName(report, kase, site) },
    ...perOpColumns(),
  ];
  const words = site => site.stack.map(frame => frameText(report.frames[frame])).join(' ');
  return [kase.sites, columns, words, site => ['site', site.index]];
}

function siteTitle(report, site) {
  const frame = report.frames[site.stack[site.own ?? 0]];
  return frame ? frame.function : '(no stack)';
}

function siteName(report, kase, site) {
  const frame = report.frames[site.stack[site.own ?? 0]];
  const type = kase.types[site.type]?.name ?? '(no type)';
  return el('span', { class: 'type' }, swatch(type), nameOf(siteTitle(report, site), 48),
    el('span', { class: 'under', dir: 'auto', title: type }, shortName(`${type} at ${frame?.location ?? '(no place)'}`, 70)));
}

function frameText(frame) {
  return `${frame.function} ${frame.location ?? ''}`;
}

function functionList(report, kase) {
  const rows = functionsOf(report, kase);
  const columns = [
    {
      title: 'Function, with all that it calls', figure: false, value: row => row.name,
      show: row => el('span', { class: 'type' }, nameOf(row.name, 56)),
    },
    ...perOpColumns(),
  ];
  return [rows, columns, row => row.name, row => ['frame', row.frame]];
}

// Every function with what it and those below it allocate; a site counts once, however often the function calls itself.
function functionsOf(report, kase) {
  const functions = new Map();
  for (const site of kase.sites) {
    const met = new Set();
    for (const { first, function: name } of site.stack.map(frame => report.frames[frame])) {
      if (met.has(first)) continue;
      met.add(first);
      if (!functions.has(first)) functions.set(first, { name, frame: first, sites: [] });
      functions.get(first).sites.push(site);
    }
  }
  const rows = [...functions.values()].map(row => ({ ...row, ...sumOf(kase, row.sites) }));
  return rows.sort((one, other) => other.bytes - one.bytes);
}

function sumOf(kase, rows) {
  const sum = name => rows.reduce((total, row) => total + row[name], 0);
  const [allocations, reallocations, bytes] = ['allocations', 'reallocations', 'bytes'].map(sum);
  const all = kase.totals.allocatedBytes + kase.totals.grownBytes;
  return {
    allocations, reallocations, bytes,
    allocationsPerOp: allocations / kase.iterations,
    reallocationsPerOp: reallocations / kase.iterations,
    bytesPerOp: bytes / kase.iterations,
    percent: all ? (100 * bytes) / all : 0,
  };
}

function drawDetail(element, report, kase, state) {
  element.replaceChildren();
  fill(element, detailOf(report, kase, state));
}

function detailOf(report, kase, state) {
  if (kase.types[state.type]) return typeDetail(report, kase, kase.types[state.type], state);
  if (kase.sites[state.site]) return siteDetail(report, kase, kase.sites[state.site], state);
  if (report.frames[state.frame]) return functionDetail(report, kase, state);
  return el('p', { class: 'hint' }, 'Choose a type to see who allocates it, a site to see what it allocates, or a function to see '
    + 'all that is allocated below it.');
}

function heading(kind, name, ...rest) {
  return el('header', { class: 'chosen' }, el('p', { class: 'kind' }, kind), el('h3', { dir: 'auto' }, ...rest, name));
}

function countFacts(row) {
  return [
    ['Allocations', formatCount(row.allocations)],
    ['Reallocations', formatCount(row.reallocations)],
    ['Bytes', formatBytes(row.bytes)],
    ['Allocations per op', formatCount(row.allocationsPerOp)],
    ['Bytes per op', formatBytes(row.bytesPerOp)],
    ['Share of bytes', `${formatPercent(row.percent)} %`],
  ];
}

function typeDetail(report, kase, type, state) {
  const sites = type.sites.map(index => kase.sites[index]).filter(Boolean);
  return [
    heading('Type', type.name, swatch(type.name)),
    facts([
      ...countFacts(type),
      ['.NET model per op', type.modelledDotnetBytesPerOp === null ? null : formatBytes(type.modelledDotnetBytesPerOp)],
      ['Alive at the end', formatBytes(sites.reduce((sum, site) => sum + site.liveBytes, 0))],
    ]),
    facts([['In .NET', type.dotnet], ['Full name', type.path]]),
    blockTypes(type),
    section(`Allocated by ${plural(sites.length, 'site')}`, siteCards(report, kase, sites, state)),
  ];
}

function blockTypes(type) {
  if (type.blockTypes.length === 0) return null;
  const columns = [
    { title: 'Type of the block', figure: false, value: row => row.name, show: row => nameOf(row.name, 48) },
    figureColumn('Allocations', 'window', row => row.allocations),
    figureColumn('Reallocations', 'window', row => row.reallocations),
    figureColumn('Bytes', 'B', row => row.bytes),
  ];
  return section('Blocks that it owns', sortedTable(columns, type.blockTypes, { caption: 'Block types' }));
}

const CARDS_AT_ONCE = 20;

// Sites, each with its stack behind it; the first one is open.
function siteCards(report, kase, sites, state) {
  const box = el('div', { class: 'cards' });
  const add = (from, to) => {
    box.append(...sites.slice(from, to).map((site, index) => siteCard(report, kase, site, state, from + index === 0)));
  };
  add(0, CARDS_AT_ONCE);
  if (sites.length > CARDS_AT_ONCE) {
    const showAll = event => {
      event.target.remove();
      add(CARDS_AT_ONCE);
    };
    const words = `Show ${plural(sites.length - CARDS_AT_ONCE, 'more site')}`;
    return [box, el('button', { type: 'button', class: 'plain', onclick: showAll }, words)];
  }
  return box;
}

function siteCard(report, kase, site, state, isOpen) {
  const frame = report.frames[site.stack[site.own ?? 0]];
  const [allocations, bytes] = [site.allocationsPerOp, site.bytesPerOp].map(formatCount);
  const figures = `${allocations} allocs/op · ${bytes} B/op · ${formatPercent(site.percent)} %`;
  const card = el('details', { open: isOpen },
    el('summary', null, nameOf(siteTitle(report, site), 60),
      el('span', { class: 'under', dir: 'auto' }, frame?.location ?? ''),
      el('span', { class: 'figures' }, figures)));
  const open = () => {
    if (card.open && card.childElementCount === 1) {
      card.append(stackList(report, site, state), el('p', null, link(within(state, { site: site.index }), 'All of this site')));
    }
  };
  card.addEventListener('toggle', open);
  open();
  return card;
}

// A stack, innermost first; what stands inside of the program's first function is set back.
function stackList(report, site, state) {
  const rows = site.stack.map((index, place) => {
    const frame = report.frames[index];
    const name = el('a', { href: hashOf(within(state, { frame: index })), dir: 'auto' }, frame.function);
    return el('li', { class: place < (site.own ?? 0) ? 'library' : null }, name,
      el('span', { class: 'under', dir: 'auto' }, frame.location ?? '(no place)'));
  });
  const rest = site.truncated ? el('li', { class: 'library' }, '… the stack went on beyond what was recorded') : null;
  return rows.length ? el('ol', { class: 'stack' }, rows, rest) : el('p', { class: 'hint' }, 'No stack was recorded.');
}

function siteDetail(report, kase, site, state) {
  const type = kase.types[site.type];
  return [
    heading('Site', siteTitle(report, site)),
    facts([
      ...countFacts(site),
      ['At the peak', `${formatBytes(site.peakBytes)} in ${plural(site.peakBlocks, 'block')}`],
      ['Alive at the end', `${formatBytes(site.liveBytes)} in ${plural(site.liveBlocks, 'block')}`],
      ['Mean lifetime', plural(site.meanLifetime, 'allocation')],
      ['Sum of lifetimes', plural(site.lifetimeSum, 'allocation')],
    ]),
    section('Allocates', el('p', { class: 'choice' }, type ? typeLink(type, state) : '(no type)'),
      facts([['Type of the block', site.block], ['Label', site.label]])),
    section('Called by, innermost first', stackList(report, site, state)),
  ];
}

function typeLink(type, state) {
  return [swatch(type.name), el('a', { href: hashOf(within(state, { type: type.index })), dir: 'auto' }, type.name)];
}

function functionDetail(report, kase, state) {
  const isIt = frame => report.frames[frame].first === state.frame;
  const sites = kase.sites.filter(site => site.stack.some(isIt));
  const frames = sites.flatMap(site => site.stack.filter(isIt));
  const places = new Set(frames.map(frame => report.frames[frame].location ?? '(no place)'));
  return [
    heading('Function, with all that it calls', report.frames[state.frame].function),
    facts([...countFacts(sumOf(kase, sites)), ['Sites', formatCount(sites.length)]]),
    facts([['Calls stand at', [...places].slice(0, 12).join(', ') + (places.size > 12 ? ' …' : '')]]),
    section('Allocates, by type', typesBelow(kase, sites, state)),
    section('Sites below it', siteCards(report, kase, sites, state)),
  ];
}

function typesBelow(kase, sites, state) {
  const byType = Map.groupBy(sites, site => site.type);
  const known = [...byType].filter(([type]) => kase.types[type]);
  const rows = known.map(([type, some]) => ({ type: kase.types[type], ...sumOf(kase, some) }));
  const columns = [
    {
      title: 'Type', figure: false, value: row => row.type.name,
      show: row => el('span', { class: 'type' }, typeLink(row.type, state)),
    },
    ...perOpColumns(),
  ];
  return sortedTable(columns, rows.sort((one, other) => other.bytes - one.bytes), { caption: 'Types below the function' });
}

