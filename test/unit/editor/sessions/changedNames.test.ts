import assert from 'node:assert/strict';
import { changedNames } from '../../../../src/editor/sessions/changedNames.ts';
import type { TrafficDetails, TrafficQuestion } from '../../../../src/gateway/traffic/protocol.ts';
import { row } from './rows.ts';

describe('the names of what made the cache of a session miss', () => {
  const missed = (reason: 'tools_changed' | 'cold') => row({ cacheMiss: { reason, missedTokens: 5_000 } });

  it('are asked of the gateway, for the latest avoidable misses that it remembers', async () => {
    const known = Array.from({ length: 25 }, () => missed('tools_changed'));
    const [forgotten, cold] = [missed('tools_changed'), missed('cold')];
    const asked: string[] = [];
    const askTraffic = async (question: TrafficQuestion) => {
      assert.ok(question.kind === 'details');
      const { id } = question;
      asked.push(id);
      if (id === forgotten.id) return undefined;
      const cacheMiss = { reason: 'tools_changed', missedTokens: 5_000, changed: `tool of ${id}` };
      return { id, record: { cacheMiss } } as unknown as TrafficDetails;
    };
    const names = await changedNames([forgotten, row(), cold, ...known], { rpc: { askTraffic } as never });
    assert.deepEqual(
      asked,
      [forgotten, ...known.slice(0, 19)].map(({ id }) => id),
    );
    assert.deepEqual(
      [...names],
      known.slice(0, 19).map(({ id }) => [id, `tool of ${id}`]),
    );
  });
});
