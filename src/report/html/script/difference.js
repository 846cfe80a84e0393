// What one run allocates that another does not. More is red and less is green, and both are told in words, too.

const SIGNS = { appeared: '+', grew: '▲', shrank: '▼', gone: '−', differs: '≠' };
const TONES = { appeared: 'grown', grew: 'grown', shrank: 'shrunk', gone: 'shrunk', differs: '' };

function changeMark(change) {
  if (!change) return el('span', { class: 'muted' }, 'the same');
  return el('span', { class: `change ${TONES[change]}` }, el('span', { 'aria-hidden': 'true' }, `${SIGNS[change]} `), change);
}

function sideColumns(name, title, unit) {
  const side = which => row => row[which]?.[name] ?? null;
  const growth = row => (row.now?.[name] ?? 0) - (row.before?.[name] ?? 0);
  return [
    figureColumn(`${title}, old`, unit, side('before')),
    figureColumn('New', unit, side('now')),
    { ...figureColumn('Difference', unit, growth, 'New minus old', formatSigned), class: row => tone(growth(row)) },
  ];
}

function tone(growth) {
  return growth === 0 ? '' : growth > 0 ? 'grown' : 'shrunk';
}

function changeColumn() {
  return { title: 'Change', figure: false, value: row => row.change, show: row => changeMark(row.change) };
}

function figureColumns() {
  return [
    ...sideColumns('bytesPerOp', 'Bytes', 'B/op'),
    ...sideColumns('allocationsPerOp', 'Allocations', 'per op'),
    ...sideColumns('reallocationsPerOp', 'Reallocations', 'per op'),
  ];
}

// Every case of both runs; those that differ come first.
function differenceRows(difference, [oldReport, newReport]) {
  const changed = new Map(difference.changed.map((change, index) => [change.new, { ...change, index }]));
  const key = kase => kase.label;
  const olds = new Map(oldReport.cases.map(kase => [key(kase), kase]));
  const rows = newReport.cases.map(kase => {
    const found = changed.get(kase);
    if (!found) return { kase, ...wholeSides(olds.get(key(kase)) ?? null, kase) };
    // The whole may be the same where its parts are not.
    return { kase, ...found.whole, change: found.whole.change || 'differs', index: found.index };
  });
  rows.push(...difference.onlyOld.map(kase => ({ kase, ...wholeSides(kase, null) })));
  return rows.sort((one, other) => Boolean(other.change) - Boolean(one.change));
}

function wholeSides(before, now) {
  return { before, now, change: before && now ? '' : before ? 'gone' : 'appeared', index: null };
}

function drawDifferences(element, { reports, difference }) {
  const rows = differenceRows(difference, reports);
  const columns = [
    { title: 'Case', figure: false, value: row => row.kase.label, show: row => caseName(row.kase) },
    changeColumn(),
    ...figureColumns(),
  ];
  const open = row => {
    if (row.index !== null) go({ difference: row.index });
    else go({ run: row.now ? 1 : 0, case: row.kase.index });
  };
  const table = sortedTable(withoutStill(columns, rows), rows, {
    caption: 'Cases', open, key: row => String(row.index), class: 'cases', empty: 'No such case.',
  });
  const told = el('span', { class: 'muted', role: 'status' });
  const onlyChanged = el('input', { type: 'checkbox' });
  let words = '';
  const filter = () => {
    const shown = rows.filter(row => hasWords(row.kase.label, words) && (!onlyChanged.checked || row.change));
    table.firstChild.refill(shown);
    told.textContent = `${formatCount(shown.length)} of ${plural(rows.length, 'case')}`;
  };
  const box = filterBox('Filter cases', '', text => {
    words = text;
    filter();
  });
  onlyChanged.addEventListener('change', filter);
  filter();
  const bar = el('div', { class: 'above' }, box, el('label', null, onlyChanged, ' only those that differ'), told);
  element.append(el('p', { class: 'finding' }, differenceSentence(difference)), runPair(reports), bar, table);
}

// Columns in which something differs or at least stands.
function withoutStill(columns, rows) {
  return columns.filter(column => !isFigure(column) || rows.some(row => column.value(row)));
}

