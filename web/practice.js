/*
 * practice.js - exercises in a page: the task, an editor for the code, the verdict.
 *
 * The program judges the code (core/practice.c); page.js passes functions in `page`: exercise(number,
 * field) and say(english) return texts, judge(number, code) returns the kind of verdict, verdict() its
 * words; showRun() shows the judged run's recording on the screen; closed() is called when the exercises
 * are closed. aloud(words) is for screen readers.
 */
'use strict';
function practise(page) {
const NAME = 0, TITLE = 1, CHAPTER = 2, TASK = 3, SKELETON = 4, SOLUTION = 5, AFTER = 6, HINT = 7; // core/web.h
const PASSED = 0, NOT_COMPILED = 4; // enum verdict_kind
const by = id => document.getElementById(id);
const place = by('practice'), drafts = new Map(), passed = new Set();
let number = 0, hints = 0, leaves = false;

const make = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};
const text = field => page.exercise(number, field);

/* Formats `code` and **strong**; the rest is shown as it is. */
function inline(words) {
  return words.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map(part =>
    part[0] === '`' && part.length > 1 ? make('code', { textContent: part.slice(1, -1) }) :
    part.startsWith('**') ? make('strong', { textContent: part.slice(2, -2) }) : part);
}

function prose(markdown) {
  return markdown.trim().split(/\n\n+/).map(block => {
    if (/^( {4}|```)/.test(block)) return make('pre', { textContent: block.replace(/^ {4}|^```.*$/gm, '').trimEnd() });
    if (/^[-*] /.test(block)) return make('ul', {}, ...block.split(/\n(?=[-*] )/).map(item => make('li', {}, ...inline(item.slice(2)))));
    return make('p', {}, ...inline(block.replace(/\n/g, ' ')));
  });
}

function button(words, does) {
  const made = make('button', { type: 'button', textContent: page.say(words) });
  made.addEventListener('click', does);
  return made;
}

/* Tab types four spaces, as used in the skeletons. After Escape, the next Tab leaves the editor. */
function onKey(event) {
  const code = event.target;
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    judge();
  } else if (event.key === 'Tab' && !event.shiftKey && !leaves) {
    event.preventDefault();
    code.setRangeText('    ', code.selectionStart, code.selectionEnd, 'end');
  } else if (event.key !== 'Shift') {
    leaves = event.key === 'Escape';
  }
  event.stopPropagation();
}

function keepDraft() {
  const code = by('code');
  if (code) drafts.set(number, code.value);
}

function showVerdict(kind) {
  const out = by('verdict');
  out.className = kind === PASSED ? 'good' : 'bad';
  const said = make('span', {}, page.verdict()); // in one piece, because screen readers say separate pieces twice
  if (kind === PASSED) {
    passed.add(number);
    by('exercises').selectedOptions[0].textContent = nameOf(number);
    const after = text(AFTER);
    if (after) said.append(make('div', {}, ...prose(after)));
  }
  if (kind > PASSED && kind !== NOT_COMPILED) {
    const sees = button('see the run', () => { if (page.showRun()) close(); });
    sees.id = 'sees';
    said.append(sees);
  }
  out.replaceChildren(said);
}

function judge() {
  keepDraft();
  by('verdict').className = '';
  by('verdict').textContent = page.say('judging') + ' \u2026';
  setTimeout(() => showVerdict(page.judge(number, by('code').value)), 20); // lets the browser show the text first
}

function showHint() {
  const hint = text(HINT + hints);
  if (!hint) return;
  hints++;
  by('hints').append(make('li', {}, ...prose(hint)));
  page.aloud(by('hints').lastChild.textContent);
  if (!text(HINT + hints)) by('hint').hidden = true;
}

const nameOf = at => (passed.has(at) ? '\u2713 ' : '') + page.exercise(at, TITLE);

function makeList() {
  const list = make('select', { id: 'exercises' });
  list.setAttribute('aria-label', page.say('exercise'));
  let group = null;
  for (let at = 0; at < page.count(); at++) {
    const chapter = page.exercise(at, CHAPTER);
    if (!group || group.label !== chapter) list.append(group = make('optgroup', { label: chapter }));
    group.append(new Option(nameOf(at), at, false, at === number));
  }
  list.addEventListener('change', () => { keepDraft(); show(Number(list.value)); by('exercises').focus(); });
  return list;
}

function replace(field) {
  by('code').value = text(field);
  by('code').focus();
}

function show(wanted) {
  number = wanted;
  hints = 0;
  const code = make('textarea', { id: 'code', value: drafts.has(number) ? drafts.get(number) : text(SKELETON), spellcheck: false,
    wrap: 'off', autocapitalize: 'off', autocomplete: 'off' });
  code.setAttribute('aria-describedby', 'asked tabs');
  code.addEventListener('keydown', onKey);
  const hint = button('hint', showHint);
  hint.id = 'hint';
  const judges = button('judge', judge);
  judges.id = 'judge';
  place.replaceChildren(
    make('div', { className: 'task' }, makeList(), make('div', { id: 'asked' }, make('h1', { textContent: text(TITLE) }), ...prose(text(TASK))),
      make('ul', { id: 'hints' })),
    make('div', { className: 'answer' },
      make('label', { htmlFor: 'code', textContent: page.say('your code') }), code,
      make('p', { id: 'tabs', textContent: page.say('Tab indents; Escape, then Tab leaves the code. Ctrl+Enter judges.') }),
      make('div', { className: 'row-of-buttons' }, judges, hint,
        button('begin again', () => replace(SKELETON)), button('solution', () => replace(SOLUTION)), button('close', close)),
      make('output', { id: 'verdict' })));
  by('verdict').setAttribute('role', 'status');
  by('verdict').setAttribute('aria-label', page.say("The judge says:"));
  page.moved('exercise/' + text(NAME));
}

function close() {
  keepDraft();
  place.hidden = true;
  page.closed();
}

return {
  isOpen: () => !place.hidden,
  open: name => {
    for (let at = 0; name && at < page.count(); at++) if (page.exercise(at, NAME) === name) number = at;
    place.hidden = false;
    show(number);
    by('code').focus();
  },
  again: () => { if (!place.hidden) { keepDraft(); show(number); } }, // shows the exercise again, in another language
};
}
