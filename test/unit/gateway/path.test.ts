import assert from 'node:assert/strict';
import { type CountedCalls, countCalls, MEASURED, sumOf, UNMEASURED } from '../../../bench/path/countedCalls.ts';

/**
 * How many of the project's functions one exchange calls, and of how many files, as in docs/performance.md. A change
 * that needs more than 10 % more has to say what for, and changes these figures.
 */
const PATHS: Readonly<Record<string, { readonly calls: number; readonly files?: number }>> = {
  'JSON answer, passed': { calls: 335, files: 50 },
  'each further event, passed': { calls: 8 },
  'JSON answer, translated': { calls: 520, files: 70 },
  'each further event, translated': { calls: 14.5 },
};
const TOLERANCE = 1.1;
/** What the measure of a request's context may add before the end of its answer. */
const MAX_MEASURE_CALLS = 2;

/**
 * How often batches and timers call a function depends on the machine, so only what every exchange calls is counted. The
 * ledger is omitted: a timer starts its batches, and on a slow machine, each exchange has one of its own.
 */
function withoutBatches(work: CountedCalls): CountedCalls {
  return { ...work, functions: work.functions.filter(({ file }) => !file.startsWith('src/ledger/')) };
}

function wholeCalls({ functions }: CountedCalls): number {
  return functions.reduce((sum, { calls }) => sum + Math.floor(calls + 0.1), 0);
}

describe('the path of an exchange', () => {
  let counted: readonly CountedCalls[];

  before(async () => {
    counted = await countCalls();
  });

  const find = (name: string) =>
    withoutBatches(counted.find((each) => each.name === name) ?? assert.fail(`${name} was not counted`));

  it('calls at most two functions more until an answer ends if its context is measured', () => {
    const without = find(UNMEASURED).functions;
    assert.ok(without.length > 100, `${without.length} functions were called without the measure`);
    const callsWithout = new Map(without.map(({ file, at, calls }) => [`${file}:${at}`, calls]));
    const added = find(MEASURED).functions.filter(
      ({ file, at, calls }) => calls > 0.9 && (callsWithout.get(`${file}:${at}`) ?? 0) < 0.1,
    );
    const calls = added.reduce((sum, each) => sum + Math.round(each.calls), 0);
    const names = added.map(({ file, name }) => `${file} ${name}`).join(', ');
    assert.ok(calls >= 1 && calls <= MAX_MEASURE_CALLS, `${calls} calls more: ${names}`);
  });

  it('calls nothing of the measure if there is no session, or if it is switched off', () => {
    for (const name of [UNMEASURED, 'JSON answer, passed', 'JSON answer, translated']) {
      const measuring = find(name).functions.filter(({ file }) => file.startsWith('src/gateway/context/'));
      assert.deepEqual(measuring, [], name);
    }
  });

  for (const [name, { calls, files }] of Object.entries(PATHS)) {
    const found = () => find(name);

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
