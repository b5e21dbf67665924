/*
 * class.js - a student's page in a class: it follows the presentation through the server's events
 * (src/serve/server.h), takes an answer to a question, and lets a student step on her own in
 * between.
 *
 * While she follows, each frame is shown when it arrives. When she moves in the lesson, new frames are no longer shown.
 * The button, the key "@" or a question brings her back. The content of frames is shown as text, never as markup.
 */
'use strict';

/* `player` is the program (page.js): position(), follow(lesson, at), asks(NOTHING | OPEN | ANSWERED), answer(),
   type(text), limit(lesson, beats), and held(), which says why a step was undone, or returns ''. Returns key(name), which
   is true if the key was for the class, and moved(), to be called when the screen has changed. */
function followClass(player) {
const BACK = '@'; // not part of any answer (ACTION_CLASS)
const NOTHING = 0, OPEN = 1, ANSWERED = 2; // enum page_asked
const element = (name, ...inside) => {
  const made = document.createElement(name);
  made.append(...inside);
  return made;
};
const note = element('span'), back = element('button'), label = element('label'), input = element('input');
const send = element('button'), form = element('form', label, input, send), bars = element('div');
const strip = element('section', note, back, form, bars);
let going = false; // while the page goes to the class's position
let words = {}, own = { round: 0, answer: '' }, newest = null, alone = false, followed = '', held = '', trouble = '';

/* A student may choose the lane and the view without leaving the class. */
const place = () => player.position().replace(/ view \d+ lane \d+/, '');
const isAsked = () => newest && newest.state === 'ask' && own.round !== newest.round;

/* ---- the note and the bars ---- */

function paragraph(from) {
  return element(from.kind === 'code' ? 'pre' : 'p', ...from.spans.map(([kind, text]) =>
    kind === 'plain' || from.kind === 'code' ? text : element(kind === 'strong' ? 'strong' : 'code', text)));
}

// The bar is as wide as its share of all answers.
function drawBar(bar, all) {
  const share = Math.round(100 * bar.count / all);
  const mine = own.round === newest.round && bar.answer === own.answer ? ` (${words.yours})` : '';
  const line = element('div'), made = element('div',
    `${bar.right ? '\u2713 ' : ''}${bar.answer === null ? words.others : bar.answer}: ${bar.count} (${share}%)${mine}`, line);
  made.className = bar.right ? 'bar good' : 'bar';
  line.style.width = `${Math.max(1, share)}%`;
  made.append(...(bar.belief || []).map(paragraph));
  return made;
}

function noteOf() {
  if (trouble) return trouble;
  if (held) return held;
  if (alone) return words.alone;
  if (!newest) return '';
  const sent = own.round === newest.round && own.answer ? `${words.sent} ${own.answer}` : '';
  if (newest.state === 'ask') return sent || newest.help;
  if (newest.state === 'shown') return `${words.right} ${newest.right}${sent ? ' \u2014 ' + sent : ''}`;
  return newest.state === 'tell' ? words.following : words[newest.state];
}

function show() {
  const counted = !alone && newest && newest.state === 'shown' && newest.bars || [];
  note.textContent = noteOf() || '';
  back.hidden = !alone;
  form.hidden = !isAsked();
  bars.hidden = !counted.length;
  bars.replaceChildren(...counted.map(bar => drawBar(bar, Math.max(1, counted.reduce((sum, one) => sum + one.count, 0)))));
}

/* ---- following ---- */

function goThere() {
  if (!newest || !newest.at) return;
  going = true;
  player.follow(newest.lesson, newest.at);
  going = false;
  player.asks(newest.state !== 'ask' ? NOTHING : isAsked() ? OPEN : ANSWERED);
  followed = place();
}

function comeBack() {
  alone = false;
  goThere();
  show();
}

function take(frame) {
  const again = newest && frame.state === 'ask' && newest.state === 'ask' && newest.round === frame.round;
  newest = frame;
  trouble = '';
  held = '';
  player.limit(frame.lesson || '', frame.beats || '');
  if (frame.state === 'ask') alone = false;
  if (!again && frame.state === 'ask') input.value = '';
  if (!alone && !again) goThere(); // the text typed so far stays
  show();
}

function moved() {
  held = player.held();
  if (isAsked() && document.activeElement !== input) input.value = player.answer();
  if (going || !newest || !newest.at || newest.state === 'ask') return;
  alone = alone || place() !== followed;
  show();
}

/* ---- answering ---- */

async function answer() {
  const typed = (input.value || player.answer()).trim(), round = newest.round;
  if (!typed) return;
  send.disabled = true;
  try {
    const reply = await fetch('answer', { method: 'POST', body: `${round}\n${typed}` });
    const said = (await reply.text()).trim();
    trouble = reply.ok ? '' : said;
    if (reply.ok) own = { round, answer: said };
    if (reply.ok && newest.state === 'ask' && newest.round === round) player.asks(ANSWERED);
  } catch {
    trouble = words.lost;
  }
  send.disabled = false;
  show();
}

function key(name) {
  if (name === BACK) {
    if (alone) comeBack();
    return true;
  }
  if (name !== 'Enter' || !newest || newest.state !== 'ask') return false;
  if (isAsked()) answer();
  return true;
}

/* ---- events ---- */

function listen() {
  const source = new EventSource('events');
  const on = (name, does) => source.addEventListener(name, event => { does(JSON.parse(event.data)); show(); });
  on('words', said => {
    words = said;
    label.textContent = words.answer;
    send.textContent = words.send;
    back.textContent = words.now;
  });
  on('own', said => { own = said; });
  on('frame', take);
  on('bye', () => { source.close(); trouble = words.elsewhere; });
  source.onerror = () => {
    trouble = words.lost;
    show();
    if (source.readyState !== EventSource.CLOSED) return; // the browser reconnects by itself
    setTimeout(async () => { // refused: the class may have been restarted; requesting the page gets a new token
      const reply = await fetch('plain').catch(() => ({}));
      if (reply.redirected) location.reload(); // the room was emptied: the reload leads to the form for the code
      else listen();
    }, 3000 + Math.random() * 4000);
  };
}

strip.id = 'class';
note.setAttribute('role', 'status');
back.type = 'button';
back.title = BACK;
input.id = 'answer';
input.maxLength = 150;
input.autocomplete = input.autocapitalize = 'off';
input.spellcheck = false;
label.htmlFor = 'answer';
bars.className = 'bars';
back.addEventListener('click', comeBack);
input.addEventListener('input', () => player.type(input.value));
form.addEventListener('submit', event => { event.preventDefault(); answer(); });
document.getElementById('screen').before(strip);
show();
listen();
return { key, moved };
}
