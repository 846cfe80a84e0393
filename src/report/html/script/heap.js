// Live bytes: over one operation call by call, and over the run between operations.

const HEAP_HEIGHT = 260;
const HEAP_RUN_HEIGHT = 220;
// Types that have a layer of their own; the others share one.
const HEAP_LAYERS = 7;

// The types that an operation's events have: most cases have many more.
function heapTypes(kase) {
  const met = kase.events.flatMap(event => (event.kind === 'reallocate' ? [event.type, event.formerType] : [event.type]));
  return [...new Set(met)].filter(type => type in kase.types).sort((one, other) => one - other);
}

// Live bytes of some types after each event. A block from before the operation may be freed in it: no type's bytes fall below
// nothing.
function heapSteps(kase, types) {
  const places = new Map(types.map((type, place) => [type, place]));
  const live = new Array(types.length).fill(0);
  const change = (type, bytes) => {
    const place = places.get(type);
    if (place !== undefined) live[place] = Math.max(0, live[place] + bytes);
  };
  return kase.events.map(event => {
    if (event.kind === 'reallocate') change(event.formerType, -event.formerBytes);
    change(event.type, event.kind === 'free' ? -event.bytes : event.bytes);
    return { event, live: live.slice(), total: live.reduce((sum, bytes) => sum + bytes, 0) };
  });
}

// The first step after which most bytes are alive.
function heapPeak(steps) {
  return steps.reduce((peak, step, index) => (step.total > steps[peak].total ? index : peak), 0);
}

// What is drawn on top of each other, from the bottom up: the types that hold most, and in gray the others.
function heapLayers(kase, types, steps) {
  const names = types.map(type => kase.types[type].name);
  const most = names.map((_, place) => steps.reduce((largest, step) => Math.max(largest, step.live[place]), 0));
  const ranked = [...names.keys()].filter(place => most[place] > 0);
  ranked.sort((left, right) => most[right] - most[left]);
  const colored = ranked.filter(place => typeColor(names[place]) !== OTHER_COLOR).slice(0, HEAP_LAYERS);
  const others = ranked.filter(place => !colored.includes(place));
  const layers = colored.map(place => ({ places: [place], name: names[place], color: typeColor(names[place]) }));
  if (others.length) {
    const name = others.length === 1 ? names[others[0]] : `${formatCount(others.length)} other types`;
    layers.push({ places: others, name, color: OTHER_COLOR });
  }
  return layers;
}

function layerBytes(layer, step) {
  return layer.places.reduce((sum, place) => sum + step.live[place], 0);
}

function heapEventText(kase, steps, index) {
  const { event, total } = steps[index];
  const name = type => kase.types[type]?.name ?? '(untyped)';
  const whats = {
    allocate: () => `allocates ${formatBytes(event.bytes)} for ${name(event.type)}`,
    free: () => `frees ${formatBytes(event.bytes)} of ${name(event.type)}`,
    reallocate: () => {
      const former = event.formerType === event.type ? '' : ` of ${name(event.formerType)}`;
      return `reallocates ${formatBytes(event.formerBytes)}${former} to ${formatBytes(event.bytes)} for ${name(event.type)}`;
    },
  };
  const call = `Call ${formatCount(index + 1)} of ${formatCount(steps.length)}`;
  return `${call} ${whats[event.kind]()}; ${formatBytes(total)} live after it.`;
}

function heapPeakText(kase, types, steps, peak) {
  const { live, total } = steps[peak];
  const place = live.indexOf(Math.max(...live));
  const most = `${formatBytes(live[place])} of them ${kase.types[types[place]].name}`;
  const call = `call ${formatCount(peak + 1)} of ${formatCount(steps.length)}`;
  return `${kase.eventsComplete ? 'Peak' : 'Most of these'}: ${formatBytes(total)} after ${call}, ${most}.`;
}

function drawHeap(element, report, kase) {
  element.replaceChildren();
  if (kase.totals.allocations + kase.totals.reallocations === 0) {
    const none = 'Nothing was allocated in this case: its live heap is 0 bytes all the time.';
    element.append(el('p', { class: 'drawing-none' }, none));
    return;
  }
  drawHeapOfOperation(element, kase);
  drawHeapOfRun(element, kase);
}

