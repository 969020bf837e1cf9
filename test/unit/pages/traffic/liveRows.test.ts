import assert from 'node:assert/strict';
import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';
import type { RunningCall, RunningExchange } from '../../../../src/gateway/traffic/protocol.ts';
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

describe('a request of this window in the traffic list', () => {
  const running = { id: 'a', at: 1000, source: 'chatPanel', durationMs: 5 } as const;
  const ended = { ...running, status: 429, end: 'upstreamFailed' } as const;

  it('is not running again once the ledger has it, before the list of running requests is read again', () => {
    const rows = new LiveRows();
    rows.runCalls([running]);
    rows.endCall(ended);
    assert.deepEqual(
      rows.all.map(({ end }) => end),
      ['upstreamFailed'],
    );
    rows.entered(['a']);
    assert.deepEqual(shown(rows), []);
  });

  it('of a client is not running again either', () => {
    const rows = new LiveRows();
    const exchange = { id: 'g', at: 1000, durationMs: 5, bytesIn: 0, bytesOut: 0 } as unknown as RunningExchange;
    rows.run([exchange]);
    rows.end({ ...exchange, status: 429, end: 'upstreamFailed' } as unknown as ExchangeRecord);
    assert.deepEqual(
      rows.all.map(({ end }) => end),
      ['upstreamFailed'],
    );
    rows.entered(['g']);
    assert.deepEqual(shown(rows), []);
  });
});
