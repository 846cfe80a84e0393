// What is said of a whole run, above and below the table of its cases.

function drawOverview(report, state) {
  content.append(el('h1', { dir: 'auto' }, report.title || report.profile || 'Results'));
  if (report.finding) content.append(el('p', { class: 'finding', dir: 'auto' }, sentence(report.finding)));
  content.append(notes(report));
  if (report.cases.length === 0) {
    content.append(el('p', { class: 'hint' }, 'No case was measured.'));
    return;
  }
  content.append(...drawCases(report, { run: state.run }), environment(report));
}

function notes(report) {
  const [setting, trust, ...rest] = report.notes;
  const lines = rest.filter(line => line !== report.seeAlso);
  return el('div', { class: 'notes' }, el('p', { class: 'muted' }, setting, el('br'), trust), warnings(lines),
    report.seeAlso ? el('p', { class: 'muted', dir: 'auto' }, sentence(report.seeAlso)) : null);
}

function warnings(lines) {
  return lines.length ? el('ul', { class: 'warnings' }, lines.map(line => el('li', { dir: 'auto' }, sentence(line)))) : null;
}

function environment(report) {
  const rows = Object.entries(report.environment).map(([name, value]) => [words(name), shownValue(value)]);
  return el('details', { class: 'environment' }, el('summary', null, 'Where and how it ran'), facts(rows));
}

function words(name) {
  const text = name.replace(/_/g, ' ');
  return text[0].toUpperCase() + text.slice(1);
}

function shownValue(value) {
  if (Array.isArray(value)) return value.length ? value.join(', ') : 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? formatCount(value) : value;
}