function drawHeapOfOperation(element, kase) {
  const title = el('p', { class: 'drawing-title' }, 'Live bytes over one operation, call by call of the allocator');
  const types = heapTypes(kase);
  const steps = heapSteps(kase, types);
  if (steps.length === 0) {
    const none = el('p', { class: 'drawing-none' }, 'No calls of a single operation were recorded for this case.');
    element.append(el('figure', { class: 'drawing' }, title, none));
    return;
  }
  const peak = heapPeak(steps);
  const said = [];
  if (!kase.eventsComplete) {
    said.push(`The operation makes more calls than are kept: these are the first ${formatCount(steps.length)}.`);
  }
  if (steps[peak].total > 0) said.push(heapPeakText(kase, types, steps, peak));
  if (kase.peakLiveBytes !== steps[peak].total) said.push(heapWindowText(kase));
  const layers = heapLayers(kase, types, steps);
  const plot = el('div', { class: 'plot heap-events' });
  const event = el('p', { class: 'plot-event' });
  const legend = layers.map(layer => heapLegendItem(layer));
  const figure = el(
    'figure',
    { class: 'drawing' },
    title,
    el('p', { class: 'drawing-says heap-peak' }, said.join(' ')),
    plot,
    event,
    el('ul', { class: 'plot-legend', 'aria-label': 'Live bytes by type after that call' }, legend.map(item => item.element)),
  );
  element.append(figure);
  drawHeapEvents(plot, kase, { steps, peak, layers }, index => {
    event.textContent = heapEventText(kase, steps, index);
    layers.forEach((layer, place) => {
      legend[place].figure.textContent = formatBytes(layerBytes(layer, steps[index]));
    });
  });
}

function heapWindowText(kase) {
  return `The peak of the whole run was ${formatPeak(kase)} B.`;
}

function heapLegendItem(layer) {
  const swatch = el('span', { class: 'plot-swatch' });
  swatch.style.background = layer.color;
  const figure = el('span', { class: 'plot-figure' });
  const name = el('span', { class: 'plot-name', title: layer.name }, shortName(layer.name, 40));
  return { element: el('li', {}, swatch, name, figure), figure };
}

// Fills an element with the steps of an operation and keeps a cursor in it.
function drawHeapEvents(element, kase, { steps, peak, layers }, showEvent) {
  const count = steps.length;
  const largest = Math.max(steps[peak].total, 1);
  let area = null;
  let cursor = null;
  const show = index => {
    showEvent(index);
    if (!area) return;
    const x = area.x(index + 0.5);
    cursor.replaceChildren(
      svgElement('line', { x1: x, x2: x, y1: area.top, y2: area.bottom }),
      svgElement('circle', { cx: x, cy: area.y(steps[index].total), r: 4 }),
    );
  };
  const svgOf = width => {
    area = plotArea(width, HEAP_HEIGHT, { smallest: 0, largest, end: count, across: 'calls of the allocator' });
    cursor = svgElement('g', { class: 'plot-cursor' });
    return svgElement(
      'svg',
      { width, height: HEAP_HEIGHT, 'aria-hidden': 'true' },
      area.axes,
      ...heapLayerPaths(area, steps, layers),
      svgElement('path', { class: 'plot-total', d: heapOutline(area, steps.map(step => step.total)) }),
      ...heapPeakMark(area, width, kase.eventsComplete ? 'peak' : 'most', steps[peak].total, peak),
      cursor,
    );
  };
  const steering = stepThrough(element, {
    label: `Live bytes of ${kase.label} after each call of the allocator`,
    count,
    start: peak,
    placeAt: x => Math.floor(((x - area.left) / (area.right - area.left)) * count),
    show,
    tell: index => heapEventText(kase, steps, index),
  });
  drawAtEveryWidth(element, width => {
    element.replaceChildren(svgOf(width));
    steering.again();
  });
}

function heapPeakMark(area, width, name, bytes, index) {
  if (bytes === 0) return [];
  const x = area.x(index + 0.5);
  const y = area.y(bytes);
  return [
    svgElement('line', { class: 'plot-peak', x1: x, x2: x, y1: area.top - 10, y2: y }),
    textInside(width, x, area.top - 14, `${name} ${formatBytes(bytes)}, call ${formatCount(index + 1)}`),
  ];
}

function heapOutline(area, values) {
  const parts = values.map((value, index) => `V${area.y(value).toFixed(2)}H${area.x(index + 1).toFixed(2)}`);
  return `M${area.left} ${area.y(0)}${parts.join('')}`;
}

function heapLayerPaths(area, steps, layers) {
  let below = new Array(steps.length).fill(0);
  return layers.map(layer => {
    const above = steps.map((step, index) => below[index] + layerBytes(layer, step));
    const back = below.map((value, index) => `V${area.y(value).toFixed(2)}H${area.x(index).toFixed(2)}`).reverse();
    const path = svgElement('path', { class: 'plot-layer', d: `${heapOutline(area, above)}${back.join('')}Z` });
    path.style.fill = layer.color;
    below = above;
    return path;
  });
}

