// One case: its headline, and the parts that it is shown in.

const VIEWS = {
  types: 'Types and sites', flame: 'Flame graph', heap: 'Live heap', sizes: 'Distributions', figures: 'All figures',
};

function drawCase(report, kase, state) {
  const view = state.view ?? 'types';
  const place = el('div', { class: `view ${view}` });
  entitle(kase.label);
  const title = el('h2', { dir: 'auto' }, kase.label);
  fill(content, crumbs(report, kase, state), title, headline(kase), caseNotes(kase), viewTabs(state, view), place);
  const drawings = {
    types: () => { showChoice = drawBreakdown(place, report, kase, state); },
    flame: () => drawFlame(place, report, kase, {
      choose: frame => go({ run: state.run, case: kase.index, list: 'functions', frame }),
    }),
    heap: () => drawHeap(place, report, kase),
    sizes: () => drawHistograms(place, report, kase),
    figures: () => drawFigures(place, kase),
  };
  drawings[view]();
}

function crumbs(report, kase, state) {
  const to = (index, text, says) => {
    const other = report.cases[index];
    if (!other) return el('span', { class: 'muted' }, text);
    const href = hashOf({ run: state.run, case: index, view: state.view });
    return el('a', { href, title: other.label, 'aria-label': says }, text);
  };
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
    ['Bytes', kase.bytesPerOp, 'B/op', [
      ['published', kase.published?.allocatedBytes], ['.NET model', kase.modelledDotnetBytesPerOp],
    ]],
    ['Mean time', kase.time?.meanNs, 'ns/op', [['published', kase.published?.meanNs]]],
    ['Peak live', kase.peakLiveBytes, kase.peakErrorBytes ? `± ${formatCount(kase.peakErrorBytes)} B` : 'B'],
    ['Left alive', kase.leakedBytes || null, 'B'],
  ];
  const known = figures.filter(([, value]) => value !== null && value !== undefined);
  return el('dl', { class: 'headline' }, known.map(figureCard));
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
    kase.totals.failed > 0 ? `Answered with null by the allocator: ${plural(kase.totals.failed, 'call')}.` : null,
    kase.parallel ? 'Threads do the operation together: what it allocates depends on how they meet.' : null,
  ].filter(Boolean);
  return warnings(lines);
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
  const sections = [...groups].map(([title, fields]) => section(title, facts(rows(fields))));
  fill(element, el('div', { class: 'groups' }, sections),
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

