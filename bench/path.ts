/**
 * Counts what one exchange calls: a measure of the path's length that does not depend on the machine. `--json FILE`
 * saves each function, `--functions` prints them.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type CountedCalls, countCalls, sumOf } from './path/countedCalls.ts';

const { values } = parseArgs({ options: { json: { type: 'string' }, functions: { type: 'boolean', default: false } } });
const NAME = 36;
const CELL = 12;

const counted = await countCalls();
for (const work of counted) show(work);
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(counted, undefined, 2)}\n`);

function show(work: CountedCalls): void {
  row(work.name, ['calls', 'functions', 'files']);
  const folders = [...new Set(work.functions.map(({ file }) => folderOf(file)))].map((folder) => ({
    folder,
    sum: sumOf(work, folder),
  }));
  for (const { folder, sum } of folders.toSorted((a, b) => b.sum.calls - a.sum.calls)) sumRow(`  ${folder}`, sum);
  sumRow('all', sumOf(work));
  if (!values.functions) return;
  for (const { file, name, calls } of work.functions.toSorted((a, b) => b.calls - a.calls))
    console.log(`  ${calls.toFixed(2).padStart(8)}  ${name || '(anonymous)'}  ${file}`);
}

/** Folders of the gateway are parts of their own. */
function folderOf(file: string): string {
  const [root, part, inner] = file.split('/');
  return part === 'gateway' ? `${root}/${part}/${inner}/` : `${root}/${part}/`;
}

function sumRow(name: string, { calls, functions, files }: ReturnType<typeof sumOf>): void {
  row(name, [calls < 100 ? calls.toFixed(1) : calls.toFixed(0), String(functions), String(files)]);
}

function row(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(NAME) + cells.map((cell) => cell.padStart(CELL)).join(''));
}
