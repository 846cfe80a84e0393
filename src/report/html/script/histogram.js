// How long blocks live, how large they are, and how the first operation differs from the others.

function drawHistograms(element, report, kase) {
  element.replaceChildren();
  if (kase.totals.allocations + kase.totals.reallocations === 0 && kase.first.allocations === 0) {
    const none = 'Nothing was allocated in this case, not in its first operation either: there is nothing to count.';
    element.append(el('p', { class: 'drawing-none' }, none));
    return;
  }
  // A single operation is the first one and all others.
  if (kase.iterations > 1) element.append(firstAgainstSteady(kase));
  element.append(lifetimeHistogram(kase), sizeHistogram(kase));
}

function classLabel(from, to) {
  if (to === null) return `${formatCount(from)} and more`;
  return from === to ? formatCount(from) : `${formatCount(from)} – ${formatCount(to)}`;
}

function lifetimeHistogram(kase) {
  const rows = kase.lifetimes.map(({ from, to, blocks }) => ({ label: classLabel(from, to), figure: blocks }));
  return histogram({
    name: 'lifetimes',
    title: 'Lifetimes of blocks',
    says: 'How many allocations came between a block’s birth and its end. A reallocation ends one life and begins another.',
    none: 'No block came to its end in the run.',
    classes: 'Lifetime, in allocations',
    counted: 'Blocks',
    rows,
    iterations: kase.iterations,
  });
}

function sizeHistogram(kase) {
  const rows = kase.sizeClasses.map(({ from, to, requests }) => ({ label: classLabel(from, to), figure: requests }));
  return histogram({
    name: 'sizes',
    title: 'Sizes that were asked for',
    says: 'Allocations and reallocations by the size that they asked for.',
    none: 'No size was asked for in the run.',
    classes: 'Size, in bytes',
    counted: 'Requests',
    rows,
    iterations: kase.iterations,
  });
}

function histogram({ name, title, says, none, classes, counted, rows, iterations }) {
  const figure = el('figure', { class: 'drawing', 'data-histogram': name }, el('p', { class: 'drawing-title' }, title));
  const counts = rows.filter(row => row.figure > 0);
  if (counts.length === 0) {
    figure.append(el('p', { class: 'drawing-none' }, none));
    return figure;
  }
  const largest = Math.max(...counts.map(row => row.figure));
  const all = counts.reduce((sum, row) => sum + row.figure, 0);
  const body = rows.map(row =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, row.label),
      el('td', { class: 'histogram-track' }, histogramBar(row.figure / largest, 'histogram-steady')),
      histogramFigure(row.figure),
      histogramFigure(row.figure / iterations, 'histogram-more'),
      el('td', { class: 'histogram-figure histogram-more' }, formatShare(row.figure, all)),
    ),
  );
  const heads = el(
    'tr',
    {},
    el('th', { scope: 'col' }, classes),
    el('td', { class: 'histogram-track' }),
    el('th', { scope: 'col', class: 'histogram-figure' }, counted),
    el('th', { scope: 'col', class: 'histogram-figure histogram-more' }, 'Per operation'),
    el('th', { scope: 'col', class: 'histogram-figure histogram-more' }, 'Share'),
  );
  figure.append(
    el('p', { class: 'drawing-says' }, says),
    el('table', { class: 'histogram', 'aria-label': title }, el('thead', {}, heads), el('tbody', {}, ...body)),
  );
  return figure;
}

function histogramFigure(figure, kind = '') {
  return el('td', { class: `histogram-figure ${kind}`, 'data-value': figure, title: String(figure) }, formatCount(figure));
}

function histogramBar(share, kind) {
  const element = el('div', { class: `histogram-bar ${share > 0 ? kind : 'histogram-none'}` });
  element.style.width = `${100 * share}%`;
  return element;
}

function firstAgainstSteady(kase) {
  const title = 'First operation against steady state';
  const { first } = kase;
  const rows = [
    ['Allocations', first.allocations, kase.allocationsPerOp],
    ['Reallocations', first.reallocations, kase.reallocationsPerOp],
    ['Bytes', first.allocatedBytes + first.grownBytes, kase.bytesPerOp],
    ['Frees', first.deallocations, kase.freesPerOp],
  ];
  const body = rows.flatMap(([name, once, steady]) => {
    const largest = Math.max(once, steady, Number.MIN_VALUE);
    const row = (kind, what, figure, ...heads) =>
      el(
        'tr',
        {},
        ...heads,
        el('td', { class: 'histogram-what' }, what),
        el('td', { class: 'histogram-track' }, histogramBar(figure / largest, kind)),
        histogramFigure(figure),
      );
    return [
      row('histogram-first', 'first', once, el('th', { scope: 'rowgroup', rowspan: '2' }, name)),
      row('histogram-steady', 'steady', steady),
    ];
  });
  return el(
    'figure',
    { class: 'drawing', 'data-histogram': 'first' },
    el('p', { class: 'drawing-title' }, title),
    el(
      'p',
      { class: 'drawing-says' },
      `The very first operation, before any warm-up, and the mean of the ${formatCount(kase.iterations)} that were counted. ` +
        'Bytes are those of fresh blocks, and growth.',
    ),
    el('table', { class: 'histogram', 'aria-label': title }, el('tbody', {}, ...body)),
  );
}
