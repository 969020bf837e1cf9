import assert from 'node:assert/strict';
import type { TrafficHostMessage, TrafficPageMessage, TrafficRow } from '../../../../src/editor/traffic/protocol.ts';
import { TrafficStore } from '../../../../src/panels/traffic/store.ts';

const EMPTY = { type: 'list', choice: {}, hasMore: false, exchanges: 0, cost: 0, sampleCost: 0 } as const;

function row(id: string): TrafficRow {
  return { id, at: 1, source: 'gateway', durationMs: 1_000 };
}

describe('an exchange that the traffic tab is asked to open', () => {
  let store: TrafficStore;
  let posted: TrafficPageMessage[];
  let tell: (message: TrafficHostMessage) => void;
  let stop: () => void;

  beforeEach(() => {
    posted = [];
    store = new TrafficStore({
      post: (message) => posted.push(message),
      listen: (receive) => {
        tell = receive;
        return () => undefined;
      },
      kept: () => undefined,
      keep: () => undefined,
    });
    stop = store.start();
  });
  afterEach(() => {
    store.closeExchange();
    stop();
  });

  const asked = () => posted.filter(({ type }) => type === 'readDetails');

  it('is opened where it is listed', () => {
    tell({ ...EMPTY, rows: [row('a'), row('b')], opened: 'b' });
    assert.equal(store.openRow.value?.id, 'b');
    assert.deepEqual(asked(), [{ type: 'readDetails', id: 'b' }]);
  });

  it('is opened once it comes among those that run, and only then', () => {
    tell({ ...EMPTY, rows: [row('a')], opened: 'b' });
    assert.equal(store.open.value, undefined);
    tell({ type: 'live', rows: [row('b')] });
    assert.equal(store.openRow.value?.id, 'b');
    store.closeExchange();
    tell({ type: 'live', rows: [row('b')] });
    assert.equal(store.open.value, undefined);
  });

  it('gives way to one that the person opens before it comes', () => {
    tell({ ...EMPTY, rows: [row('a')], opened: 'b' });
    store.openExchange(row('a'));
    tell({ type: 'newer', rows: [row('b')], exchanges: 2, cost: 0, sampleCost: 0 });
    assert.equal(store.openRow.value?.id, 'a');
  });
});
