import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { formatClock } from '../../src/display/time.ts';
import { type GatewayFacts, gatewayRows } from '../../src/editor/gatewayView/gatewayRows.ts';
import { GatewayView } from '../../src/editor/gatewayView/gatewayView.ts';
import type { Row } from '../../src/editor/rows/row.ts';
import type { Services } from '../../src/editor/services.ts';
import type { ToolConnection } from '../../src/editor/tools/toolConnections.ts';
import type { KeyLimits, QueueState } from '../../src/gateway/core/keyLimits.ts';
import type { IssuedKey } from '../../src/gateway/keys/issuedKey.ts';
import { KeyList } from '../../src/gateway/keys/keyList.ts';
import type { RunningExchange } from '../../src/gateway/traffic/protocol.ts';
import type { KeySpend } from '../../src/ledger/keySpend.ts';
import { eventually } from '../support/eventually.ts';
import { inSandbox } from './extension.ts';

const NOW = 1_800_000_000_000;
const CLOCK = formatClock(NOW);
const QUEUE: QueueState = {
  ...{ localKeyId: 'k', running: 2, requests: 38, tokens: 188_000 },
  ...{ frees: { inMs: 14_000, tokens: 12_000 }, longestWaitMs: 11_000, refused: 3 },
};

const keyWith = (limits: KeyLimits): IssuedKey => ({
  ...{ id: 'k', name: 'agent', secret: 'key_0123456789', createdAt: NOW, limits },
});
/** A key with budgets, and the rows that it has in the tree. */
function budgetRowsOf(spent: number): string[] {
  const budgets = [{ amount: 10, unit: 'usd', period: 'daily' } as const];
  const total = { cost: spent, tokens: 100, estimated: 0 };
  const spend: readonly KeySpend[] = [{ id: 'k', spent: { daily: total, total }, lastUsedAt: NOW - 20_000 }];
  const [key] = flat(rowsOf({}, { keys: [{ ...keyWith({}), budgets }], spend })).filter(
    ({ kind }) => kind === 'localKey',
  );
  return flat(key === undefined ? [] : [key]).map(({ label, description }) => `${label}: ${description}`);
}

const exchange = (id: string, more: Partial<RunningExchange>): RunningExchange => ({
  ...{ id, at: NOW, callerFormat: 'messages', durationMs: 1_000, bytesIn: 1, bytesOut: 0, localKeyId: 'k' },
  ...more,
});
const WAITING = [
  exchange('a', { model: 'opus', durationMs: 3_000, waitsFor: 'parallel' }),
  exchange('b', { model: 'haiku', waitsFor: 'parallel' }),
];

const flat = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flat(row.children ?? [])]);

function rowsOf(limits: KeyLimits, facts: Partial<GatewayFacts> = {}): Row[] {
  return gatewayRows(
    {
      listening: { address: 'http://127.0.0.1:1/api/v1', port: 1, owner: 'self' },
      ...{ keys: [keyWith(limits)], spend: [], tools: [], exchanges: [], moves: [], sessions: [] },
      ...facts,
    },
    NOW,
  );
}

/** The rows below the key, with what stands beside their labels. */
function limitsOf(limits: KeyLimits, facts?: Partial<GatewayFacts>): string[] {
  const key = flat(rowsOf(limits, facts)).find(({ kind }) => kind === 'localKey');
  return flat(key?.children ?? []).map(({ label, description }) => `${label}: ${description}`);
}