function drawHeapOfRun(element, kase) {
  const title = el('p', { class: 'drawing-title' }, 'Live bytes over the run');
  const samples = kase.run;
  if (samples.length === 0) {
    const why = kase.iterations === 1
      ? 'samples are taken between operations, and the run is a single one.'
      : 'samples are taken of serial runs alone.';
    const none = el('p', { class: 'drawing-none' }, `Not sampled: ${why}`);
    element.append(el('figure', { class: 'drawing' }, title, none));
    return;
  }
  const lives = samples.map(sample => sample.liveBytes);
  const [lowest, highest] = [Math.min(...lives), Math.max(...lives)];
  const plot = el('div', { class: 'plot heap-run' });
  const figure = el('figure', { class: 'drawing' }, title);
  element.append(figure);
  if (lowest === 0 && highest === 0) {
    figure.append(el('p', { class: 'drawing-says' }, heapFlatText(kase)));
    return;
  }
  const event = el('p', { class: 'plot-event' });
  const says =
    `Samples are taken between operations, ${formatCount(samples.length)} of them: what an operation allocates and frees ` +
    `again shows in the peak alone. They lie between ${formatBytes(lowest)} and ${formatBytes(highest)}.`;
  figure.append(el('p', { class: 'drawing-says' }, says), plot, event);
  drawHeapRun(kase, plot, event, { lowest, highest });
}

function heapFlatText(kase) {
  const samples = kase.run.length;
  const last = kase.run.at(-1).operations;
  const times = samples === 1 ? 'at the one sample' : `at each of the ${formatCount(samples)} samples`;
  return (
    `Flat at 0: ${times} that were taken between operations, up to operation ${formatCount(last)}, no byte of the run was ` +
    `alive. The peak of ${formatPeak(kase)} B was reached inside of operations.`
  );
}

function drawHeapRun(kase, element, event, { lowest, highest }) {
  const samples = kase.run;
  const tell = index => {
    const { operations, liveBytes } = samples[index];
    return `After ${plural(operations, 'operation')}: ${formatBytes(liveBytes)} live.`;
  };
  let area = null;
  let cursor = null;
  const steering = stepThrough(element, {
    label: `Live bytes of ${kase.label} between operations`,
    count: samples.length,
    start: samples.length - 1,
    placeAt: x => nearestSample(samples, ((x - area.left) / (area.right - area.left)) * samples.at(-1).operations),
    tell,
    show: index => {
      event.textContent = tell(index);
      if (!area) return;
      const { operations, liveBytes } = samples[index];
      const x = area.x(operations);
      cursor.replaceChildren(
        svgElement('line', { x1: x, x2: x, y1: area.top, y2: area.bottom }),
        svgElement('circle', { cx: x, cy: area.y(liveBytes), r: 4 }),
      );
    },
  });
  drawAtEveryWidth(element, width => {
    const largest = Math.max(highest, kase.peakLiveBytes, 1);
    const end = samples.at(-1).operations;
    area = plotArea(width, HEAP_RUN_HEIGHT, { smallest: Math.min(0, lowest), largest, end, across: 'operations' });
    cursor = svgElement('g', { class: 'plot-cursor' });
    const pointOf = sample => `L${area.x(sample.operations).toFixed(2)} ${area.y(sample.liveBytes).toFixed(2)}`;
    const points = samples.map(pointOf);
    const y = area.y(kase.peakLiveBytes);
    const where = kase.peakLiveBytes > highest ? ', inside of operations' : '';
    element.replaceChildren(
      svgElement(
        'svg',
        { width, height: HEAP_RUN_HEIGHT, 'aria-hidden': 'true' },
        area.axes,
        svgElement('line', { class: 'plot-peak', x1: area.left, x2: area.right, y1: y, y2: y }),
        textInside(area.right, area.right, y - 5, `peak ${formatPeak(kase)} B${where}`),
        svgElement('path', { class: 'plot-curve', d: `M${area.x(0)} ${area.y(0)}${points.join('')}` }),
        cursor,
      ),
    );
    steering.again();
  });
}

function nearestSample(samples, operations) {
  const distance = index => Math.abs(samples[index].operations - operations);
  return samples.reduce((best, _, index) => (distance(index) < distance(best) ? index : best), 0);
}
