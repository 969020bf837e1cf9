import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { CACHE_MISS_REASONS } from '../../../../src/rules/cacheMiss.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';

const MODEL = 'familya-sonnet-4.6';
const CATALOG = { data: [{ id: MODEL, pricing: { input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 } }] };
const WRITTEN = { input_tokens: 0, output_tokens: 1, cache_creation_input_tokens: 10_000, cache_read_input_tokens: 0 };
const READ = { input_tokens: 0, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 10_000 };
const HASH = /^[0-9a-f]{16}$/;
/** A client's own identifiers, none of which may be in the file. */
const CANARIES = ['canary-session', 'canary-agent', 'canary-prompt', 'canary-question', 'canary-tool'];

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly tool?: string;
  readonly usage?: object;
}

/** The columns of the table `exchanges` that the ledger's documentation describes for scripts. */
describe('the columns of sessions and cache misses', () => {
  let ledger: string;
  beforeEach(() => {
    ledger = emptyLedger();
  });
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  async function rowsOf(asked: readonly Asked[]): Promise<Record<string, unknown>[]> {
    const books = new Bookkeeper({ ledger });
    const usages = asked.map(({ usage = WRITTEN }) => usage).values();
    const running = await startPair(
      (response, request) => {
        const answer = request.path.endsWith('/models')
          ? CATALOG
          : {
              id: 'msg',
              type: 'message',
              role: 'assistant',
              content: [],
              stop_reason: 'end_turn',
              usage: usages.next().value,
            };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      },
      { books },
    );
    for (const { headers, tool = 'one' } of asked) {
      const ended = running.nextRecord();
      await send({
        port: running.port,
        path: '/v1/messages',
        headers: { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          model: MODEL,
          tools: [{ name: `tool-${tool}`, input_schema: {}, cache_control: { type: 'ephemeral' } }],
          messages: [{ role: 'user', content: 'canary-question' }],
        }),
      });
      await ended;
    }
    await closeAll();
    await books.close();
    const database = new DatabaseSync(ledger, { readOnly: true });
    const rows = database
      .prepare(
        `SELECT session_id, agent_id, turn_id, cache_miss_reason, cache_missed_tokens, cache_miss_cost, tool_ms,
           typeof(cache_missed_tokens) AS tokens_type, typeof(cache_miss_cost) AS cost_type
         FROM exchanges ORDER BY number`,
      )
      .all();
    database.close();
    return rows.map((row) => ({ ...row }));
  }

  const claude = (session: string, more: Readonly<Record<string, string>> = {}) => ({
    'x-claude-code-session-id': `canary-session-${session}`,
    'x-claude-code-prompt-id': 'canary-prompt',
    ...more,
  });

  it('session_id, agent_id, and turn_id are hashes; agent_id is NULL for the main agent', async () => {
    const [main, sub, other] = await rowsOf([
      { headers: claude('a') },
      { headers: claude('a', { 'x-claude-code-agent-id': 'canary-agent' }) },
      { headers: claude('b') },
    ]);
    for (const row of [main, sub, other]) {
      assert.match(String(row?.session_id), HASH);
      assert.match(String(row?.turn_id), HASH);
    }
    assert.equal(main?.agent_id, null);
    assert.match(String(sub?.agent_id), HASH);
    assert.equal(sub?.session_id, main?.session_id);
    assert.notEqual(other?.session_id, main?.session_id);
  });

  it('tool_ms is the time of the tools before the request, and NULL where the client does not report it', async () => {
    const [first, second] = await rowsOf([
      { headers: claude('a') },
      { headers: claude('a', { 'x-claude-code-prev-tool-durations': 'canary-tool=1200,Read=22.4' }) },
    ]);
    assert.deepEqual([first?.tool_ms, second?.tool_ms], [null, 1222]);
  });

  it('cache_miss_reason is one of the documented reasons, with tokens and billionths of a dollar as integers', async () => {
    const [cold, changed] = await rowsOf([{ headers: claude('a') }, { headers: claude('a'), tool: 'two' }]);
    assert.deepEqual([cold?.cache_miss_reason, changed?.cache_miss_reason], ['cold', 'tools_changed']);
    for (const row of [cold, changed]) {
      assert.ok((CACHE_MISS_REASONS as readonly unknown[]).includes(row?.cache_miss_reason));
      assert.deepEqual([row?.tokens_type, row?.cost_type], ['integer', 'integer']);
      assert.equal(row?.cache_missed_tokens, 10_000);
      assert.equal(row?.cache_miss_cost, 10_000 * (3.75 - 0.3) * 1_000);
    }
  });

  it('all three are NULL if no significant miss occurred', async () => {
    const [, read] = await rowsOf([{ headers: claude('a') }, { headers: claude('a'), usage: READ }]);
    assert.deepEqual([read?.cache_miss_reason, read?.cache_missed_tokens, read?.cache_miss_cost], [null, null, null]);
  });

  it('the file has no ids of the client and no content', async () => {
    await rowsOf([{ headers: claude('a', { 'x-claude-code-agent-id': 'canary-agent' }) }]);
    const file = readFileSync(ledger, 'latin1');
    for (const canary of CANARIES) assert.ok(!file.includes(canary), canary);
  });
});
