import assert from 'node:assert/strict';
import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';
import { movesAfter, type RouteMoves } from '../../../../src/pages/routes/routeMoves.ts';

const FAILED = { upstream: 'vendor', model: 'opus', at: 1, durationMs: 1, status: 529, failure: 'server' };
const ANSWERED = { upstream: 'local', model: 'qwen', at: 2, durationMs: 1, status: 200 };

const record = (id: string, more: Partial<ExchangeRecord>): ExchangeRecord => ({
  ...{ id, at: 1, callerFormat: 'messages', durationMs: 2, bytesIn: 1, bytesOut: 1, end: 'completed' },
  ...{ model: 'coding', route: { name: 'coding' }, status: 200 },
  ...more,
});
const moved = (id: string) => record(id, { upstream: 'local', upstreamModel: 'qwen', attempts: [FAILED, ANSWERED] });
const direct = (id: string, upstream: string, upstreamModel: string) => record(id, { upstream, upstreamModel });

describe('a failed-over route', () => {
  const after = (...records: readonly ExchangeRecord[]) => [
    ...records.reduce<RouteMoves>(movesAfter, new Map()).values(),
  ];
  const MOVE = { route: 'coding', from: 'vendor/opus', to: 'local/qwen', exchange: 'a' };

  it('is reported once for any number of requests', () => {
    assert.deepEqual(after(moved('a'), moved('b'), direct('c', 'local', 'qwen')), [MOVE]);
  });

  it('is no longer reported when its first model answers again', () => {
    assert.deepEqual(after(moved('a'), direct('b', 'vendor', 'opus')), []);
  });

  it('is reported again when it moves on', () => {
    const [move] = after(moved('a'), direct('b', 'cloud', 'sonnet'));
    assert.deepEqual(move, { ...MOVE, to: 'cloud/sonnet', exchange: 'b' });
  });

  it('is tracked separately for each rule', () => {
    const other = record('b', { route: { name: 'coding', rule: 1 }, upstream: 'cloud', upstreamModel: 'sonnet' });
    assert.deepEqual(after(moved('a'), other), [MOVE]);
  });

  it('is reported for each rule whose first model failed', () => {
    const other = { ...moved('b'), route: { name: 'coding', rule: 1 } };
    assert.deepEqual(after(moved('a'), other), [MOVE, { ...MOVE, rule: 1, exchange: 'b' }]);
  });

  it('is not reported if all upstreams failed, or for a request without a route', () => {
    const failed = record('a', {
      upstream: 'vendor',
      status: 503,
      attempts: [FAILED, { ...FAILED, upstream: 'local' }],
    });
    const { route: _, ...plain } = moved('b');
    assert.deepEqual(after(failed, plain), []);
  });
});
