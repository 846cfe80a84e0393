// Elements. Whatever comes from the results becomes text, never HTML.

function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) setAttribute(element, name, value);
  fill(element, children);
  return element;
}

// Appends what is there of some children.
function fill(element, ...children) {
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
}

// Sentences whose words between backticks are code.
function sentence(text) {
  const parts = text.split('`');
  // A backtick without its other one is part of a name.
  if (parts.length % 2 === 0) return text;
  return parts.map((part, index) => (index % 2 ? el('code', { dir: 'auto' }, part) : part));
}

function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
  else if (name === 'style') Object.entries(value).forEach(([key, part]) => element.style.setProperty(key, part));
  else element.setAttribute(name, value === true ? '' : value);
}

// A name cut in its middle, where names differ least; the whole one is its title.
function nameOf(text, width, attributes) {
  return el('span', { class: 'name', dir: 'auto', title: text, ...attributes }, shortName(text, width));
}

function swatch(name) {
  return el('span', { class: 'swatch', style: { background: typeColor(name) }, 'aria-hidden': 'true' });
}

function link(state, ...children) {
  return el('a', { href: hashOf(state) }, ...children);
}

function section(title, ...children) {
  return el('section', null, el('h3', null, title), ...children);
}

function facts(pairs) {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const pairsOf = ([name, value]) => el('div', null, el('dt', null, name), el('dd', { dir: 'auto' }, value));
  return el('dl', { class: 'facts' }, shown.map(pairsOf));
}

