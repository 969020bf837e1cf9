/**
 * Measures what Apply makes of the changes of real commits, in answers of several forms:
 *
 *     node bench/applyCommits.ts --parsers FOLDER [--seed 1] [--count 45] [--form TEXT] [--language .ts]
 *       [--show lost,other] [--only NAME] REPOSITORY…
 *
 * FOLDER has `npm install @vscode/tree-sitter-wasm yaml`, which find the items of files. `--show` prints the failed answers
 * with these outcomes, of the half that is read.
 */
import { parseArgs } from 'node:util';
import { createTwoFilesPatch } from 'diff';
import { FORMS, type WrittenAnswer } from './applyCommits/answers.ts';
import { ItemComparison } from './applyCommits/changedItems.ts';
import { type CommitChange, changesIn } from './applyCommits/changes.ts';
import { type JudgedAnswer, judge, lostLines, OUTCOMES } from './applyCommits/outcome.ts';
import { ItemParser } from './applyCommits/parsedItems.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    parsers: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '45' },
    form: { type: 'string', default: '' },
    language: { type: 'string', default: '' },
    show: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
  },
});
if (values.parsers === undefined || positionals.length === 0) throw new Error('Name --parsers and repositories.');
const parser = await ItemParser.load(values.parsers);
const shown = new Set(values.show.split(','));
const counts = new Map<string, number>();
const tally = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
let [skipped, moved, equal] = [0, 0, 0];

function measure(change: CommitChange): void {
  const [before, after] = [change.before, change.after].map((text) => {
    const items = parser.parse(change.path, text);
    return items && { lines: text.replace(/\n$/, '').split('\n'), items };
  });
  if (before === undefined || after === undefined) {
    skipped += 1;
    return;
  }
  const { changes, removed, hasMoved } = new ItemComparison(before, after);
  if (hasMoved) moved += 1;
  else if (changes.every(({ state }) => state === 'same')) equal += 1;
  else {
    for (const [form, write] of Object.entries(FORMS)) {
      const answer = write({ ...change, before, after, changes });
      if (!form.includes(values.form) || answer.code.trim() === '') continue;
      const judged = judge(change, answer, removed);
      tally(`${form} ${change.isRead} ${judged.outcome}`);
      if (change.isRead && shown.has(judged.outcome)) print(change, form, answer, judged);
    }
  }
}

function print(change: CommitChange, form: string, { code }: WrittenAnswer, { outcome, result }: JudgedAnswer): void {
  const { name, before, after } = change;
  const patch = (from: string, to: string) => createTwoFilesPatch('', '', from, to).split('\n').slice(3).join('\n');
  console.log(`\n======== ${outcome}: ${form}: ${name}\n-------- change\n${patch(before, after)}`);
  console.log(`-------- answer\n${code}`);
  if (result === undefined) return;
  console.log(`-------- result instead of it\n${patch(after, result)}`);
  console.log(
    lostLines(change, result)
      .map((line) => `lost: ${line}\n`)
      .join(''),
  );
}

for (const folder of positionals) {
  const options = { seed: values.seed, count: Number(values.count) };
  for (const change of changesIn(folder, parser.extensions, options)) {
    if (change.path.endsWith(values.language) && change.name.includes(values.only)) measure(change);
  }
}

console.log(`Not measured: ${skipped} with errors of syntax, ${moved} that move items, ${equal} between items.`);
for (const isRead of [true, false]) {
  console.log(
    `\n| ${isRead ? 'Read' : 'Held out'} | Answers | ${OUTCOMES.join(' | ')} |\n|---|${'---|'.repeat(OUTCOMES.length + 1)}`,
  );
  for (const form of Object.keys(FORMS)) {
    const row = OUTCOMES.map((outcome) => counts.get(`${form} ${isRead} ${outcome}`) ?? 0);
    console.log(`| ${[form, row.reduce((sum, count) => sum + count, 0), ...row].join(' | ')} |`);
  }
}
