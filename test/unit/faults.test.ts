import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

const ROOT = new URL('../../', import.meta.url);
/** 1 to 167, and those inserted later. */
const NUMBERS = [...Array.from({ length: 167 }, (_, place) => String(place + 1)), '34b', '34c', '38b', '42b'];

interface Row {
  readonly number: string;
  readonly tests: readonly (readonly [file: string, title: string])[];
}

async function rowsOfPage(): Promise<Row[]> {
  const page = await readFile(new URL('test/faults.md', ROOT), 'utf8');
  return page.split('\n').flatMap((line) => {
    const [, number, , tests = ''] = /^\| (\d+[a-z]?) \|(.*)\|(.*)\|$/.exec(line) ?? [];
    if (number === undefined) return [];
    const named = [...tests.matchAll(/`([^`]+\.test\.ts)` “([^”]+)”/g)];
    return [{ number, tests: named.map(([, file = '', title = '']) => [file, title] as const) }];
  });
}

describe('the list of faults of other gateways', () => {
  it('contains every fault once', async () => {
    const numbers = (await rowsOfPage()).map(({ number }) => number);
    assert.deepEqual(numbers.sort(), [...NUMBERS].sort());
  });

  it('names existing tests for each fault', async () => {
    for (const { number, tests } of await rowsOfPage()) {
      assert.ok(tests.length > 0, `${number} has no test`);
      for (const [file, title] of tests) {
        const source = await readFile(new URL(`test/${file}`, ROOT), 'utf8');
        assert.ok(source.includes(title), `${number}: ${file} has no test “${title}”`);
      }
    }
  });
});
