import assert from 'node:assert/strict';
import type { SessionSums, TrafficRow } from '../../../../../src/pages/traffic/protocol.ts';
import { type TreeNode, type TreeSource, treeNodes } from '../../../../../src/panels/traffic/tree/treeNodes.ts';
import { hitRate } from '../../../../../src/panels/traffic/tree/treeSums.ts';
import { nodeWords } from '../../../../../src/panels/traffic/tree/treeWords.ts';

let made = 0;

function row(members: Partial<TrafficRow> = {}): TrafficRow {
  made += 1;
  return { id: `r${made}`, at: made, source: 'gateway', sessionId: 's', durationMs: 1, end: 'completed', ...members };
}

function session(members: Partial<SessionSums> = {}): SessionSums {
  return {
    sessionId: 's',
    at: 1,
    lastAt: 2,
    source: 'gateway',
    localKeyId: '',
    client: '',
    conversationId: '',
    model: '',
    otherModels: 0,
    turns: 0,
    exchanges: 0,
    unpriced: 0,
    estimated: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    cost: 0,
    isSample: false,
    cacheSaving: 0,
    avoidable: 0,
    lastEnd: 'completed',
    ...members,
  };
}

function nodesOf(rows: readonly TrafficRow[], open: readonly string[], more: Partial<TreeSource> = {}) {
  return treeNodes({
    sessions: [session()],
    withoutSession: undefined,
    requests: new Map([['s', { rows, hasMore: false }]]),
    live: [],
    open: new Set(open),
    ...more,
  });
}

const shape = (nodes: readonly TreeNode[]) => nodes.map(({ kind, level }) => `${level} ${kind}`);

