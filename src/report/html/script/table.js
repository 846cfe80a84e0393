// Tables that sort by each column, and the one of all cases.

// A column: `title`, `unit` below it, `value(row)` to sort by and `show(row)` to look at; figures stand to the right.
// `options.open(row)` makes rows that are chosen with a click or Enter; `options.state` remembers the order.
function sortedTable(columns, rows, options) {
  const state = options.state ?? {};
  const body = el('tbody');
  const table = el('table', { class: options.class, 'data-rows': options.open ? true : null });
  const heads = columns.map((column, index) => headCell(column, () => {
    state.down = state.column === index ? !state.down : isFigure(column);
    state.column = index;
    refill();
  }));
  const refill = () => {
    heads.forEach((head, index) => markOrder(head, state.column === index, state.down));
    fillRows(body, columns, ordered(rows, columns[state.column], state.down), options);
  };
  refill();
  table.append(el('caption', { class: 'unseen' }, options.caption), el('thead', null, el('tr', null, heads)), body);
  table.refill = newRows => {
    rows = newRows;
    refill();
  };
  return el('div', {
    class: options.class === 'cases' ? 'scroll whole' : 'scroll', tabindex: options.open ? null : '0', role: 'region',
    'aria-label': options.caption,
  }, table);
}

function isFigure(column) {
  return column.figure !== false;
}

function headCell(column, sort) {
  const name = el('button', { type: 'button', title: column.about ?? null, onclick: sort }, column.title);
  const unit = column.unit ? el('span', { class: 'unit' }, column.unit) : null;
  return el('th', { scope: 'col', class: isFigure(column) ? 'figure' : null }, name, unit);
}

function markOrder(head, isOrdered, isDown) {
  if (isOrdered) head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
  else head.removeAttribute('aria-sort');
}

function ordered(rows, column, isDown) {
  if (!column) return rows;
  return rows.toSorted((one, other) => compareValues(column.value(one), column.value(other), isDown));
}

// What is not known stands last, whichever way.
function compareValues(one, other, isDown) {
  if (one === null || other === null) return (one === null) - (other === null);
  const order = typeof one === 'string' ? one.localeCompare(other, 'en', { numeric: true }) : one - other;
  return isDown ? -order : order;
}

const ROWS_AT_ONCE = 200;

function fillRows(body, columns, rows, options, limit = ROWS_AT_ONCE) {
  body.replaceChildren(...rows.slice(0, limit).map((row, index) => bodyRow(columns, row, index, options)));
  if (rows.length === 0) {
    body.append(el('tr', { class: 'rest' }, el('td', { colspan: columns.length }, options.empty ?? 'Nothing.')));
  }
  if (rows.length > limit) {
    const more = el('button', {
      type: 'button', class: 'plain', onclick: () => fillRows(body, columns, rows, options, Infinity),
    }, `Show ${plural(rows.length - limit, 'more row')}`);
    body.append(el('tr', { class: 'rest' }, el('td', { colspan: columns.length }, more)));
  }
}

function bodyRow(columns, row, index, { open, key }) {
  const cells = columns.map((column, place) => {
    const value = isFigure(column) ? column.value(row) : null;
    const attributes = { class: cellClass(column, row), title: value === null ? null : String(value), 'data-value': value };
    return el(place === 0 ? 'th' : 'td', { ...attributes, scope: place === 0 ? 'row' : null }, column.show(row));
  });
  if (!open) return el('tr', null, cells);
  const choose = event => {
    if (!event.target.closest('a, button') && !getSelection().toString()) open(row);
  };
  return el('tr', {
    tabindex: index === 0 ? '0' : '-1', 'data-key': key?.(row), onclick: choose,
    onkeydown: event => event.key === 'Enter' && event.target === event.currentTarget && open(row),
  }, cells);
}

function cellClass(column, row) {
  return [isFigure(column) ? 'figure' : '', column.class?.(row) ?? ''].join(' ').trim() || null;
}

// A column of figures.
function figureColumn(title, unit, value, about, show = formatCount) {
  return { title, unit, about, value, show: row => show(value(row)) };
}

// Marks the row that is chosen, for eyes and for readers of screens.
function markChosen(container, key) {
  for (const row of container.querySelectorAll('tr[data-key]')) {
    if (row.dataset.key === key) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
  }
}