describe('the request limits of a key in the gateway view', () => {
  const limits = { parallel: 2, requestsPerMinute: 60, tokensPerMinute: 200_000 };

  it('have a row each, with what waits in the order of its arrival', () => {
    const running = exchange('r', { model: 'sonnet' });
    assert.deepEqual(limitsOf(limits, { exchanges: [running, ...WAITING], queues: [QUEUE] }), [
      'Queue: 2 waiting · 2 of 2 running',
      `opus: since ${CLOCK} · next`,
      `haiku: since ${CLOCK}`,
      'Requests per minute: 38 of 60',
      'Tokens per minute: 188k of 200k · almost at the limit',
    ]);
  });

  it('have no row where the key has no such limit, and nothing waits', () => {
    assert.deepEqual(limitsOf({ requestsPerMinute: 60 }, { queues: [] }), ['Requests per minute: 0 of 60']);
    assert.deepEqual(limitsOf({}, { queues: [QUEUE] }), []);
  });

  it('show a queue while something waits for a minute to pass', () => {
    const exchanges = [exchange('a', { model: 'opus', waitsFor: 'requestsPerMinute' })];
    assert.deepEqual(limitsOf({ requestsPerMinute: 38 }, { exchanges, queues: [QUEUE] }), [
      'Queue: 1 waiting',
      `opus: since ${CLOCK} · next`,
      'Requests per minute: 38 of 38 · at the limit',
    ]);
  });

  it('show no figures that could not be read', () => {
    assert.deepEqual(limitsOf(limits, { exchanges: WAITING.slice(0, 1) }), [
      'Queue: 1 waiting',
      `opus: since ${CLOCK} · next`,
    ]);
  });

  it('are announced in words to a screen reader', () => {
    const spoken = flat(rowsOf(limits, { exchanges: WAITING, queues: [QUEUE] })).map((row) => row.spoken);
    assert.ok(spoken.includes('agent, Queue, 2 waiting, 2 of 2 running'));
    assert.ok(spoken.includes(`agent, opus, in the queue, since ${CLOCK}, next`));
    assert.ok(spoken.includes('agent, Tokens per minute, 188,000 of 200,000, almost at the limit'));
  });

  it('have a hover with the figures of the day, and links that change them and show what runs', () => {
    const [queue] = flat(rowsOf(limits, { exchanges: WAITING, queues: [QUEUE] })).filter(
      ({ kind }) => kind === 'requestQueue',
    );
    const { tooltip } = queue ?? {};
    assert.ok(tooltip instanceof vscode.MarkdownString);
    for (const line of [
      '| Parallel requests | 2 of 2 running, 2 waiting |',
      '| Requests per minute | 38 of 60 |',
      '| Tokens per minute | 188k of 200k, 12k free in 14 s |',
      '| Longest wait today | 11 s of at most 30 s |',
      '| Refused with 429 today | 3 |',
    ]) {
      assert.ok(tooltip.value.includes(`${line}\n`), `${line} in ${tooltip.value}`);
    }
    const commands = [...tooltip.value.matchAll(/\(command:([^?]+)\?([^)]+)\)/g)].map(([, command, argument]) => [
      command,
      JSON.parse(decodeURIComponent(argument ?? '')),
    ]);
    assert.deepEqual(commands, [
      ['modelAccess.changeLocalKey', [{ subject: 'k' }]],
      ['modelAccess.openTraffic', [{ localKeyId: 'k', outcome: 'running' }]],
    ]);
  });
});

describe('the budget of a key in the gateway view', () => {
  it('has a row from one percent on, and times without seconds', () => {
    assert.deepEqual(budgetRowsOf(0.05), ['agent: $0.05 of $10.00 · used just now']);
    assert.deepEqual(budgetRowsOf(0.5), ['agent: $0.50 of $10.00', '5% of the budget: used just now']);
  });
});

describe('the sessions of a key in the gateway view', () => {
  it('are counted when they were ended', () => {
    const session = { localKeyId: 'k', spent: 1, cap: 1, step: 1, lastAt: NOW, at: NOW, turns: 3, isWaiting: false };
    const sessions = ['a', 'b', 'c'].map((sessionId) => ({ ...session, sessionId, isEnded: sessionId !== 'c' }));
    const [key] = flat(rowsOf({ sessionDollars: 1 }, { sessions })).filter(({ kind }) => kind === 'localKey');
    assert.match(key?.description ?? '', /2 sessions ended/);
    assert.match(key?.spoken ?? '', /2 sessions ended/);
  });
});

