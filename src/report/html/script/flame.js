// The flame graph of a case: who calls whom from the top down, and at the tips what is allocated.

const FLAME_ROW = 21;
const FLAME_NARROWEST = 0.5;
// Boxes that are narrower touch their neighbors.
const FLAME_NARROWEST_APART = 3;
// A box that is narrower has no room for a word.
const FLAME_NARROWEST_TEXT = 26;
const FLAME_LETTER = 7.2;

const FLAME_NOTE =
  'A box is a function, what it calls is below it, and the colored tips are the types that own what is allocated. ' +
  'Click a box, or press Enter on it, to zoom; Escape shows all; the arrow keys walk.';

const FLAME_WEIGHTS = {
  bytes: {
    button: 'Bytes',
    says: 'bytes asked for',
    none: 'Nothing was allocated in this case: there is no stack to draw.',
    of: site => site.bytes,
    tell: formatBytes,
    each: formatBytes,
  },
  count: {
    button: 'Count',
    says: 'allocations and reallocations',
    none: 'Nothing was allocated in this case: there is no stack to draw.',
    of: site => site.allocations + site.reallocations,
    tell: value => `${formatCount(value)} allocations and reallocations`,
    each: formatCount,
  },
  peak: {
    button: 'Peak',
    says: 'bytes alive at the peak',
    none: 'No bytes were alive at the peak of this case: there is no stack to draw.',
    of: site => site.peakBytes,
    tell: formatBytes,
  },
};

// The calls of all sites as one tree, those with the most weight first. With `whole`, the tips are what libraries do between
// the program's own function and the allocator.
function flameTree(report, kase, weight, whole) {
  const root = flameNode(null, { kind: 'root', name: 'all', place: null });
  for (const site of kase.sites) {
    const value = FLAME_WEIGHTS[weight].of(site);
    if (value > 0) addToFlame(root, flamePath(report, kase, site, whole), value);
  }
  sortFlame(root);
  return root;
}

function flameNode(parent, { kind, name, place, frame = null }) {
  const depth = parent ? parent.depth + 1 : 0;
  return { kind, name, place, frame, parent, depth, value: 0, sites: 0, branches: new Map(), children: [] };
}

// What a site's stack is made of, outermost first.
function flamePath(report, kase, site, whole) {
  const type = kase.types[site.type];
  const stack = whole || site.own === null ? site.stack : site.stack.slice(site.own);
  const path = stack.map(index => {
    const frame = report.frames[index];
    return { key: index, kind: 'function', name: frame.function, place: frame.location, frame: index };
  });
  path.reverse();
  if (site.truncated) {
    path.unshift({ key: 'truncated', kind: 'note', name: '(calls beyond what was recorded)', place: null });
  }
  if (site.label !== null) {
    path.unshift({ key: `label ${site.label}`, kind: 'label', name: `label: ${site.label}`, place: null });
  }
  path.push({ key: `type ${site.type}`, kind: 'type', name: type ? type.name : '(untyped)', place: type?.path ?? null });
  return path;
}

function addToFlame(root, path, value) {
  let node = root;
  node.value += value;
  node.sites += 1;
  for (const step of path) {
    let next = node.branches.get(step.key);
    if (!next) {
      next = flameNode(node, step);
      node.branches.set(step.key, next);
    }
    node = next;
    node.value += value;
    node.sites += 1;
  }
}

function sortFlame(root) {
  const open = [root];
  while (open.length) {
    const node = open.pop();
    node.children = [...node.branches.values()].sort((left, right) => right.value - left.value);
    open.push(...node.children);
  }
}

// Finds nodes by a part of their names, and what all of them weigh: what is below a match is in it already.
function searchFlame(root, words) {
  const wanted = words.trim().toLowerCase();
  const found = { nodes: new Set(), value: 0 };
  const open = wanted ? [[root, false]] : [];
  while (open.length) {
    const [node, inside] = open.pop();
    const matches = node.kind !== 'root' && node.name.toLowerCase().includes(wanted);
    if (matches) found.nodes.add(node);
    if (matches && !inside) found.value += node.value;
    for (const child of node.children) open.push([child, inside || matches]);
  }
  return found;
}