function differenceSentence({ changed, unchanged, onlyOld, onlyNew }) {
  const differ = changed.length === 0 ? 'No case allocates' : plural(changed.length, 'case allocates', 'cases allocate');
  const alone = [[onlyOld, 'old'], [onlyNew, 'new']].filter(([cases]) => cases.length)
    .map(([cases, run]) => `; ${plural(cases.length, 'case stands', 'cases stand')} in the ${run} run alone`);
  return `${differ} differently; ${plural(unchanged, 'case is', 'cases are')} unchanged${alone.join('')}.`;
}

function runPair(reports) {
  const rows = reports.map((report, index) => el('li', null, link({ run: index }, index ? 'New run' : 'Old run'), ' ',
    el('span', { class: 'muted', dir: 'auto' }, report.notes[0])));
  return el('ul', { class: 'runs' }, rows);
}

function drawDifference(element, { reports, difference }, state) {
  const change = difference.changed[state.difference];
  entitle('difference', change.new.label);
  element.append(
    el('p', { class: 'crumbs' }, link({}, '← All cases')),
    el('h2', { dir: 'auto' }, change.new.label),
    el('p', null, link({ run: 0, case: change.old.index }, 'Old: who allocates'), ' · ',
      link({ run: 1, case: change.new.index }, 'New: who allocates')),
    section('The whole operation', wholeTable(change)),
    section(`Types: ${told(change.types.length, change.unchangedTypes)}`, changedTypes(change)),
    section(`Sites: ${told(change.sites.length, change.unchangedSites)}`, changedSites(reports[1], change)),
  );
}

function told(differ, unchanged) {
  return `${formatCount(differ)} ${differ === 1 ? 'differs' : 'differ'}, ${formatCount(unchanged)} unchanged`;
}

function wholeTable({ whole, operations }) {
  const perOp = [
    ['Allocations per op', 'allocationsPerOp'], ['Reallocations per op', 'reallocationsPerOp'], ['Bytes per op', 'bytesPerOp'],
  ];
  const rows = perOp.map(([title, name]) => ({ title, before: whole.before[name], now: whole.now[name] }));
  rows.push({ title: 'Operations counted', before: operations[0], now: operations[1], isPlain: true });
  const growth = row => row.now - row.before;
  const columns = [
    { title: 'Figure', figure: false, value: row => row.title, show: row => row.title },
    figureColumn('Old', '', row => row.before),
    figureColumn('New', '', row => row.now),
    {
      ...figureColumn('Difference', '', growth, 'New minus old', formatSigned),
      class: row => (row.isPlain ? '' : tone(growth(row))),
    },
  ];
  return sortedTable(columns, rows, { caption: 'The whole operation' });
}

function changedTypes({ types }) {
  const columns = [
    {
      title: 'Type', figure: false, value: row => row.name,
      show: row => el('span', { class: 'type' }, swatch(row.name), nameOf(row.name, 56, { title: row.path })),
    },
    changeColumn(),
    ...figureColumns(),
  ];
  return sortedTable(withoutStill(columns, types), byGrowth(types), {
    caption: 'Types that differ', empty: 'No type differs.',
  });
}

function byGrowth(rows) {
  const growth = row => Math.abs((row.now?.bytesPerOp ?? 0) - (row.before?.bytesPerOp ?? 0));
  return rows.toSorted((one, other) => growth(other) - growth(one));
}

function changedSites(report, { sites }) {
  const name = row => report.frames[row.stack[0]]?.function ?? '(no stack)';
  const columns = [
    { title: 'Site', figure: false, value: name, show: row => changedSite(report, row, name(row)) },
    changeColumn(),
    ...figureColumns(),
  ];
  return sortedTable(withoutStill(columns, sites), byGrowth(sites), {
    caption: 'Sites that differ', empty: 'No site differs.',
  });
}

function changedSite(report, { owner, stack }, name) {
  const calls = stack.map(frame => report.frames[frame]);
  const rows = calls.map(({ function: called, location }) => (
    el('li', null, nameOf(called, 90), el('span', { class: 'under', dir: 'auto' }, location ?? '(no place)'))));
  const where = shortName(`${owner} at ${calls[0]?.location ?? '(no place)'}`, 80);
  return el('details', { class: 'inrow' },
    el('summary', null, nameOf(name, 56), el('span', { class: 'under', dir: 'auto' }, swatch(owner), where)),
    el('ol', { class: 'stack' }, rows));
}

