// Numbers as people read them; the exact one is always within reach, as the title of its cell.

const NONE = '–';
const OTHER_COLOR = 'rgb(170, 170, 170)';

let colorsOfTypes = new Map();

// A whole number whole; another with two decimals, or with three digits when it is below one.
function formatCount(number) {
  if (number === null || number === undefined) return NONE;
  if (Number.isInteger(number)) {
    // Larger ones than a script can hold to the last digit.
    const about = Number.isSafeInteger(number) ? '' : '≈ ';
    return about + (Math.abs(number) < 1e21 ? separate(BigInt(number).toString()) : number.toExponential(3));
  }
  const size = Math.abs(number);
  const decimals = size >= 1 ? 2 : Math.min(9, 2 - Math.floor(Math.log10(size)));
  return separate(number.toFixed(decimals));
}

function separate(digits) {
  const [whole, fraction] = digits.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',').replace('-', '−');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

function formatBytes(number) {
  return number === null || number === undefined ? NONE : `${formatCount(number)} B`;
}

// A case's peak, with what it may be off.
function formatPeak({ peakLiveBytes, peakErrorBytes }) {
  const error = peakErrorBytes > 0 ? ` ± ${formatCount(peakErrorBytes)}` : '';
  return formatCount(peakLiveBytes) + error;
}

function formatRatio(number) {
  if (number === null || number === undefined) return NONE;
  return number > 0 && number < 0.01 ? number.toPrecision(2) : separate(number.toFixed(2));
}

function formatPercent(number) {
  return number > 0 && number < 0.005 ? '<0.01' : number.toFixed(2);
}

function formatSigned(number) {
  return number > 0 ? `+${formatCount(number)}` : formatCount(number);
}

function plural(number, one, several = `${one}s`) {
  return `${formatCount(number)} ${number === 1 ? one : several}`;
}

function useColors(colors) {
  colorsOfTypes = colors;
}

// A type's color, as in the charts beside the results.
function typeColor(name) {
  return colorsOfTypes.get(name) ?? OTHER_COLOR;
}

function shortName(text, width) {
  const letters = Array.from(text);
  if (letters.length <= width) return text;
  const front = Math.ceil((width - 1) / 2);
  return `${letters.slice(0, front).join('')}…${letters.slice(letters.length - (width - 1 - front)).join('')}`;
}

