import assert from 'node:assert/strict';
import { type CountedCalls, countCalls, sumOf } from '../../../bench/path/countedCalls.ts';

/**
 * How many of the project's functions one exchange calls, and of how many files, as in docs/performance.md. A change
 * that needs more than 10 % more has to say what for, and changes these figures.
 */
const PATHS: Readonly<Record<string, { readonly calls: number; readonly files?: number }>> = {
  'JSON answer, passed': { calls: 360, files: 54 },
  'each further event, passed': { calls: 8 },
  'JSON answer, translated': { calls: 545, files: 75 },
  'each further event, translated': { calls: 14.5 },
};
const TOLERANCE = 1.1;

/** How often batches and timers call a function depends on the machine, so only what every exchange calls is counted. */
function wholeCalls({ functions }: CountedCalls): number {
  return functions.reduce((sum, { calls }) => sum + Math.floor(calls + 0.1), 0);
}

describe('the path of an exchange', () => {
  let counted: readonly CountedCalls[];

  before(async () => {
    counted = await countCalls();
  });

  for (const [name, { calls, files }] of Object.entries(PATHS)) {
    const found = () => counted.find((each) => each.name === name) ?? assert.fail('it was not counted');

    it(`calls about ${calls} functions: ${name}`, () => {
      assert.ok(sumOf(found()).calls > 1, 'calls were counted');
      const sum = wholeCalls(found());
      assert.ok(sum <= calls * TOLERANCE, `${sum} calls instead of about ${calls}`);
    });

    if (files === undefined) continue;
    it(`runs through about ${files} files: ${name}`, () => {
      const sum = sumOf(found()).files;
      assert.ok(sum > 1, 'files were counted');
      assert.ok(sum <= files * TOLERANCE, `${sum} files instead of about ${files}`);
    });
  }
});
