// A student's page: follows the class, asks its questions, and can go back to earlier frames. All
// text becomes text nodes; nothing received is parsed as HTML.
'use strict';

const at = id => document.getElementById(id);
const MOST = 400; // frames kept for going back
const frames = [];
let words = {}, shown = -1, following = true, own = { round: 0, answer: '' };

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function paragraph(from) {
  const made = element(from.kind === 'code' ? 'pre' : 'p', from.kind);
  for (const [kind, text] of from.spans)
    made.append(kind === 'plain' || from.kind === 'code' ? text : element(kind === 'strong' ? 'strong' : 'code', '', text));
  return made;
}

function barOf(bar, most, frame) {
  const made = element('div', bar.right ? 'bar good' : 'bar');
  const name = bar.answer === null ? words.others : bar.answer;
  const mine = own.round === frame.round && bar.answer === own.answer ? ` (${words.yours})` : '';
  const line = element('div');
  line.style.width = `${Math.max(1, Math.round(100 * bar.count / most))}%`;
  made.append(element('span', '', `${bar.right ? '✓ ' : ''}${name}: ${bar.count}${mine}`), line);
  for (const part of bar.belief || []) made.append(paragraph(part));
  return made;
}

function drawBars(frame) {
  const bars = frame.bars || [];
  const most = Math.max(1, ...bars.map(bar => bar.count));
  at('bars').replaceChildren(...bars.map(bar => barOf(bar, most, frame)));
}

function drawPicture(rows) {
  at('picture').replaceChildren(...(rows || []).map(runs => {
    const row = element('div', 'row');
    for (const [classes, text] of runs) row.append(element('span', classes, text));
    return row;
  }));
}

function note(frame) {
  if (frame.state === 'ask' && own.round === frame.round) return `${words.sent} ${own.answer}`;
  if (frame.state === 'shown' && frame.right) return `${words.right} ${frame.right}`;
  return words[frame.state] || '';
}

function draw() {
  const frame = frames[shown];
  if (!frame) return;
  const newest = shown === frames.length - 1;
  const asks = newest && frame.state === 'ask' && own.round !== frame.round;
  if (asks && at('ask').hidden) at('answer').value = '';
  at('ask').hidden = !asks;
  at('help').textContent = frame.help || '';
  at('title').textContent = frame.title || '';
  at('place').textContent = frame.place || '';
  at('text').replaceChildren(...(frame.text || []).map(paragraph));
  at('note').textContent = note(frame);
  drawBars(frame);
  drawPicture(frame.picture);
  at('back').disabled = shown === 0;
  at('on').disabled = newest;
  at('now').hidden = following;
}

function step(by) {
  shown = Math.min(frames.length - 1, Math.max(0, shown + by));
  following = shown === frames.length - 1;
  draw();
}

function take(frame) {
  frames.push(frame);
  if (frames.length > MOST) {
    frames.shift();
    if (!following) shown = Math.max(0, shown - 1);
  }
  if (following || frame.state === 'ask') { // a question calls everybody back
    following = true;
    shown = frames.length - 1;
  }
  draw();
}

async function send(event) {
  event.preventDefault();
  const frame = frames[frames.length - 1];
  const typed = at('answer').value.trim();
  if (!typed || !frame) return;
  at('send').disabled = true;
  try {
    const reply = await fetch('answer', { method: 'POST', body: `${frame.round}\n${typed}` });
    const said = (await reply.text()).trim();
    if (reply.ok) own = { round: frame.round, answer: said };
    draw();
    if (!reply.ok) at('note').textContent = said;
  } catch {
    at('note').textContent = words.lost;
  }
  at('send').disabled = false;
}

function follow() {
  const source = new EventSource('events');
  source.addEventListener('words', event => {
    words = JSON.parse(event.data);
    document.documentElement.lang = words.language;
    at('ask-label').textContent = words.answer;
    at('send').textContent = words.send;
    at('back').textContent = `← ${words.back}`;
    at('on').textContent = `${words.on} →`;
    at('now').textContent = words.now;
    draw();
  });
  source.addEventListener('own', event => { own = JSON.parse(event.data); draw(); });
  source.addEventListener('frame', event => take(JSON.parse(event.data)));
  source.addEventListener('bye', () => {
    source.close();
    at('note').textContent = words.elsewhere;
  });
  source.onerror = () => {
    at('note').textContent = words.lost || '';
    if (source.readyState === EventSource.CLOSED) // refused: the page may be outdated
      setTimeout(() => location.reload(), 3000 + Math.random() * 4000);
  };
}

at('ask').addEventListener('submit', send);
at('back').addEventListener('click', () => step(-1));
at('on').addEventListener('click', () => step(1));
at('now').addEventListener('click', () => step(frames.length));
follow();
