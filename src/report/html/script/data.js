// Reads what src/report/html/data.rs writes: rows whose zeros at the end are left out, texts and stacks told by their number.

const CHANGES = ['', 'appeared', 'grew', 'shrank', 'gone'];
const EVENT_KINDS = ['allocate', 'reallocate', 'free'];

function readData() {
  return decode(JSON.parse(document.getElementById('data').textContent));
}

function decode(data) {
  const { texts } = data;
  const optional = index => (index ? texts[index - 1] : null);
  const frames = decodeFrames(data.frames, texts, optional);
  const shared = { texts, optional, frames, stackOf: stackReader(data.stacks) };
  const reports = data.runs.map(run => decodeRun(run, shared));
  const colors = new Map(data.colors.map(([name, parts]) => [texts[name], `rgb(${parts.join(', ')})`]));
  return { reports, colors, difference: data.difference && decodeDifference(data.difference, reports, shared) };
}

// Functions and where each calls; `first` is the first frame of the same function, which stands for all of them.
function decodeFrames(frames, texts, optional) {
  const firsts = new Map();
  return frames.map(([name, place], index) => {
    if (!firsts.has(name)) firsts.set(name, index);
    return { function: texts[name], location: optional(place), first: firsts.get(name) };
  });
}

// The frames of a stack, innermost first, from the number of its innermost call.
function stackReader({ back, frames }) {
  return call => {
    const stack = [];
    for (let number = call; number > 0; number -= back[number - 1]) stack.push(frames[number - 1]);
    return stack;
  };
}

function decodeRun(run, shared) {
  return {
    profile: run.profile,
    title: run.title,
    seeAlso: run.see_also,
    environment: run.environment,
    finding: run.finding,
    notes: run.notes,
    frames: shared.frames,
    cases: run.cases.map((kase, index) => decodeCase(kase, index, shared)),
  };
}

function decodeCase(kase, index, shared) {
  return {
    index,
    raw: kase,
    label: kase.label,
    codec: kase.codec,
    model: kase.model,
    operation: kase.operation,
    variant: kase.variant,
    batch: kase.batch,
    threads: kase.threads,
    parallel: kase.parallel === true,
    // At least one, as figures are divided by it.
    iterations: Math.max(kase.iterations, 1),
    encodedBytes: kase.encoded_bytes,
    allocationsPerOp: kase.allocations_per_op,
    reallocationsPerOp: kase.reallocations_per_op,
    bytesPerOp: kase.bytes_per_op,
    freesPerOp: kase.frees_per_op,
    modelledDotnetBytesPerOp: kase.modelled_dotnet_bytes_per_op,
    peakLiveBytes: kase.peak_live_bytes,
    peakErrorBytes: kase.peak_error_bytes,
    leakedBytes: kase.leaked_bytes,
    untypedShare: kase.untyped_share,
    torn: kase.torn,
    ratio: kase.ratio,
    allocRatio: kase.alloc_ratio,
    totals: camelKeys(kase.totals),
    first: camelKeys(kase.first_operation),
    time: camelKeys(kase.time),
    published: camelKeys(kase.published),
    references: kase.references ?? [],
    types: kase.types.map((row, number) => decodeType(row, number, shared)),
    sites: kase.sites.map((row, number) => decodeSite(row, number, kase, shared)),
    events: decodeEvents(kase.heap_events),
    eventsComplete: kase.heap_events_complete,
    run: kase.heap_run[0].map((operations, at) => ({ operations, liveBytes: kase.heap_run[1][at] })),
    sizeClasses: kase.size_classes.map(size => ({ from: size.from_bytes, to: size.to_bytes, requests: size.requests })),
    lifetimes: kase.lifetimes.map(life => ({
      from: life.from_allocations, to: life.to_allocations, blocks: life.blocks,
    })),
  };
}

function camelKeys(fields) {
  if (!fields) return null;
  const camel = key => key.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [camel(key), value]));
}

function decodeType(row, index, { texts, optional }) {
  return {
    index,
    name: texts[row[0]],
    path: texts[row[1]],
    dotnet: optional(row[2]),
    kind: row[3],
    merged: row[4],
    allocations: row[5],
    reallocations: row[6],
    bytes: row[7],
    allocationsPerOp: row[8],
    reallocationsPerOp: row[9],
    bytesPerOp: row[10],
    percent: row[11],
    modelledDotnetBytesPerOp: row[12],
    blockTypes: row[13].map(([name, allocations, reallocations, bytes]) => (
      { name: texts[name], allocations, reallocations, bytes })),
    sites: row[14],
  };
}

function decodeSite(row, index, kase, { texts, optional, stackOf }) {
  const at = place => row[place] || 0;
  const operations = Math.max(kase.iterations, 1);
  const all = kase.totals.allocated_bytes + kase.totals.grown_bytes;
  const usual = [at(4) / operations, at(5) / operations, all ? (100 * at(5)) / all : 0];
  const [allocationsPerOp, bytesPerOp, percent] = row[15] || usual;
  return {
    index,
    type: at(0),
    block: texts[at(1)],
    stack: stackOf(at(2)),
    own: at(3) ? at(3) - 1 : null,
    allocations: at(4),
    bytes: at(5),
    lifetimeSum: at(6),
    meanLifetime: at(7),
    reallocations: at(8),
    label: optional(at(9)),
    truncated: at(10) === 1,
    peakBytes: at(11),
    peakBlocks: at(12),
    liveBytes: at(13),
    liveBlocks: at(14),
    allocationsPerOp,
    bytesPerOp,
    percent,
  };
}

function decodeEvents([kinds, order]) {
  const events = kinds.map(([kind = 0, type = 0, bytes = 0, formerType = 0, formerBytes = 0]) => (
    { kind: EVENT_KINDS[kind], type, formerType, bytes, formerBytes }));
  return order.map(kind => events[kind]);
}

function decodeDifference(difference, [oldReport, newReport], shared) {
  const caseOf = (report, index) => (index === null ? null : report.cases[index]);
  const changed = difference.cases.map(([oldIndex, newIndex, changes]) => ({
    old: caseOf(oldReport, oldIndex), new: caseOf(newReport, newIndex), ...decodeChanges(changes, shared),
  }));
  return {
    changed,
    unchanged: difference.unchanged,
    onlyOld: difference.only_old.map(index => caseOf(oldReport, index)),
    onlyNew: difference.only_new.map(index => caseOf(newReport, index)),
  };
}

function decodeChanges(changes, { texts, stackOf }) {
  return {
    operations: changes.operations,
    whole: decodeSides(changes.whole),
    types: changes.types.map(([name, path, sides]) => (
      { name: texts[name], path: texts[path], ...decodeSides(sides) })),
    unchangedTypes: changes.unchanged_types,
    sites: changes.sites.map(([owner, call, sides]) => (
      { owner: texts[owner], stack: stackOf(call), ...decodeSides(sides) })),
    unchangedSites: changes.unchanged_sites,
  };
}

function decodeSides([before, now, change]) {
  const figures = side => side && { allocationsPerOp: side[0], reallocationsPerOp: side[1], bytesPerOp: side[2] };
  return { before: figures(before), now: figures(now), change: CHANGES[change] };
}