// The boxes of a width, from the root down: what the shown node is part of, then all that it is made of. Boxes that nobody
// could see are left out, and counted.
function flameBoxes(shown, width) {
  const boxes = [];
  for (let node = shown.parent; node; node = node.parent) boxes.unshift({ node, left: 0, width, around: true });
  let leftOut = 0;
  const open = [{ node: shown, left: 0, width, around: false }];
  while (open.length) {
    const box = open.pop();
    boxes.push(box);
    let left = box.left;
    for (const child of box.node.children) {
      const part = (child.value / shown.value) * width;
      if (part < FLAME_NARROWEST) leftOut += 1;
      else open.push({ node: child, left, width: part, around: false });
      left += part;
    }
  }
  return { boxes, leftOut };
}

// A name in so many letters: without the modules it begins with as far as needed, then cut in its middle.
function flameLabel(name, letters) {
  let label = name;
  while (label.length > letters) {
    const shorter = label.replace(/^(<?&?)[a-z_]\w*::(?=[A-Za-z_<])/, '$1');
    if (shorter === label) break;
    label = shorter;
  }
  return shortName(label, letters);
}

// Options: the `weight` to begin with, and `choose`, which shows more of the function whose place in `report.frames` it gets.
function drawFlame(element, report, kase, options = {}) {
  element.replaceChildren();
  if (kase.sites.length === 0) {
    element.append(el('p', { class: 'drawing-none' }, FLAME_WEIGHTS.bytes.none));
    return;
  }
  const flame = new Flame(report, kase, options);
  element.append(flame.element);
  flame.start();
}

class Flame {
  constructor(report, kase, { weight = 'bytes', choose = null }) {
    this.report = report;
    this.kase = kase;
    this.weight = weight;
    this.choose = choose;
    this.whole = false;
    this.boxes = [];
    this.makeElements();
  }

  makeElements() {
    this.weights = Object.entries(FLAME_WEIGHTS).map(([key, { button, says }]) => {
      const choice = el('button', { type: 'button', 'data-weight': key, title: `Widths are ${says}` }, button);
      choice.addEventListener('click', () => this.weighBy(key));
      return choice;
    });
    this.search = el('input', {
      type: 'search',
      placeholder: 'function or type',
      'aria-label': 'Search the flame graph',
      'data-filter': '',
    });
    this.search.addEventListener('input', () => this.find());
    const whole = el('input', { type: 'checkbox', class: 'flame-whole' });
    whole.addEventListener('change', () => {
      this.whole = whole.checked;
      this.build();
    });
    this.matched = el('output', { class: 'flame-matched' });
    this.crumbs = el('nav', { class: 'flame-crumbs', 'aria-label': 'Zoom of the flame graph' });
    this.tree = el('div', { class: 'flame-boxes', role: 'tree' });
    this.leftOut = el('p', { class: 'flame-left-out' });
    this.details = el('div', { class: 'flame-details' });
    this.tip = el('div', { class: 'flame-tip', 'aria-hidden': 'true' });
    this.tip.hidden = true;
    const group = el('div', { class: 'flame-weights', role: 'group', 'aria-label': 'What widths are' }, ...this.weights);
    const label = el('label', { class: 'flame-choice' }, whole, ' with the library functions that allocate');
    this.element = el(
      'div',
      { class: 'flame' },
      el('div', { class: 'flame-bar' }, group, this.search, label, this.matched),
      this.crumbs,
      this.tree,
      this.leftOut,
      this.details,
      el('p', { class: 'drawing-note' }, FLAME_NOTE),
      this.tip,
    );
    this.listen();
  }

  listen() {
    this.tree.addEventListener('click', event => {
      const box = this.boxOf(event.target);
      if (box) this.zoomTo(box.node, true);
    });
    this.tree.addEventListener('pointermove', event => this.pointAt(event));
    this.tree.addEventListener('pointerleave', () => {
      this.tip.hidden = true;
      this.tell(this.shown);
    });
    this.tree.addEventListener('focusin', event => {
      const box = this.boxOf(event.target);
      if (box) this.focusOn(box);
    });
    this.tree.addEventListener('keydown', event => this.press(event));
    this.element.addEventListener('keydown', event => {
      const clearsSearch = event.target === this.search && this.search.value;
      if (event.key !== 'Escape' || clearsSearch || this.zooms.length === 1) return;
      event.preventDefault();
      this.zoomTo(this.root, true);
    });
  }

