// What the drawings share: elements of SVG, widths, axes, a cursor.

function svgElement(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Draws into an element for the width that it has, and again for each other width that it gets.
function drawAtEveryWidth(element, draw) {
  let drawn = 0;
  const drawFor = width => {
    if (width < 1 || width === drawn) return;
    drawn = width;
    draw(width);
  };
  drawFor(element.clientWidth);
  // What is drawn may change the width again: that is for the next picture, not for this one.
  new ResizeObserver(() => requestAnimationFrame(() => drawFor(element.clientWidth))).observe(element);
}

// A part of a whole, in percent.
function formatShare(part, whole) {
  return `${formatPercent(whole > 0 ? (100 * part) / whole : 0)} %`;
}

// About so many figures in equal steps of 1, 2 or 5, from the smallest to the largest or beyond.
function axisTicks(smallest, largest, wanted) {
  const rough = Math.max(largest - smallest, 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find(each => each * power >= rough * 0.999);
  const step = Math.max(factor * power, 1);
  const ticks = [];
  for (let tick = Math.floor(smallest / step); (tick - 1) * step < largest; tick += 1) ticks.push(tick * step);
  return ticks;
}

// The unit in which an axis tells bytes: its ticks are short numbers, and the axis says the unit once.
function byteUnit(largest) {
  const units = [[1024 ** 3, 'GB'], [1024 ** 2, 'MB'], [1024, 'KB']];
  const [size, name] = units.find(([bytes]) => largest >= 10 * bytes) ?? [1, 'B'];
  return { size, name: size === 1 ? 'bytes' : `${name} (of ${formatCount(size)} bytes)` };
}

const FIGURE_WIDTH = 7;
const LETTER_WIDTH = 7.6;

// The place of a drawing's axes in a width, and what is the same on both of the heap's drawings.
function plotArea(width, height, { smallest, largest, end, across }) {
  const unit = byteUnit(largest);
  const rows = axisTicks(smallest / unit.size, largest / unit.size, 4);
  const labels = rows.map(row => formatCount(row));
  const left = Math.max(...labels.map(label => label.length)) * FIGURE_WIDTH + 12;
  const area = { left, right: width - 12, top: 44, bottom: height - 38, unit };
  const low = rows[0] * unit.size;
  const high = rows.at(-1) * unit.size;
  area.x = figure => area.left + (figure / Math.max(end, 1)) * (area.right - area.left);
  area.y = bytes => area.bottom - ((bytes - low) / (high - low)) * (area.bottom - area.top);
  const axes = svgElement('g', { class: 'plot-axes', 'aria-hidden': 'true' });
  axes.append(svgElement('text', { x: 0, y: 12 }, `live ${unit.name}`));
  rows.forEach((row, index) => {
    const y = area.y(row * unit.size);
    axes.append(svgElement('line', { x1: area.left, x2: area.right, y1: y, y2: y }));
    axes.append(svgElement('text', { x: area.left - 6, y: y + 4, 'text-anchor': 'end' }, labels[index]));
  });
  const room = formatCount(end).length * FIGURE_WIDTH + 24;
  const columns = axisTicks(0, end, Math.max(1, Math.min(8, (area.right - area.left) / room)));
  for (const column of columns.filter(tick => tick <= end)) {
    const x = area.x(column);
    const anchor = x + formatCount(column).length * (FIGURE_WIDTH / 2) > width ? 'end' : 'middle';
    axes.append(svgElement('line', { x1: x, x2: x, y1: area.bottom, y2: area.bottom + 5 }));
    axes.append(svgElement('text', { x, y: area.bottom + 18, 'text-anchor': anchor }, formatCount(column)));
  }
  axes.append(svgElement('text', { x: area.right, y: height - 4, 'text-anchor': 'end' }, across));
  area.axes = axes;
  return area;
}

// A text above or within a plot that stays inside of its width.
function textInside(width, x, y, text) {
  const half = text.length * (LETTER_WIDTH / 2);
  const middle = Math.min(Math.max(x, half), Math.max(width - half, half));
  return svgElement('text', { x: middle, y, 'text-anchor': 'middle', class: 'plot-mark' }, text);
}

// Steps through the places of a drawing with a pointer, or with keys.
function stepThrough(element, { label, count, start, placeAt, show, tell }) {
  let current = start;
  element.tabIndex = 0;
  const attributes = { role: 'slider', 'aria-label': label, 'aria-valuemin': 1, 'aria-valuemax': count };
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  const moveTo = place => {
    current = Math.min(Math.max(place, 0), count - 1);
    element.setAttribute('aria-valuenow', current + 1);
    element.setAttribute('aria-valuetext', tell(current));
    show(current);
  };
  const page = Math.max(1, Math.round(count / 10));
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page, PageDown: -page };
  element.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const ends = { Home: 0, End: count - 1 };
    const place = ends[event.key] ?? (steps[event.key] ? current + steps[event.key] : null);
    if (place === null) return;
    event.preventDefault();
    moveTo(place);
  });
  const follow = event => moveTo(placeAt(event.clientX - element.getBoundingClientRect().left));
  element.addEventListener('pointermove', follow);
  element.addEventListener('pointerdown', follow);
  return { again: () => moveTo(current) };
}