describe('the queue of a key in the running gateway', () => {
  let services: Services;
  let key: IssuedKey;

  before(async () => {
    services = await inSandbox();
    key = await services.localKeys.create('queue test', { limits: { parallel: 1, requestsPerMinute: 60 } });
  });
  after(async () => {
    await services.localKeys.revoke(key.id);
    await services.gateway.stop();
  });

  it('counts what runs and what was sent within the last minute', async () => {
    const { address } = await services.gateway.start(0);
    const headers = { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' };
    const model = 'familya-haiku-4.5+stall';
    const messages = [{ role: 'user', content: 'echo: hello' }];
    const body = JSON.stringify({ model, messages, stream: true });
    const abort = new AbortController();
    const running = await fetch(`${address}/chat/completions`, { method: 'POST', headers, body, signal: abort.signal });
    assert.equal(running.status, 200);
    const state = async () => {
      const queues = await services.worker.rpc.askTraffic({ kind: 'queues' });
      return queues.find(({ localKeyId }) => localKeyId === key.id);
    };
    const { running: atOnce, requests, frees, refused } = (await state()) ?? {};
    assert.deepEqual([atOnce, requests, refused], [1, 1, 0]);
    assert.ok(frees !== undefined && frees.inMs > 0 && frees.inMs <= 60_000);
    abort.abort();
    await eventually('an empty queue', async () => (await state())?.running === 0);
    assert.equal((await state())?.requests, 1);
  });

  it('is listed when something changes while its spending is read', async () => {
    await services.gateway.start(0);
    const changes = new vscode.EventEmitter<KeyList>();
    const localKeys = replacing(services.localKeys, { onDidChange: changes.event });
    const spending = replacing(services.spending, {
      read: (keys) => {
        queueMicrotask(() => changes.fire(new KeyList([key])));
        return services.spending.read(keys);
      },
    });
    const view = new GatewayView({ ...services, localKeys, spending });
    try {
      assert.ok(flat(await view.rows()).some(({ label }) => label === 'queue test'));
    } finally {
      view.dispose();
      changes.dispose();
    }
  });
});

describe('the state of the gateway in its view', () => {
  it('shows how long it has been running from the first minute on', () => {
    const described = (since: number) => rowsOf({}, { since }).find(({ id }) => id === 'state')?.description;
    assert.equal(described(NOW), 'in this window');
    assert.equal(described(NOW - 125_000), 'for 2 min · in this window');
  });
});

describe('the gateway view while the gateway is off', () => {
  let services: Services;
  before(async () => {
    services = await inSandbox();
    await services.gateway.stop();
  });

  async function labels(tools: readonly ToolConnection[]): Promise<readonly string[]> {
    const toolConnections = replacing(services.toolConnections, { all: tools });
    const view = new GatewayView({ ...services, toolConnections });
    try {
      return flat(await view.rows()).map(({ label, description }) => [label, description ?? []].flat().join(': '));
    } finally {
      view.dispose();
    }
  }

  it('lists the tools that cannot work, and what starts it', async () => {
    assert.deepEqual(await labels([{ tool: 'codex', key: 'its-key' }]), [
      'The gateway is off',
      'Start gateway',
      'Start it with the editor',
      'Connected tools: 1',
      'Codex: cannot work while the gateway is off',
    ]);
  });

  it('is empty if no tool is connected, so that the editor explains the gateway', async () => {
    assert.deepEqual(await labels([]), []);
  });
});

/** The same service with other members. */
function replacing<Service extends object>(service: Service, members: Partial<Service>): Service {
  return new Proxy(service, {
    get: (real, name) => {
      const member: unknown = Reflect.get(members, name) ?? Reflect.get(real, name);
      return typeof member === 'function' ? member.bind(real) : member;
    },
  });
}