// Leaves out columns of which no row knows anything.
function knownColumns(columns, rows) {
  return columns.filter(column => !isFigure(column) || rows.some(row => column.value(row) !== null));
}

function caseColumns() {
  const published = name => kase => kase.published?.[name] ?? null;
  const time = name => kase => kase.time?.[name] ?? null;
  return [
    { title: 'Case', figure: false, value: kase => kase.label, show: caseName },
    figureColumn('Allocations', 'per op', kase => kase.allocationsPerOp, 'Fresh blocks of one operation'),
    figureColumn('Reallocations', 'per op', kase => kase.reallocationsPerOp, 'Blocks that one operation resizes'),
    figureColumn('Bytes', 'B/op', kase => kase.bytesPerOp, 'Fresh bytes, and those by which blocks grew'),
    figureColumn('Published', 'B/op', published('allocatedBytes'), 'What the write-up says that one operation allocates'),
    figureColumn('.NET model', 'B/op', kase => kase.modelledDotnetBytesPerOp, "What the original's objects take in .NET"),
    figureColumn('Alloc ratio', '× baseline', kase => kase.allocRatio, "Bytes over the baseline's", formatRatio),
    figureColumn('Published', 'alloc ratio', published('allocRatio'), "The write-up's ratio of bytes", formatRatio),
    figureColumn('Mean time', 'ns/op', time('meanNs'), 'Mean time of one operation, with the recorder off'),
    figureColumn('Published', 'ns/op', published('meanNs'), "The write-up's mean time"),
    figureColumn('Ratio', '× baseline', kase => kase.ratio, "Mean time over the baseline's", formatRatio),
    figureColumn('Published', 'ratio', published('ratio'), "The write-up's ratio of times", formatRatio),
    { ...figureColumn('Peak live', 'B', kase => kase.peakLiveBytes, 'Most bytes that were alive at once'), show: formatPeak },
    figureColumn('Left alive', 'B', kase => kase.leakedBytes, "Bytes of the window's blocks that were alive when it closed"),
    figureColumn('Encoded', 'B', kase => kase.encodedBytes, 'Bytes that one operation writes or reads'),
  ];
}

// Codec and model, and below them what else tells a case from the others.
function caseName(kase) {
  const batch = kase.batch > 1 ? ` × ${formatCount(kase.batch)}` : '';
  const threads = kase.threads > 1 ? ` × ${formatCount(kase.threads)} parallel` : '';
  const rest = [kase.operation, kase.variant].filter(Boolean).join(' ') + batch + threads;
  const names = [kase.codec, kase.model].filter(Boolean).join(' ') || '(no name)';
  return el('span', { class: 'case' }, nameOf(names, 60), el('span', { class: 'under', dir: 'auto' }, rest || '\u00a0'));
}

const caseStates = new Map();

// The table of all cases, with a box that filters them by words.
function drawCases(report, state) {
  if (!caseStates.has(report)) caseStates.set(report, { order: {}, filter: '' });
  const kept = caseStates.get(report);
  const told = el('span', { class: 'muted', role: 'status' });
  const table = sortedTable(knownColumns(caseColumns(), report.cases), [], {
    caption: 'Cases', state: kept.order, key: kase => String(kase.index), class: 'cases',
    open: kase => go({ ...state, case: kase.index }), empty: 'No case has all of these words.',
  });
  const filter = () => {
    const cases = report.cases.filter(kase => hasWords(kase.label, kept.filter));
    table.firstChild.refill(cases);
    told.textContent = `${formatCount(cases.length)} of ${plural(report.cases.length, 'case')}`;
  };
  const box = filterBox('Filter cases', kept.filter, text => {
    kept.filter = text;
    filter();
  });
  filter();
  return [el('div', { class: 'above' }, box, told), table];
}

function filterBox(title, text, change) {
  const box = el('input', {
    type: 'search', placeholder: `${title}  (press /)`, 'aria-label': title, 'data-filter': true, spellcheck: 'false',
    oninput: event => change(event.target.value),
  });
  box.value = text;
  return box;
}

function hasWords(text, words) {
  const where = text.toLowerCase();
  return words.toLowerCase().split(/\s+/).every(word => where.includes(word));
}

