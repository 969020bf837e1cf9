import assert from 'node:assert/strict';
import type { RunningCall } from '../../../../src/gateway/traffic/protocol.ts';
import { LiveRows } from '../../../../src/pages/traffic/liveRows.ts';

const call = (id: string, at = 1_000): RunningCall => ({ id, at, source: 'chatPanel', durationMs: 0 });
const shown = (rows: LiveRows) => rows.all.map(({ id }) => id);

describe('requests running in other windows, in the traffic list', () => {
  it('show their elapsed time', () => {
    const rows = new LiveRows();
    rows.runOtherCalls([call('a')], 4_500);
    assert.deepEqual(
      rows.all.map(({ durationMs, end }) => [durationMs, end]),
      [[3_500, undefined]],
    );
  });

  it('stay after their end until they are in the ledger', () => {
    const rows = new LiveRows();
    assert.equal(rows.runOtherCalls([call('a'), call('b')], 2_000), false);
    assert.equal(rows.runOtherCalls([call('b')], 2_200), true);
    assert.deepEqual(shown(rows).sort(), ['a', 'b']);
    rows.entered(['a']);
    assert.deepEqual(shown(rows), ['b']);
  });

  it('disappear if they never reach the ledger', () => {
    const rows = new LiveRows();
    rows.runOtherCalls([call('a')], 2_000);
    rows.runOtherCalls([], 2_200);
    rows.forgetLeaving();
    assert.deepEqual(shown(rows), []);
  });
});
