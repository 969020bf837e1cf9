import assert from 'node:assert/strict';
import type { KeptTraffic, TrafficHostMessage, TrafficRow } from '../../../../src/pages/traffic/protocol.ts';
import type { TrafficPageMessage } from '../../../../src/pages/traffic/trafficMessages.ts';
import { TrafficStore } from '../../../../src/panels/traffic/store.ts';

const EMPTY = { type: 'list', choice: {}, hasMore: false, exchanges: 0, cost: 0, sampleCost: 0 } as const;

function row(id: string): TrafficRow {
  return { id, at: 1, source: 'gateway', durationMs: 1_000 };
}

describe('an exchange requested to open in the traffic tab', () => {
  let store: TrafficStore;
  let posted: TrafficPageMessage[];
  let tell: (message: TrafficHostMessage) => void;
  let stop: () => void;
  /** The state that the page stores while it is hidden. */
  let kept: KeptTraffic | undefined;
  /** One store for each time that the page was shown. */
  let stores: TrafficStore[];

  const show = () => {
    store = new TrafficStore({
      post: (message) => posted.push(message),
      listen: (receive) => {
        tell = receive;
        return () => undefined;
      },
      kept: () => kept,
      keep: (state) => {
        kept = state;
      },
    });
    stop = store.start();
    stores.push(store);
  };
  beforeEach(() => {
    posted = [];
    stores = [];
    kept = undefined;
    show();
  });
  afterEach(() => {
    for (const each of stores) each.closeExchange();
    stop();
  });

  const asked = () => posted.filter(({ type }) => type === 'readDetails');

  it('is opened if it is listed', () => {
    tell({ ...EMPTY, rows: [row('a'), row('b')], opened: 'b' });
    assert.equal(store.openRow.value?.id, 'b');
    assert.deepEqual(asked(), [{ type: 'readDetails', id: 'b' }]);
  });

  it('is opened once when it appears among the running ones', () => {
    tell({ ...EMPTY, rows: [row('a')], opened: 'b' });
    assert.equal(store.open.value, undefined);
    tell({ type: 'live', rows: [row('b')] });
    assert.equal(store.openRow.value?.id, 'b');
    store.closeExchange();
    tell({ type: 'live', rows: [row('b')] });
    assert.equal(store.open.value, undefined);
  });

  it('is not opened if the user opens another one first', () => {
    tell({ ...EMPTY, rows: [row('a')], opened: 'b' });
    store.openExchange(row('a'));
    tell({ type: 'newer', rows: [row('b')], exchanges: 2, cost: 0, sampleCost: 0 });
    assert.equal(store.openRow.value?.id, 'a');
  });

  it('is opened again when the tab is shown again, unless it was closed or replaced', () => {
    const rows = [row('a'), row('b')];
    const again = () => {
      stop();
      show();
    };
    tell({ ...EMPTY, rows });
    store.openExchange(row('b'));
    again();
    tell({ ...EMPTY, rows });
    assert.equal(store.openRow.value?.id, 'b');
    again();
    tell({ ...EMPTY, rows, opened: 'a' });
    assert.equal(store.openRow.value?.id, 'a');
    store.closeExchange();
    again();
    tell({ ...EMPTY, rows });
    assert.equal(store.open.value, undefined);
  });
});
