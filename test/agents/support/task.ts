/** A small task in a folder of its own: two files are missing, and a script checks whether they are correct. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import type { Step } from './toolUse.ts';

export interface Task {
  readonly folder: string;
  readonly prompt: string;
  readonly steps: readonly Step[];
  /**
   * The output of the check if everything is correct. Nothing sent to the model contains it before the check has run.
   */
  readonly password: string;
  remove(): Promise<void>;
}

const SUM = 'export function sum(numbers) {\n  return numbers.reduce((all, one) => all + one, 0);\n}\n';
const MEAN = `import { sum } from './sum.mjs';

/** “ä” and "quotes" are part of it, and so is a backslash: \\\\ */
export function mean(numbers) {
  return sum(numbers) / numbers.length;
}
`;

export async function prepareTask(): Promise<Task> {
  const place: TemporaryFolder = await temporaryFolder();
  const password = randomBytes(8).toString('hex');
  const check = [
    "import { mean } from './mean.mjs';",
    "import { sum } from './sum.mjs';",
    'const right = sum([1, 2, 6]) === 9 && mean([1, 2, 6]) === 3;',
    `console.log(right ? 'All is right, ${password}.' : 'Something is wrong.');`,
  ];
  await writeFile(join(place.path, 'check.mjs'), check.join('\n'));
  return {
    folder: place.path,
    prompt: 'Write sum.mjs and mean.mjs, then run check.mjs and tell me what it says.',
    password,
    steps: [{ file: 'sum.mjs', content: SUM }, { file: 'mean.mjs', content: MEAN }, { command: 'node check.mjs' }],
    remove: () => place.remove(),
  };
}
