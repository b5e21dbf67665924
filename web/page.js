/*
 * page.js - the front end of a page: draws the program's cells, and passes it keys, clicks and
 * time.
 *
 * The program is src/ as WebAssembly; core/web.h declares the functions called here. The page's
 * content is JSON in the element "data": {"language", "sources": [{"line", "title"}], "files":
 * [{"name", "bytes"}]}, with bytes in base64; with "follows" the page follows a class (class.js, which
 * is loaded first). Texts of the program and of the page are shown as text, never as markup.
 */
'use strict';
(() => {
const CELL_BYTES = 24; // struct cell, view/grid.h
const BOLD = 1, DIM = 2, UNDERLINE = 4, REVERSE = 8; // term/palette.h
const NO_ACTION = 0;
const LEAST_COLUMNS = 60, LEAST_ROWS = 20;

const by = id => document.getElementById(id);
const screen = by('screen'), bar = by('bar'), spoken = by('spoken');
let practice = null; // practice.js
let program; // the exports of the WebAssembly
let data, follower = null, source = 0, light = false, zoom = 0, columns = 80, rows = 24;

/* ---- the program's memory ---- */

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const letters = atob(base64), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

const memory = () => new Uint8Array(program.memory.buffer);
const decoder = new TextDecoder(), encoder = new TextEncoder();

function take(pointer) { // a string in the program's memory
  if (!pointer) return '';
  const all = memory();
  return decoder.decode(all.subarray(pointer, all.indexOf(0, pointer)));
}

function give(bytes) { // a copy in the program's memory, followed by a NUL
  const pointer = program.malloc(bytes.length + 1);
  if (!pointer) throw new Error('out of memory');
  memory().set(bytes, pointer);
  memory()[pointer + bytes.length] = 0;
  return pointer;
}

function call(name, ...given) { // calls a function that takes strings or numbers
  const pointers = given.map(one => typeof one === 'string' ? give(encoder.encode(one)) : 0);
  const result = program[name](...given.map((one, at) => pointers[at] || one));
  pointers.forEach(pointer => program.free(pointer));
  return result;
}

const say = english => take(call('page_say', english));

/* ---- the system calls that the program imports ---- */

const NOT_THERE = 52; // WASI's ENOSYS
const view = () => new DataView(program.memory.buffer);
const system = {
  clock_time_get: (clock, precision, result) => {
    const milliseconds = clock === 0 ? Date.now() : performance.now();
    view().setBigUint64(result, BigInt(Math.round(milliseconds * 1e6)), true);
    return 0;
  },
  random_get: (at, count) => { crypto.getRandomValues(memory().subarray(at, at + count)); return 0; },
  environ_sizes_get: (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
  environ_get: () => 0,
  proc_exit: status => { throw new Error('shflviz ended: ' + status); },
};
const imports = {
  wasi_snapshot_preview1: new Proxy(system, { get: (known, name) => known[name] || (() => NOT_THERE) }),
  page: { print: (at, count) => console.log(decoder.decode(memory().subarray(at, at + count))) },
};

/* ---- colours ---- */

const paints = new Map();

function paintOf(style) { // role | group << 8 | flags << 16
  let paint = paints.get(style);
  if (!paint) {
    const words = new Int32Array(program.memory.buffer,
      program.page_paint(style & 255, style >> 8 & 255, style >> 16 & 255, light), 3);
    const colour = value => value < 0 ? '' : '#' + value.toString(16).padStart(6, '0');
    paint = { front: colour(words[0]), back: colour(words[1]), attributes: words[2] };
    if (paint.attributes & REVERSE)
      [paint.front, paint.back] = [paint.back || 'var(--back)', paint.front || 'var(--front)'];
    paints.set(style, paint);
  }
  return paint;
}

/* ---- the screen ---- */

let shown = []; // a signature of each drawn row

/* The cells of a row as runs of one style. Plain letters, one column wide, are joined; all other
 * cells are separate runs, so that a font with wider arrows shifts nothing. */
function readRow(cells, row) {
  const runs = [];
  for (let x = 0; x < columns; x++) {
    const at = (row * columns + x) * CELL_BYTES;
    const glyph = cells.getUint32(at, true);
    if (glyph === 0) continue; // the right half of the previous cell
    const style = cells.getUint8(at + 12) | cells.getUint8(at + 13) << 8 | cells.getUint8(at + 14) << 16;
    const width = x + 1 < columns && cells.getUint32(at + CELL_BYTES, true) === 0 ? 2 : 1;
    let text = String.fromCodePoint(glyph);
    for (let mark = 4; mark < 12 && cells.getUint32(at + mark, true); mark += 4)
      text += String.fromCodePoint(cells.getUint32(at + mark, true));
    const link = cells.getUint8(at + 16) !== NO_ACTION;
    const plain = width === 1 && glyph < 0x250 && text.length === 1;
    const last = runs[runs.length - 1];
    if (last && plain && last.plain && last.style === style && last.link === link) last.text += text;
    else runs.push({ text, style, link, plain, width, at: x });
  }
  const last = runs[runs.length - 1];
  if (last && last.plain && !paintOf(last.style).back && !(paintOf(last.style).attributes & UNDERLINE)) {
    last.text = last.text.trimEnd();
    if (!last.text) runs.pop();
  }
  return runs;
}

function drawRun(run) {
  const span = document.createElement('span');
  const paint = paintOf(run.style);
  span.textContent = run.text;
  if (paint.front) span.style.color = paint.front;
  if (paint.back) span.style.backgroundColor = paint.back;
  const names = [];
  if (!run.plain) { names.push('cell'); span.style.width = run.width + 'ch'; }
  if (run.link) names.push('link');
  if (paint.attributes & BOLD) names.push('bold');
  if (paint.attributes & DIM) names.push('dim');
  if (paint.attributes & UNDERLINE) names.push('under');
  if (names.length) span.className = names.join(' ');
  return span;
}

function draw() {
  if (screen.hidden) return; // exercises are shown
  const at = program.page_draw(columns, rows);
  if (!at) return;
  for (let row = 0; row < rows; row++) {
    const runs = readRow(new DataView(program.memory.buffer, at), row);
    const signature = JSON.stringify(runs);
    if (shown[row] === signature) continue;
    shown[row] = signature;
    if (!screen.children[row]) screen.append(Object.assign(document.createElement('div'), { className: 'row' }));
    screen.children[row].replaceChildren(...runs.map(drawRun), '\n');
  }
  while (screen.children.length > rows) screen.lastChild.remove();
  shown.length = rows;
  announce(false);
}

/* ---- for screen readers ---- */

let heard = new Set(), heardAt = 0; // the texts on the screen at the last announcement; its time

const isHeading = runs => runs.filter(run => run.text === '\u2500').length > 8; // a pane's heading

/* The words of runs. If a row has several choices, such as phases, only the one with a background is
 * announced; lines, boxes, wires and lists of numbers are left out. */
function audible(runs) {
  const choices = runs.filter(run => run.link), chosen = choices.filter(run => paintOf(run.style).back);
  if (chosen.length === 1 && choices.length > 2) runs = runs.filter(run => run === chosen[0] || !run.link && run.text !== '\u203a');
  else if (isHeading(runs)) return '';
  const words = runs.map(run => run.text).join('').replace(/[\u2500-\u25ff\u2800-\u28ff]+/g, ' ').replace(/ \u203a /g, ', ')
    .replace(/\s+/g, ' ').trim();
  return /^(\S+ )?(-?\d+ ){6}/.test(words) ? '' : words;
}

/* The texts to announce for the screen, the most important first: the message; the paragraphs to the
 * right of a vertical line, which would otherwise be mixed with the table row by row; the title; the
 * selected lane. A sentence describes that lane, so the rows of the table are not announced.
 * Code, which is recognized by consecutive line numbers, is announced if little else is new. */
function sayings() {
  const all = shown.map(row => JSON.parse(row)), counts = new Map();
  for (const run of all.flat()) if (run.text === '\u2502') counts.set(run.at, (counts.get(run.at) || 0) + 1);
  const [line] = [...counts].sort((a, b) => b[1] - a[1]).find(([, count]) => count >= 6) || [columns];
  const divided = all.map(runs => runs.some(({ at, text }) => at === line && text === '\u2502'));
  const isTable = runs => runs && runs.some(run => run.at < line && run.text === '\u258c');
  const left = all.map((runs, row) => isTable(runs) || isTable(all[row + 1]) ? '' : audible(runs.filter(run => !divided[row] || run.at < line)));
  const right = all.map((runs, row) => divided[row] ? audible(runs.filter(run => run.at > line)) : '');
  const code = [], number = words => Number(/^(\d+)( |$)/.exec(words || '')?.[1]);
  for (const side of [left, right])
    [...side].forEach((words, row, rest) => {
      if (number(rest[row - 1]) !== number(words) - 1 && number(rest[row + 1]) !== number(words) + 1) return;
      code.push(words);
      side[row] = '';
    });
  // Below a pane's heading each line is an item, continued by indented lines; prose has empty lines between paragraphs.
  let items = false, margin = 0;
  const paragraphs = right.reduce((made, words, row) => {
    const runs = all[row].filter(run => run.at > line), indent = /^ */.exec(runs.map(run => run.text).join(''))[0].length;
    if (isHeading(runs) && all[row].some(({ at, text }) => at === line && '\u2502\u251c\u250c'.includes(text))) [items, margin] = [true, 99];
    if (!words || items && indent <= margin) made.push(words);
    else made.push((made.pop() + ' ' + words).trim());
    if (words) margin = Math.min(margin, indent);
    return made;
  }, ['']);
  const last = all[rows - 1].length < 6 ? left[rows - 1] : ''; // a message, or otherwise the keys
  const words = [last, ...paragraphs, ...left.slice(0, 4), left[rows - 3], ...left.slice(4, -1), left[rows - 1]];
  return { words: [...new Set(words)].filter(one => /[\p{L}\p{N}]/u.test(one)), code };
}

/* Announces what is new on the screen, or all of it. */
function announce(everything) {
  if (screen.hidden) return;
  const now = sayings(), isNew = words => everything || !heard.has(words);
  const said = now.words.filter(isNew);
  if (said.length < 4) said.push(...now.code.filter(isNew));
  if (everything) said.push(say('The arrow keys step, ? lists the keys, Shift+Tab moves to the buttons.'));
  heard = new Set([...now.words, ...now.code]);
  if (!said.length) return;
  heardAt = performance.now();
  spoken.textContent = said.join('. ').replace(/([.?!:\u3002\uff1f\uff01])\. /g, '$1 ').slice(0, 1200);
}

/* Finds out how many cells there is room for; on a narrow screen the letters get smaller instead. */
function measure() {
  const room = screen.clientWidth - 8, height = screen.clientHeight - 8;
  const probe = document.createElement('span');
  probe.className = 'aside';
  probe.textContent = '0'.repeat(100);
  let size = 16 * Math.pow(1.1, zoom);
  screen.style.fontSize = '100px';
  screen.append(probe);
  probe.style.width = 'auto';
  probe.style.height = 'auto';
  probe.style.lineHeight = 'normal';
  const ratio = probe.getBoundingClientRect().width / 100 / 100, high = probe.getBoundingClientRect().height / 100;
  probe.remove();
  if (zoom <= 0) size = Math.min(size, room / (LEAST_COLUMNS + 0.5) / ratio);
  screen.style.fontSize = size + 'px';
  // A row is as high as the font's box-drawing characters, in whole pixels, because otherwise vertical
  // lines would have gaps.
  const line = Math.floor(size * high * devicePixelRatio) / devicePixelRatio;
  screen.style.setProperty('--line', line + 'px');
  columns = Math.max(LEAST_COLUMNS, Math.floor(room / (size * ratio)));
  rows = Math.max(LEAST_ROWS, Math.floor(height / line));
}

function redraw() {
  shown = [];
  paints.clear();
  measure();
  draw();
}

/* ---- turns ---- */

let timer = 0, told = performance.now(), stands = false;

function tick() {
  if (stands) return false;
  const now = performance.now();
  const changed = program.page_tick(Math.round(now - told));
  told = now;
  return changed;
}

/* All events go through this function. */
function turn(does) {
  clearTimeout(timer);
  try {
    let changed = tick();
    changed = does && does() || changed;
    while (stands && program.page_wait() === 0) changed = program.page_tick(0) || changed; // the program is counting
    if (changed) {
      followQuiz();
      draw();
      tellMoment();
      if (follower) follower.moved();
    }
    const line = take(program.page_copy());
    if (line && navigator.clipboard) navigator.clipboard.writeText(line).catch(() => {});
    const wait = program.page_wait();
    if (wait >= 0 && !stands) timer = setTimeout(turn, Math.max(wait, 15));
  } catch (error) {
    fail(error);
  }
}

function key(name) {
  by('trouble').hidden = true;
  if (!follower || !follower.key(name)) turn(() => call('page_key', name));
}

/* ---- a quiz about what is shown ---- */

const QUIZ_POSSIBLE = 1, QUIZ_ON = 2; // enum page_quizzing
let quizzing = 0, left = '';

function beginQuiz(seed, level) {
  left = moment.replace(/^[0-9]+:/, '');
  if (!program.page_quiz(seed, level)) throw new Error(take(program.page_error()));
  return true;
}

function quiz() {
  if (quizzing === QUIZ_ON) turn(() => begin(source));
  else if (quizzing === QUIZ_POSSIBLE) turn(() => beginQuiz(Date.now() % 0x7fffffff, 1));
}

/* The button names its action. Leaving a quiz returns to the moment before it. */
function followQuiz() {
  const now = program.page_quizzing(), made = by('quiz');
  if (quizzing === QUIZ_ON && now !== QUIZ_ON && left) call('page_go', left);
  quizzing = now;
  if (!made) return;
  made.hidden = now !== QUIZ_POSSIBLE && now !== QUIZ_ON;
  made.textContent = say(now === QUIZ_ON ? 'back from the quiz' : 'quiz');
}

/* ---- links to moments ---- */

let moment = '';

/* Puts the moment into the address: "#beat", "#step,lane,view"; for any source after the first, "#2:beat". */
function tellMoment() {
  const now = (source ? source + 1 + ':' : '') + take(program.page_moment());
  document.title = take(program.page_title()) || data.sources[source].title;
  if (now === moment || quizzing === QUIZ_ON || practice.isOpen()) return;
  tellAddress(now);
}

function tellAddress(now) {
  moment = now;
  try { history.replaceState(null, '', '#' + encodeURI(moment)); } catch (error) { /* may fail for local files */ }
}

function linked() {
  try { return decodeURI(location.hash.slice(1)); } catch (error) { return location.hash.slice(1); } // a truncated link
}

function goMoment(link) {
  let wanted = link;
  by('trouble').hidden = true;
  if (!wanted || wanted === moment) return false;
  if (wanted.startsWith('exercise/')) {
    openExercises(wanted.slice(9));
    return true;
  }
  const numbered = /^([0-9]+):(.*)$/.exec(wanted);
  const number = numbered ? Number(numbered[1]) - 1 : 0;
  if (numbered) wanted = numbered[2];
  const known = number >= 0 && number < data.sources.length, before = source;
  if (known && number !== source) begin(number);
  if (!known || !call('page_go', wanted)) {
    tell(`${say('There is no such moment here:')} #${link}`);
    if (source !== before) begin(before);
    call('page_go', moment.replace(/^[0-9]+:/, ''));
  }
  moment = ''; // so that the address names the moment shown
  return true;
}

/* ---- keys, mouse, touch ---- */

const KEYS = { ArrowRight: 'Right', ArrowLeft: 'Left', ArrowUp: 'Up', ArrowDown: 'Down', ' ': 'Space', Home: 'Home', End: 'End',
  PageUp: 'PageUp', PageDown: 'PageDown', Enter: 'Enter', Escape: 'Escape', Backspace: 'Backspace', Delete: 'Delete',
  Insert: 'Insert', F1: 'F1', Tab: 'Tab' };

function keyName(event) {
  if (event.metaKey || event.altKey || event.isComposing) return '';
  if (event.ctrlKey) return /^[lL]$/.test(event.key) ? 'Ctrl-L' : '';
  if (event.key === 'Tab' && event.shiftKey) return ''; // so that the focus can leave the screen
  return KEYS[event.key] || ([...event.key].length === 1 ? event.key : '');
}

function onKey(event) {
  const name = keyName(event);
  if (!name) return;
  event.preventDefault();
  key(name);
}

/* The cell under a point of the window. */
function cellAt(event) {
  const box = screen.getBoundingClientRect(), first = screen.firstChild.getBoundingClientRect();
  const width = parseFloat(getComputedStyle(screen).fontSize) * ratioOf();
  return [Math.floor((event.clientX - first.left) / width), Math.floor((event.clientY - first.top) / first.height), box];
}

let ratio = 0;
function ratioOf() { // the width of a letter, in font sizes
  if (!ratio) {
    const probe = Object.assign(document.createElement('span'), { textContent: '0'.repeat(100) });
    screen.append(probe);
    ratio = probe.getBoundingClientRect().width / 100 / parseFloat(getComputedStyle(screen).fontSize);
    probe.remove();
  }
  return ratio;
}

let wheeled = 0;
function onWheel(event) {
  if (event.ctrlKey) return; // Ctrl and the wheel zoom the page
  event.preventDefault();
  wheeled += event.deltaY;
  if (Math.abs(wheeled) < 40) return;
  const [x, y] = cellAt(event);
  const way = wheeled > 0 ? 1 : -1;
  wheeled = 0;
  turn(() => program.page_point(x, y, way));
}

function onClick(event) {
  if (String(getSelection())) return; // something was selected, not clicked
  const [x, y] = cellAt(event);
  turn(() => program.page_point(x, y, 0));
}

let touched = null;
function onTouchStart(event) { touched = event.touches.length === 1 ? event.touches[0] : null; }
function onTouchEnd(event) { // swiping turns pages, as in a book
  if (!touched) return;
  const x = event.changedTouches[0].clientX - touched.clientX, y = event.changedTouches[0].clientY - touched.clientY;
  touched = null;
  if (Math.max(Math.abs(x), Math.abs(y)) < 40) return; // a tap is a click
  event.preventDefault();
  if (Math.abs(x) > Math.abs(y)) key(x < 0 ? 'Right' : 'Left');
  else key(y < 0 ? 'Down' : 'Up');
}

/* ---- exercises ---- */

const beginPractice = () => practise({
  count: () => program.page_exercises(),
  exercise: (number, field) => take(program.page_exercise(number, field)),
  judge: (number, code) => call('page_judge', number, code),
  verdict: () => take(program.page_verdict()),
  showRun: () => program.page_show_run(),
  say,
  moved: tellAddress,
  aloud: words => { spoken.textContent = words; },
  closed: () => {
    document.body.classList.remove('practising');
    screen.hidden = false;
    moment = '';
    redraw();
    tellMoment();
    screen.focus();
  },
});

function openExercises(name) {
  clearTimeout(timer);
  document.body.classList.add('practising');
  screen.hidden = true;
  spoken.textContent = '';
  practice.open(name);
}

/* ---- the bar ---- */

let pointed = false; // the last input came from a mouse or a finger, not from a key

/* After a click the screen gets the focus; a button that is pressed with the keyboard keeps the focus. */
function returnToScreen() {
  if (pointed) screen.focus();
}

const BUTTONS = [ // its element, its action, its text
  ['\u25c2', () => key('Left'), 'previous phase'],
  ['\u25b8', () => key('Right'), 'next phase'],
  ['\u00ab', () => key('N'), 'previous operation'],
  ['\u00bb', () => key('n'), 'next operation'],
  ['\u25b4', () => key('Up'), 'lane above'],
  ['\u25be', () => key('Down'), 'lane below'],
  ['\u25a6', () => key('Tab'), 'next view'],
  ['\u25b6', () => key('a'), 'play and pause'],
  ['\u21b5', () => key('Enter'), 'Enter'],
  ['Esc', () => key('Escape'), 'Escape'],
  ['?', () => key('?'), 'help'],
];

function button(face, does, words) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = face;
  made.title = words;
  made.setAttribute('aria-label', words);
  made.addEventListener('click', () => { does(); if (!made.dataset.keeps) returnToScreen(); });
  return made;
}

function makeBar() {
  const items = [];
  if (data.sources.length > 1) {
    const list = document.createElement('select');
    list.id = 'sources';
    list.setAttribute('aria-label', say('what is shown'));
    data.sources.forEach((one, number) => list.add(new Option(one.title, number, false, number === source)));
    list.addEventListener('change', () => { turn(() => begin(Number(list.value))); returnToScreen(); });
    items.push(list);
  }
  for (const [face, does, words] of BUTTONS) items.push(button(face, does, say(words)));
  items.forEach(item => { item.className = 'steps'; });
  const asks = button('', quiz, say('questions about what is shown'));
  asks.id = 'quiz';
  asks.className = 'steps';
  items.push(asks);
  if (!data.follows) {
    const opens = button(say('exercises'), () => openExercises(''), say('exercises'));
    opens.id = 'practises';
    opens.dataset.keeps = 'yes';
    items.push(opens);
  }
  const typed = document.createElement('input'); // on a device without a keyboard, this opens the on-screen one
  typed.className = 'steps';
  typed.placeholder = say('type here');
  typed.setAttribute('aria-label', say('type here'));
  typed.autocapitalize = typed.autocomplete = 'off';
  typed.addEventListener('input', event => {
    if (event.isComposing) return;
    for (const letter of typed.value) key(letter === ' ' ? 'Space' : letter);
    typed.value = '';
  });
  typed.addEventListener('keydown', event => {
    if (KEYS[event.key] && event.key !== ' ' && !typed.value) onKey(event);
    event.stopPropagation();
  });
  items.push(typed, Object.assign(document.createElement('span'), { className: 'space' }));
  items.push(button('A\u2212', () => { zoom--; redraw(); }, say('smaller')));
  items.push(button('A+', () => { zoom++; redraw(); }, say('larger')));
  items.push(button('\u25d0', () => useTheme(!light), say('dark or light')));
  const names = { en: 'English', zh: '\u4e2d\u6587' };
  const spoken = take(program.page_language());
  for (const code of take(program.page_languages()).split(' '))
    if (code !== spoken) {
      const other = button(names[code] || code, () => { useLanguage(code); if (!pointed) bar.lastChild.focus(); }, names[code] || code);
      other.lang = code;
      items.push(other);
    }
  bar.replaceChildren(...items);
  bar.hidden = false;
  followQuiz();
}

function useTheme(wanted) {
  light = wanted;
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
  redraw();
}

function useLanguage(code) {
  call('page_use_language', code);
  document.documentElement.lang = code;
  makeBar();
  practice.again();
  shown = [];
  draw();
  tellMoment();
}

/* ---- a class ---- */

const beginFollowing = () => followClass({
  position: () => take(program.page_position()),
  follow: (lesson, at) => turn(() => call('page_follow', lesson, at)),
  asks: asked => program.page_asks(asked),
  answer: () => take(program.page_answer()),
  limit: (lesson, beats) => call('page_limit', lesson, beats),
  held: () => program.page_held() ? say('The class has not answered this question yet.') : '',
  type: text => turn(() => call('page_type', text)),
});

/* ---- startup ---- */

function begin(number) {
  source = number;
  if (by('sources')) by('sources').value = number;
  if (!call('page_begin', data.sources[number].line)) throw new Error(take(program.page_error()));
  return true;
}

function tell(words) {
  by('trouble').textContent = 'shflviz: ' + words;
  by('trouble').hidden = false;
}

function fail(error) {
  tell(error && error.message || error);
  console.error(error);
}

async function load() {
  if (typeof WebAssembly !== 'object' || typeof DecompressionStream !== 'function')
    throw new Error('this browser is too old for this page: it needs WebAssembly and DecompressionStream, which ' +
      'Chromium 80, Firefox 113 and Safari 16.4 have\n' +
      '\u8fd9\u4e2a\u6d4f\u89c8\u5668\u592a\u65e7:\u9700\u8981 WebAssembly \u548c DecompressionStream (Chromium 80\u3001Firefox 113\u3001Safari 16.4)');
  const packed = new Blob([bytesOf(by('program').textContent)]).stream();
  const unpacked = await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  program = (await WebAssembly.instantiate(unpacked, imports)).instance.exports;
  program._initialize();
  practice = beginPractice();
  data = JSON.parse(by('data').textContent);
  for (const file of data.files) {
    const name = give(encoder.encode(file.name)), bytes = bytesOf(file.bytes);
    program.page_file(name, give(bytes), bytes.length);
    program.free(name);
  }
  call('page_use_language', data.language || (navigator.language || 'en'));
  document.documentElement.lang = take(program.page_language());
  begin(0);
  for (const still of document.querySelectorAll('.still')) still.remove();
  makeBar();
  useTheme(matchMedia('(prefers-color-scheme: light)').matches);
  if (goMoment(linked())) draw();
  tellMoment();
  addEventListener('pointerdown', () => { pointed = true; }, true);
  addEventListener('keydown', () => { pointed = false; }, true);
  screen.addEventListener('keydown', onKey);
  screen.addEventListener('focus', () => { if (performance.now() - heardAt > 1000) announce(true); });
  screen.addEventListener('wheel', onWheel, { passive: false });
  screen.addEventListener('click', onClick);
  screen.addEventListener('touchstart', onTouchStart, { passive: true });
  screen.addEventListener('touchend', onTouchEnd);
  addEventListener('hashchange', () => turn(() => goMoment(linked())));
  new ResizeObserver(() => { measure(); shown = []; draw(); }).observe(screen);
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', event => useTheme(event.matches));
  screen.focus();
  announce(true);
  if (data.follows) follower = beginFollowing();
  turn();
  document.documentElement.dataset.ready = Math.round(performance.now());
}

/* For tests, and for programs built on this page: keys by name, time, the screen as text. */
window.shflviz = {
  key,
  stand: () => { stands = true; clearTimeout(timer); }, // from now on only pass() lets time pass
  pass: milliseconds => turn(() => program.page_tick(milliseconds)),
  start: number => turn(() => begin(number)),
  go: text => turn(() => goMoment(text)),
  size: (wide, high) => { columns = wide; rows = high; shown = []; draw(); },
  text: () => [...screen.children].map(row => row.textContent.trimEnd()).join('\n'),
  meaning: (wide, high) => take(program.page_text(wide, high, true)),
  letter: () => ratioOf() * parseFloat(getComputedStyle(screen).fontSize),
  language: useLanguage,
  practise: openExercises,
  quiz: (seed, level) => turn(() => beginQuiz(seed, level)),
};

load().catch(fail);
})();