describe('the session tree', () => {
  it('names subagents by type, with a number if there are several of one type', () => {
    const rows = [
      row({ turnId: 'm' }),
      row({ agentId: 'a', agentType: 'Explore' }),
      row({ agentId: 'b' }),
      row({ agentId: 'c', agentType: 'Explore' }),
    ];
    const agents = nodesOf(rows, ['session:s']).flatMap((node) => (node.kind === 'agent' ? [node] : []));
    const named = agents.map((node) => nodeWords(node, { viewContext: undefined, titles: {} }).name);
    assert.deepEqual(named, ['Main agent', 'Explore', 'Subagent 2', 'Explore 2']);
  });

  it('is collapsed until a session is opened, and has no level for a single agent', () => {
    const rows = [row({ turnId: 't2' }), row({ turnId: 't1' }), row({ turnId: 't1' })];
    assert.deepEqual(shape(nodesOf(rows, [])), ['1 session']);
    assert.deepEqual(shape(nodesOf(rows, ['session:s'])), ['1 session', '2 turn', '2 request']);
  });

  it('has a level for several agents, the main one first and the others by start time', () => {
    const rows = [
      row({ at: 5, agentId: 'late', turnId: 'x' }),
      row({ at: 4, turnId: 'y' }),
      row({ at: 1, agentId: 'early', turnId: 'z' }),
    ];
    const nodes = nodesOf(rows, ['session:s', 'agent:session:s:early']);
    assert.deepEqual(shape(nodes), ['1 session', '2 agent', '2 agent', '3 request', '2 agent']);
    assert.deepEqual(
      nodes.flatMap((node) => (node.kind === 'agent' ? [node.number] : [])),
      [0, 1, 2],
    );
  });

  it('shows six numbered turns, newest first, with one row for the others', () => {
    const rows = Array.from({ length: 20 }, (_, nth) => row({ at: 100 - nth, turnId: `t${Math.floor(nth / 2)}` }));
    const nodes = nodesOf(rows, ['session:s']);
    assert.deepEqual(
      nodes.flatMap((node) => (node.kind === 'turn' ? [node.number] : [])),
      [10, 9, 8, 7, 6, 5],
    );
    const earlier = nodes.at(-1);
    assert.ok(earlier?.kind === 'earlier' && earlier.count === 4 && earlier.sums.requests === 8);
    assert.equal(nodesOf(rows, ['session:s', earlier.key]).filter(({ kind }) => kind === 'turn').length, 10);
  });

  it('shows the requests of a turn in order', () => {
    const rows = [row({ at: 9, turnId: 't' }), row({ at: 3, turnId: 't' })];
    const turn = nodesOf(rows, ['session:s']).find(({ kind }) => kind === 'turn');
    const nodes = nodesOf(rows, ['session:s', turn?.id ?? '']);
    assert.deepEqual(
      nodes.flatMap((node) => (node.kind === 'request' ? [node.row.at] : [])),
      [3, 9],
    );
  });

  it('adds up exact amounts, and distinguishes zero from unknown', () => {
    const usage = { inputTokens: 100, outputTokens: 1, cachedInputTokens: 70, cacheWriteTokens: 20 };
    const cacheMiss = { reason: 'expired', missedTokens: 5, cost: 0.1 } as const;
    const rows = [
      row({ turnId: 't', usage, cost: 0.1, cacheMiss }),
      row({ turnId: 't', usage, cost: 0.2, cacheMiss: { ...cacheMiss, cost: 0.2 } }),
      row({ turnId: 'u', usage: { inputTokens: 5, outputTokens: 0 } }),
    ];
    const [, unknown, known] = nodesOf(rows, ['session:s']);
    assert.deepEqual(known?.sums, {
      requests: 2,
      uncached: 20,
      read: 140,
      written: 40,
      output: 2,
      cost: 0.3,
      avoidable: 0.3,
      isSample: false,
      isEstimated: false,
    });
    assert.equal(known && hitRate(known.sums), 0.7);
    assert.equal(unknown && hitRate(unknown.sums), undefined);
    assert.deepEqual([unknown?.sums.cost, unknown?.sums.read, unknown?.sums.uncached], [undefined, undefined, 5]);
  });

  it('never adds sample money to real money', () => {
    const sample = { upstream: 'sandbox', turnId: 't', cost: 0.5 };
    const [, mixed] = nodesOf([row(sample), row({ turnId: 't', cost: 0.2 })], ['session:s']);
    assert.deepEqual([mixed?.sums.cost, mixed?.sums.isSample], [0.2, false]);
    const [, samples] = nodesOf([row(sample), row(sample)], ['session:s']);
    assert.deepEqual([samples?.sums.cost, samples?.sums.isSample], [1, true]);
  });

  it('shows a running request in its session, or before all sessions if that is unknown', () => {
    const { end: _, sessionId: __, ...stranger } = row();
    const { end: ___, ...running } = row({ turnId: 't' });
    const nodes = nodesOf([], ['session:s'], { live: [running, stranger] });
    assert.deepEqual(shape(nodes), ['1 request', '1 session', '2 request']);
    assert.ok(nodes[1]?.kind === 'session' && nodes[1].isRunning);
  });

  it('does not number turns while older requests are missing', () => {
    const rows = [row({ turnId: 't' }), row({ turnId: 't' })];
    const requests = new Map([['s', { rows, hasMore: true }]]);
    const nodes = nodesOf(rows, ['session:s'], { requests, sessions: [session({ exchanges: 9 })] });
    assert.ok(nodes[1]?.kind === 'turn' && nodes[1].number === undefined);
    assert.ok(nodes[2]?.kind === 'earlier' && nodes[2].count === 7 && nodes[2].of === 'requests');
  });

  it('shows how many attempts a request took, and why its cache missed', () => {
    const attempt = { upstream: 'u', model: 'm', at: 1, durationMs: 1 };
    const attempts = [
      { ...attempt, failure: 'server' },
      { ...attempt, status: 200 },
    ];
    const cacheMiss = { reason: 'tools_changed', missedTokens: 5_000 } as const;
    const noteOf = (members: Partial<TrafficRow>) => {
      const [, request] = nodesOf([row({ model: 'm', ...members })], ['session:s']);
      assert.equal(request?.kind, 'request');
      return nodeWords(request, { viewContext: undefined, titles: {} }).note;
    };
    assert.equal(noteOf({ attempts, cacheMiss }), 'm · 2 attempts · Tools changed');
    assert.equal(noteOf({}), 'm');
  });
});
