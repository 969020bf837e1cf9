import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { runContextCommand } from '../../../../packages/gateway/src/cli/context/contextCommand.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import type { KeyTerms } from '../../../../src/gateway/keys/issuedKey.ts';
import type { ContextReport } from '../../../../src/ledger/contextReport.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import type { ContextMeasuring } from '../../../../src/rules/contextPart.ts';
import { ContextScript, SHAPES } from '../../../support/contextScripts.ts';
import { eventually } from '../../../support/eventually.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';

const PRICES = { input: 3, output: 15, cached_input: 0.3, cache_write: 3.75 };
const USAGE = { output_tokens: 40, cache_creation_input_tokens: 3_000 };
const STEPS = 12;
const [CLAUDE_CODE] = SHAPES;

describe('a gateway that measures the contexts of sessions', () => {
  let ledger: string;
  let script: ContextScript;

  beforeEach(() => {
    assert.ok(CLAUDE_CODE);
    ledger = emptyLedger();
    script = new ContextScript(CLAUDE_CODE, 3);
  });
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  /** Sends a session of an agent and returns what the ledger has of it. */
  async function run(
    session: string | undefined,
    options: { measuresContext?: ContextMeasuring; terms?: KeyTerms; failsAt?: number; attached?: string } = {},
  ) {
    const { terms, failsAt, attached = '', ...measuring } = options;
    const books = new Bookkeeper({ ledger });
    let step = 0;
    let hasFailed = false;
    const running = await startPair(
      (response, { path }) => {
        if (step === failsAt && !hasFailed && !path.endsWith('/models')) {
          hasFailed = true;
          response.writeHead(529, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }));
          return;
        }
        step += 1;
        const usage = { ...USAGE, input_tokens: step, cache_read_input_tokens: 3_000 * step };
        const answer = { id: 'msg_1', type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn', usage };
        const catalog = { data: [{ id: 'claude-sonnet-5', pricing: PRICES }] };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(path.endsWith('/models') ? catalog : answer));
      },
      {
        books,
        measuresContext: true,
        ...measuring,
        ...(terms && { localKeys: [{ id: 'key', name: 'key', secret: LOCAL_KEY, createdAt: 0, ...terms }] }),
      },
    );
    const headers = {
      authorization: `Bearer ${LOCAL_KEY}`,
      'content-type': 'application/json',
      ...(session !== undefined && { 'x-claude-code-session-id': session }),
    };
    script.session.ask(`Fix canary-question.${attached}`);
    for (let sent = 0; sent < STEPS; ) {
      const ended = running.nextRecord();
      const body = script.session.request().toString();
      const { status } = await send({ port: running.port, path: '/v1/messages', headers, body });
      await ended;
      if (status !== 200) continue;
      sent += 1;
      script.session.step([script.read(6_000)], 'The cause is canary-answer.');
    }
    const reader = new LedgerReader(ledger);
    const isMeasured = measuring.measuresContext !== false && terms?.measuresContext !== false;
    // Closing waits for measures only for a moment, which is too short on a busy machine.
    if (isMeasured) {
      await eventually('the measures', async () => reader.contextReport(undefined).requests === STEPS);
    }
    await closeAll();
    await books.close();
    return reader;
  }

  it('divides the input of every request into parts, whose cost is that of the ledger', async () => {
    const reader = await run('one');
    const { rows } = reader.exchanges({ filter: {}, limit: 100 });
    const context = reader.sessionContext(rows[0]?.sessionId ?? '');
    const inputTokens = rows.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0);
    const lines = rows.flatMap(({ bill = [] }) => bill).filter(({ kind }) => kind !== 'output');
    assert.equal(context.requests, STEPS);
    assert.equal(context.inputTokens, inputTokens);
    assert.equal(Math.round(context.inputCost * 1e9), Math.round(lines.reduce((sum, { cost }) => sum + cost, 0) * 1e9));
    const read = context.parts.find(({ kind, name }) => kind === 'tools' && name === 'Read');
    assert.deepEqual([read?.calls, read?.requests, read?.steps], [STEPS - 1, STEPS, [[0, STEPS - 1]]]);
    const [unused] = context.findings.filter(({ kind }) => kind === 'unused_server');
    assert.deepEqual([unused?.name, unused?.requests], ['github', STEPS]);
    const [latest] = rows;
    const parts = latest && reader.requestContext(latest)?.parts;
    assert.equal(
      parts?.reduce((sum, { tokens }) => sum + tokens, 0),
      latest?.usage?.inputTokens,
    );
    reader.close();
  });

  for (const [size, attached] of [
    ['', ''],
    [' of more than 1 MB', ' It was measured when it was sent.'.repeat(32_000)],
  ] as const) {
    it(`counts the calls in a request${size} that failed when it is repeated`, async () => {
      const reader = await run('one', { failsAt: 6, attached });
      const [row] = reader.exchanges({ filter: {}, limit: 1 }).rows;
      const { parts } = reader.sessionContext(row?.sessionId ?? '');
      assert.equal(reader.exchanges({ filter: {}, limit: 1 }).exchanges, STEPS + 1);
      assert.equal(parts.find(({ kind, name }) => kind === 'tools' && name === 'Read')?.calls, STEPS - 1);
      reader.close();
    });
  }

  it('keeps no content and no names of files', async () => {
    (await run('one')).close();
    const file = readFileSync(ledger, 'latin1');
    for (const canary of ['canary', '/project/app', 'module_3']) assert.ok(!file.includes(canary), canary);
  });

  it('keeps the names of files for the page of a session if they are wanted', async () => {
    const reader = await run('one', { measuresContext: 'fileNames' });
    const [latest] = reader.exchanges({ filter: {}, limit: 1 }).rows;
    const { names, parts } = reader.sessionContext(latest?.sessionId ?? '');
    reader.close();
    const read = parts.filter(({ kind, file }) => kind === 'results' && file !== undefined);
    assert.ok(read.length > 5);
    for (const { file = '' } of read) assert.match(names[file] ?? '', /^\/project\/app\/src\//);
  });

  it('measures the sessions of clients that name none', async () => {
    const reader = await run(undefined);
    const [row] = reader.exchanges({ filter: {}, limit: 1 }).rows;
    assert.equal(reader.sessionContext(row?.sessionId ?? '').requests, STEPS);
    reader.close();
  });

  it('measures nothing if that is switched off, for the gateway or for a key', async () => {
    const off = await run('one', { measuresContext: false });
    assert.equal(off.contextReport(undefined).requests, 0);
    off.close();
    ledger = emptyLedger();
    const ofKey = await run('one', { terms: { measuresContext: false } });
    assert.equal(ofKey.contextReport(undefined).requests, 0);
    assert.equal(ofKey.exchanges({ filter: {}, limit: 1 }).exchanges, STEPS);
    ofKey.close();
  });

  it('prints what fills the context, as a table and as JSON', async () => {
    const reader = await run('one');
    const [row] = reader.exchanges({ filter: {}, limit: 1 }).rows;
    reader.close();
    const session = row?.sessionId ?? '';
    const args = ['context', session, '--ledger', ledger];
    const report: ContextReport = JSON.parse(await runContextCommand([...args, '--json'], {}));
    assert.deepEqual(Object.keys(report), ['session', 'requests', 'input_tokens', 'input_cost', 'parts', 'findings']);
    assert.deepEqual(Object.keys(report.parts[0] ?? {}), [
      ...['kind', 'name', 'server', 'tokens', 'requests', 'cost', 'calls'],
    ]);
    assert.deepEqual(Object.keys(report.findings[0] ?? {}), ['kind', 'name', 'cost', 'requests']);
    assert.equal(
      report.parts.reduce((sum, { tokens }) => sum + tokens, 0),
      report.input_tokens,
    );
    const all: ContextReport = JSON.parse(await runContextCommand(['context', '--ledger', ledger, '--json'], {}));
    assert.deepEqual({ ...all, session }, report);
    const text = await runContextCommand(args, {});
    assert.match(text, /^Session \w{16}: 12 requests, [\d,]+ input tokens, \$/);
    assert.match(text, /^tools {2}github {2}mcp__github__create_issue +[\d,]+ +12 +0 +\$/m);
    assert.match(text, /Tools of the server github were defined and never called \(12 requests\)\./);
  });

  it('refuses a session that is not recorded, and options that contradict each other', async () => {
    (await run('one')).close();
    const command = (...args: string[]) => runContextCommand(['context', ...args], {});
    await assert.rejects(command('none', '--ledger', ledger), /No measured request of the session none is recorded/);
    await assert.rejects(command('--ledger', ledger, '--key', 'x'), /--ledger is a file without other options/);
    await assert.rejects(command(), /Name the ledger with --ledger, --database, or DATABASE_URL/);
    assert.match(await command('--help'), /context \[SESSION\] \[options\]/);
  });
});
