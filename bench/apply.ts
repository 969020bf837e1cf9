/**
 * Measures how long Apply takes for a file of 5,000 lines, in CPU time of its thread: the first time in a new process, and later.
 * The ratio is to a comparison of the file with the result by lines. `node bench/apply.ts`.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { diffLines } from 'diff';
import { propose } from '../src/chat/apply/proposal.ts';

const LINES = 5000;
/** A function in the middle, of which a line changes. */
const CHANGED = Math.floor(LINES / 20);
const PROCESSES = 5;
const REPEATS = 20;
const MARK = '// ... existing code ...';

function functionOf(index: number, limit: number): readonly string[] {
  return [
    `/** Handles the order ${index}. */`,
    `export async function handle${index}(order: Order, rate: number): Promise<number> {`,
    `  const total${index} = await sum(order.items, ${index});`,
    `  if (total${index} > ${limit}) {`,
    `    throw new RangeError(\`Order \${order.id} exceeds ${index}\`);`,
    '  }',
    `  return total${index} * rate;`,
    '}',
    '',
    '',
  ];
}

const fileWith = (limit: number) =>
  Array.from({ length: LINES / 10 }, (_, index) => functionOf(index, index === CHANGED ? limit : index))
    .flat()
    .join('\n');
const file = fileWith(CHANGED);
const shown = functionOf(CHANGED, 9999).join('\n').trim();
const marked = shown.split('\n').toSpliced(6, 1, `  ${MARK}`).join('\n');
const CODES: Readonly<Record<string, string>> = {
  'whole file': fileWith(9999),
  'function alone': shown,
  'function between marks': `${MARK}\n\n${shown}\n\n${MARK}`,
  'marks within a function': `${MARK}\n\n${marked}\n\n${MARK}`,
};

function cpuMs(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function apply(code: string): void {
  if (propose(file, code, 'orders.ts') !== fileWith(9999)) throw new Error('The code is not applied.');
}

const [form] = process.argv.slice(2);
if (form === undefined) {
  const baseline = median(Array.from({ length: REPEATS }, () => cpuMs(() => diffLines(file, fileWith(9999)))));
  for (const [name, code] of Object.entries(CODES)) {
    const path = fileURLToPath(import.meta.url);
    const first = Array.from({ length: PROCESSES }, () => Number(execFileSync(process.execPath, [path, name])));
    const later = median(Array.from({ length: REPEATS }, () => cpuMs(() => apply(code))));
    console.log(
      `${name}: ${median(first).toFixed(0)} ms first, ${later.toFixed(0)} ms later, ${(later / baseline).toFixed(1)} of a comparison`,
    );
  }
} else {
  console.log(cpuMs(() => apply(CODES[form] ?? '')));
}
