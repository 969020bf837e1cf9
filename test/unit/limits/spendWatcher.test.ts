import assert from 'node:assert/strict';
import { SpendWatcher } from '../../../src/limits/spendWatcher.ts';

describe('the watched spending sums of the ledger', () => {
  const watchers: SpendWatcher<readonly number[]>[] = [];
  let sums: readonly (readonly number[] | Error)[];
  let reads: number;
  let changes: (readonly number[])[];
  let failures: unknown[];

  beforeEach(() => {
    sums = [];
    reads = 0;
    changes = [];
    failures = [];
  });
  afterEach(() => {
    for (const watcher of watchers.splice(0)) watcher.dispose();
  });

  function watcherOf(onRead: () => void = () => undefined): SpendWatcher<readonly number[]> {
    const watcher = new SpendWatcher<readonly number[]>({
      initial: [],
      read: async (set) => {
        const sum = sums[reads++] ?? [];
        onRead();
        if (sum instanceof Error) throw sum;
        set(sum);
      },
      onDidChange: () => changes.push(watcher.value),
      onFailure: (error) => failures.push(error),
      quietMs: 0,
    });
    watchers.push(watcher);
    return watcher;
  }

  it('are reported only if they have changed', async () => {
    sums = [[], [1], [1], [2]];
    const watcher = watcherOf();
    for (const _ of sums) await watcher.refresh();
    assert.deepEqual(changes, [[1], [2]]);
  });

  it('stay the same if the ledger cannot be read', async () => {
    const failure = new Error('The disk is full.');
    sums = [[1], failure];
    const watcher = watcherOf();
    await watcher.refresh();
    await watcher.refresh();
    assert.deepEqual([watcher.value, failures], [[1], [failure]]);
  });

  it('are read once for a burst of exchanges', async () => {
    sums = [[1]];
    const read = Promise.withResolvers<void>();
    const watcher = watcherOf(read.resolve);
    for (let nth = 0; nth < 5; nth += 1) watcher.refreshSoon();
    await read.promise;
    assert.equal(reads, 1);
  });

  it('are not read for a burst if they were read in the meantime', async () => {
    const watcher = watcherOf();
    watcher.refreshSoon();
    await watcher.refresh();
    // This timer was set after the one of the burst, so it fires after it.
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(reads, 1);
  });
});
