import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';

const CATALOG = {
  data: [
    {
      id: 'familya-sonnet-4.6',
      pricing: { input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 },
    },
  ],
};
const USAGE = { input_tokens: 0, output_tokens: 1, cache_creation_input_tokens: 10_000, cache_read_input_tokens: 0 };
const ANSWER = { id: 'msg_1', type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn', usage: USAGE };
const MARK = { cache_control: { type: 'ephemeral' } };

describe('a gateway with an upstream that reports its cache', () => {
  let ledger: string;
  beforeEach(() => {
    ledger = emptyLedger();
  });
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  const body = (tool: string, text = 'canary-text') =>
    JSON.stringify({
      model: 'familya-sonnet-4.6',
      tools: [{ name: tool, input_schema: {} }],
      system: [{ type: 'text', text, ...MARK }],
      messages: [{ role: 'user', content: 'canary-question' }],
      prompt_cache_key: 'canary-session',
    });

  async function run(bodies: readonly string[]): Promise<Record<string, unknown>[]> {
    const books = new Bookkeeper({ ledger });
    const running = await startPair(
      (response, request) => {
        const answer = request.path.endsWith('/models') ? CATALOG : ANSWER;
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      },
      { books },
    );
    const headers = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };
    for (const each of bodies) {
      const ended = running.nextRecord();
      await send({ port: running.port, path: '/v1/messages', headers, body: each });
      await ended;
    }
    await closeAll();
    await books.close();
    const database = new DatabaseSync(ledger, { readOnly: true });
    const rows = database
      .prepare(
        'SELECT cache_miss_reason AS reason, cache_missed_tokens AS missed, cache_miss_cost AS cost, turn_id FROM exchanges ORDER BY number',
      )
      .all();
    database.close();
    return rows.map((row) => ({ ...row }));
  }

  it('records why the cache missed and what that cost', async () => {
    const [first, second] = await run([body('mcp__one'), body('mcp__two')]);
    const cost = 10_000 * (3.75 - 0.3) * 1000;
    assert.deepEqual([first?.reason, first?.missed, first?.cost], ['cold', 10_000, cost]);
    assert.deepEqual([second?.reason, second?.missed, second?.cost], ['tools_changed', 10_000, cost]);
    assert.ok(first?.turn_id);
    assert.equal(second?.turn_id, first?.turn_id);
    assert.ok(!readFileSync(ledger, 'latin1').includes('canary'), 'nothing of what was said is in the file');
  });

  it('compares long bodies that are streamed through unchanged', async () => {
    const long = 'x'.repeat(300_000);
    const [, second] = await run([body('one', long), body('two', long)]);
    assert.deepEqual([second?.reason, second?.missed], ['tools_changed', 10_000]);
  });
});
