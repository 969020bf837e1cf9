import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { type UpstreamSettings, Upstreams } from '../../../../src/gateway/routing/upstreams.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { issued, pathOf, startLimited, withBudget } from './limited.ts';

const BUDGET = { amount: 5, unit: 'usd', period: 'total' } as const;
/** As in the README. */
const HELLO = { model: 'familya-sonnet-4.6', stream: true, messages: [{ role: 'user', content: 'Hello' }] };

describe('a key with a budget in the sandbox', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'unreported-'));
  });
  afterEach(async () => {
    await closeAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it('pays what the sandbox bills, to the billionth, for the example of the README', async () => {
    const upstreams = new Upstreams();
    closeLater(() => upstreams.close());
    const upstream = await upstreams.open({ kind: 'sandbox' }, { delayMs: 0 });
    const path = join(folder, 'ledger.sqlite');
    const books = new Bookkeeper({ ledger: path });
    const key = issued({ budgets: [BUDGET] });
    const { port } = await startGateway({ upstream, books, localKeys: [key] });
    const free = issued({ id: key.id });
    const bill = await startGateway({ upstream, localKeys: [free] });
    for (let request = 0; request < 100; request++) {
      const { status, body } = await send({ port, path: pathOf('chat-completions'), body: JSON.stringify(HELLO) });
      assert.equal(status, 200);
      assert.ok(!body.toString().includes('"usage":{'), 'the caller did not ask for it');
    }
    // A key without a budget of the same ID sees the account of the sandbox.
    const balance = await send({ port: bill.port, path: '/v1/balance', method: 'GET' });
    const { used } = JSON.parse(balance.body.toString()) as { used: number };
    await books.close();
    const reader = new LedgerReader(path);
    const { cost } = reader.spentBy(key.id, 0);
    const { unconfirmed } = reader.uncertainOf(key.id, 0);
    reader.close();
    assert.ok(used > 0);
    assert.deepEqual([cost, unconfirmed], [Math.round(used * 1e9), 0]);
  });
});

describe('the usage of an upstream', () => {
  afterEach(closeAll);

  /** All kinds of upstreams. A new one must be added here, and to one of the two lists. */
  const KINDS: Readonly<Record<UpstreamSettings['kind'], UpstreamSettings>> = {
    sandbox: { kind: 'sandbox' },
    hosted: { kind: 'hosted', baseAddress: 'http://127.0.0.1:1/api/v1', serviceKey: 'key_of-nobody' },
    routed: {
      kind: 'routed',
      upstreams: [{ id: 'compatible', baseUrl: 'http://127.0.0.1:1/v1', formats: ['chat-completions'], models: ['*'] }],
      editorModels: true,
    },
  };
  const REPORTING = ['compatible', 'hosted', 'sandbox'];
  const NOT_REPORTING = ['editor'];

  it('is reported by each kind of upstream but those that cannot', async () => {
    const upstreams = new Upstreams({}, undefined, () => () => undefined);
    closeLater(() => upstreams.close());
    const found = { always: [] as string[], never: [] as string[] };
    for (const settings of Object.values(KINDS)) {
      const upstream = await upstreams.open(settings);
      closeLater(() => upstream.close());
      const members = (upstream.offers?.('editor/m') ?? []).concat(upstream.offers?.('m') ?? []);
      for (const each of members.length === 0 ? [upstream] : members.map(({ member }) => member.upstream)) {
        const { id, reportsUsage = 'onRequest' } = each;
        assert.notEqual(reportsUsage, 'onRequest', `${id} is asked for its usage, or it is known that it has none`);
        if (reportsUsage !== 'onRequest') found[reportsUsage].push(id);
      }
    }
    assert.deepEqual([found.always.sort(), found.never.sort()], [REPORTING, NOT_REPORTING]);
  });
});

describe('an answer that reports no usage', () => {
  afterEach(closeAll);

  const LONG = { ...HELLO, model: 'model-a', max_tokens: 32_000 };

  it('costs a key with a budget what its model can have written in the time, and says so', async () => {
    const running = await startLimited(
      withBudget(5, 'usd'),
      () => ({ stream: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'A pound.' } }] })}\n\n` }),
      {},
      20_000,
    );
    const ended = running.nextRecord();
    await send({ port: running.port, path: pathOf('chat-completions'), body: JSON.stringify(LONG) });
    const { usage, usageBound, usageIsEstimated } = await ended;
    assert.deepEqual([usageBound, usageIsEstimated], ['time', true]);
    assert.ok((usage?.outputTokens ?? 0) < 32_000, JSON.stringify(usage));
  });
});