  start() {
    drawAtEveryWidth(this.tree, width => {
      this.width = width;
      if (this.root) this.draw();
      else this.build();
    });
  }

  weighBy(weight) {
    this.weight = weight;
    this.build();
  }

  build() {
    this.root = flameTree(this.report, this.kase, this.weight, this.whole);
    this.zooms = [this.root];
    for (const choice of this.weights) {
      choice.setAttribute('aria-pressed', String(choice.dataset.weight === this.weight));
    }
    const { says } = FLAME_WEIGHTS[this.weight];
    this.tree.setAttribute('aria-label', `Flame graph of ${this.kase.label}: widths are ${says}`);
    this.find();
  }

  get shown() {
    return this.zooms.at(-1);
  }

  find() {
    this.found = searchFlame(this.root, this.search.value);
    this.matched.textContent = this.search.value.trim() ? this.matchedText() : '';
    this.draw();
  }

  matchedText() {
    if (this.found.nodes.size === 0) return 'no function and no type is called so';
    const { tell } = FLAME_WEIGHTS[this.weight];
    return `matched: ${tell(this.found.value)}, ${formatShare(this.found.value, this.root.value)} of the case`;
  }

  draw() {
    this.boxes = [];
    this.tree.replaceChildren();
    this.tip.hidden = true;
    const isEmpty = this.root.value === 0;
    this.element.classList.toggle('flame-is-empty', isEmpty);
    if (isEmpty) {
      this.details.replaceChildren(FLAME_WEIGHTS[this.weight].none);
      this.crumbs.replaceChildren();
      this.leftOut.textContent = '';
      this.tree.style.height = '0';
      return;
    }
    const { boxes, leftOut } = flameBoxes(this.shown, this.width);
    this.boxes = boxes;
    this.boxesOfNodes = new Map(boxes.map(box => [box.node, box]));
    const elements = document.createDocumentFragment();
    boxes.forEach((box, index) => elements.append(this.boxElement(box, index)));
    this.tree.append(elements);
    const depth = boxes.reduce((deepest, box) => Math.max(deepest, box.node.depth), 0);
    this.tree.style.height = `${(depth + 1) * FLAME_ROW}px`;
    this.leftOut.textContent = leftOut
      ? `${plural(leftOut, 'box is', 'boxes are')} narrower than half a pixel and not drawn, with all below; zoom to see them.`
      : '';
    this.boxesOfNodes.get(this.shown).element.tabIndex = 0;
    this.drawCrumbs();
    this.tell(this.shown);
  }

  boxElement(box, index) {
    const { node, left, width } = box;
    const element = el('div', {
      class: `flame-box flame-${node.kind}`,
      role: 'treeitem',
      tabindex: '-1',
      'aria-level': String(node.depth + 1),
      'aria-label': `${node.name}: ${this.figures(node).join(', ')}`,
      'data-box': String(index),
      'data-kind': node.kind,
      'data-name': node.name,
      'data-value': String(node.value),
    });
    element.style.left = `${left}px`;
    element.style.width = `${width > FLAME_NARROWEST_APART ? width - 1 : width}px`;
    element.style.top = `${node.depth * FLAME_ROW}px`;
    if (node.kind === 'type') element.style.setProperty('--type', typeColor(node.name));
    element.classList.toggle('flame-around', box.around);
    element.classList.toggle('flame-found', this.found.nodes.has(node));
    if (width >= FLAME_NARROWEST_TEXT) {
      element.textContent = flameLabel(node.name, Math.max(2, Math.floor((width - 10) / FLAME_LETTER)));
    }
    box.element = element;
    return element;
  }

  boxOf(target) {
    const element = target.closest('.flame-box');
    return element ? this.boxes[element.dataset.box] : null;
  }

