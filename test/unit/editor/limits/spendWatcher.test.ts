import assert from 'node:assert/strict';
import { SpendWatcher } from '../../../../src/editor/limits/spendWatcher.ts';

describe('what follows from the sums of the ledger', () => {
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

  it('is told when it has changed, and only then', async () => {
    sums = [[], [1], [1], [2]];
    const watcher = watcherOf();
    for (const _ of sums) await watcher.refresh();
    assert.deepEqual(changes, [[1], [2]]);
  });

  it('stays as it was when the ledger cannot be read', async () => {
    const failure = new Error('The disk is full.');
    sums = [[1], failure];
    const watcher = watcherOf();
    await watcher.refresh();
    await watcher.refresh();
    assert.deepEqual([watcher.value, failures], [[1], [failure]]);
  });

  it('is read once for a burst of exchanges', async () => {
    sums = [[1]];
    const read = Promise.withResolvers<void>();
    const watcher = watcherOf(read.resolve);
    for (let nth = 0; nth < 5; nth += 1) watcher.refreshSoon();
    await read.promise;
    assert.equal(reads, 1);
  });

  it('is not read for a burst when it was read in the meantime', async () => {
    const watcher = watcherOf();
    watcher.refreshSoon();
    await watcher.refresh();
    // This timer was set after the one of the burst, so it fires after it.
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(reads, 1);
  });
});
