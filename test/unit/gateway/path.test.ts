import assert from 'node:assert/strict';
import { type CountedCalls, countCalls, sumOf } from '../../../bench/path/countedCalls.ts';

/**
 * How many of the project's functions one exchange calls, as in docs/performance.md. A change that needs more than 10 %
 * more has to say what for, and changes these figures.
 */
const CALLS: Readonly<Record<string, number>> = {
  'JSON answer, passed': 400,
  'each further event, passed': 8,
  'JSON answer, translated': 605,
  'each further event, translated': 15,
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

  for (const [name, calls] of Object.entries(CALLS)) {
    it(`calls about ${calls} functions: ${name}`, () => {
      const work = counted.find((each) => each.name === name);
      assert.ok(work, 'it was counted');
      assert.ok(sumOf(work).calls > 1, 'calls were counted');
      const sum = wholeCalls(work);
      assert.ok(sum <= calls * TOLERANCE, `${sum} calls instead of about ${calls}`);
    });
  }
});