  // Exact figures of a node: in the window, for one operation, and as a share.
  figures(node) {
    const { tell, each } = FLAME_WEIGHTS[this.weight];
    const figures = [tell(node.value)];
    if (this.weight !== 'peak') figures.push(`${each(node.value / this.kase.iterations)} per operation`);
    figures.push(`${formatShare(node.value, this.root.value)} of the case`);
    figures.push(plural(node.sites, 'site'));
    return figures;
  }

  lines(node) {
    const name = node.kind === 'root' ? `All of ${this.kase.label}` : node.name;
    const place = node.place && node.place !== node.name ? [node.place] : [];
    return [name, ...place, this.figures(node).join(' · ')];
  }

  tell(node) {
    if (!node || node.value === 0) return;
    const [name, ...rest] = this.lines(node);
    this.details.replaceChildren(el('strong', {}, name), ...rest.map(line => el('div', {}, line)));
    if (!this.choose || node.frame === null) return;
    const more = el('button', { type: 'button', class: 'flame-choose' }, 'Its types and sites');
    more.addEventListener('click', () => this.choose(node.frame));
    this.details.append(more);
  }

  pointAt(event) {
    const box = this.boxOf(event.target);
    this.tip.hidden = !box;
    if (!box) return;
    this.tell(box.node);
    if (event.pointerType === 'touch') {
      this.tip.hidden = true;
      return;
    }
    this.tip.replaceChildren(...this.lines(box.node).map(line => el('div', {}, line)));
    const { innerWidth, innerHeight } = window;
    const { width, height } = this.tip.getBoundingClientRect();
    const below = event.clientY + 18 + height < innerHeight;
    this.tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - width - 8))}px`;
    this.tip.style.top = `${below ? event.clientY + 18 : Math.max(4, event.clientY - height - 10)}px`;
  }

  focusOn(box) {
    for (const other of this.tree.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    box.element.tabIndex = 0;
    this.tell(box.node);
  }

  zoomTo(node, hasFocus) {
    const around = new Set();
    for (let outer = node; outer; outer = outer.parent) around.add(outer);
    this.zooms = [...this.zooms.filter(zoom => around.has(zoom) && zoom !== node), node];
    this.draw();
    if (hasFocus) this.boxesOfNodes.get(node).element.focus({ preventScroll: true });
  }

  drawCrumbs() {
    const crumbs = this.zooms.map((node, index) => {
      const name = flameLabel(node.name, 40);
      if (index === this.zooms.length - 1) return el('span', { 'aria-current': 'true', title: node.name }, name);
      const crumb = el('button', { type: 'button', title: node.name }, name);
      crumb.addEventListener('click', () => this.zoomTo(node, true));
      return crumb;
    });
    if (this.zooms.length > 1) {
      const reset = el('button', { type: 'button', class: 'flame-reset' }, 'Reset zoom');
      reset.addEventListener('click', () => this.zoomTo(this.root, true));
      crumbs.push(reset);
    }
    this.crumbs.replaceChildren(...crumbs);
  }

  press(event) {
    const box = this.boxOf(event.target);
    if (!box || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') this.zoomTo(box.node, true);
    else if (!this.walk(box, event.key)) return;
    event.preventDefault();
  }

  // Goes to a neighbor of a box, if the key is one that does.
  walk({ node, left }, key) {
    const drawn = wanted => this.boxesOfNodes.get(wanted);
    const row = () => this.boxes.filter(box => box.node.depth === node.depth);
    const distance = box => Math.abs(box.left - left);
    const nearest = boxes => boxes.reduce((best, box) => (best && distance(best) <= distance(box) ? best : box), null);
    const ways = {
      ArrowUp: () => drawn(node.parent),
      ArrowDown: () => node.children.map(drawn).find(Boolean),
      ArrowLeft: () => nearest(row().filter(box => box.left < left)),
      ArrowRight: () => nearest(row().filter(box => box.left > left)),
      Home: () => drawn(this.root),
    };
    if (!ways[key]) return false;
    const element = ways[key]()?.element;
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
    return true;
  }
}
