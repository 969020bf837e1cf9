import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CheckServices, ToolChecker } from '../../../../../src/editor/tools/connectPage/toolChecker.ts';
import type { ExchangeRow } from '../../../../../src/ledger/exchangeQuery.ts';
import type { ToolCheck } from '../../../../../src/pages/connectTool/protocol.ts';
import { CHECK_CLIENT } from '../../../../../src/tools/checkCall.ts';
import { TOOLS } from '../../../../../src/tools/toolList.ts';
import { eventually } from '../../../../support/eventually.ts';

/** More than the connection buffers while the response is not read. */
const LARGE = ' '.repeat(20_000_000);
const SECRET = 'key_of-the-tool';
const CODEX = TOOLS.find(({ id }) => id === 'codex') ?? assert.fail();

describe('the check of a connected tool', () => {
  let server: Server;
  let address: string;
  /** Returns the status of the answer to a request. */
  let answer: (request: IncomingMessage) => number;
  /** Follows the list of models. */
  let padding: string;
  let rows: Partial<ExchangeRow>[];
  let entered: () => void;
  let last: ToolCheck;
  let sent: string[];
  let asked: string[];
  /** Requests whose answers were sent completely. */
  let ended: string[];

  beforeEach(async () => {
    asked = [];
    ended = [];
    padding = '';
    answer = ({ url = '', headers }) => {
      asked.push(url);
      return url !== '/health/live' && headers.authorization !== `Bearer ${SECRET}` ? 401 : 200;
    };
    rows = [];
    sent = [];
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(answer(request), { 'content-type': 'application/json' });
        response.end(`{"error":{"message":"no more credit"}}${request.url === '/api/v1/models' ? padding : ''}`, () => {
          ended.push(request.url ?? '');
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  function checker(): ToolChecker {
    const worker = {
      onDidEnter: (listener: () => void) => {
        entered = listener;
        return { dispose: () => undefined };
      },
      rpc: { readLedger: () => Promise.resolve({ rows }) },
    };
    const services = { worker, ledger: 'ledger', log: { warn: () => undefined } } as unknown as CheckServices;
    const access = { address, secret: SECRET, model: 'familya-haiku-4.5', contextWindow: 1 };
    return new ToolChecker({ tool: CODEX, access, keyId: 'id', keyName: 'codex' }, services, (check) => {
      last = check;
      sent.push(JSON.stringify(check));
    });
  }
  const states = () => Object.values(last.rows).map(({ state }) => state);

  it('passes gateway, key and model, and takes its cost from the ledger', async () => {
    padding = LARGE;
    rows = [
      {
        client: CHECK_CLIENT,
        at: Date.now() + 60_000,
        status: 200,
        durationMs: 900.4,
        usage: { inputTokens: 31, outputTokens: 4 },
        cost: 0.0002,
        upstream: 'sandbox',
      },
    ];
    await checker().run();
    assert.deepEqual(states(), ['passed', 'passed', 'passed', 'waiting']);
    assert.deepEqual(asked, ['/health/live', '/api/v1/models', '/api/v1/responses']);
    assert.deepEqual(ended, asked, 'an answer was not read to its end');
    assert.deepEqual(last.rows.model, {
      state: 'passed',
      milliseconds: 900,
      inputTokens: 31,
      outputTokens: 4,
      cost: 0.0002,
      isSample: true,
    });
    assert.equal(last.host, new URL(address).host);
    assert.ok(!sent.some((text) => text.includes(SECRET)), 'the page received the key');
  });

  it('asks the model once if it is checked twice at the same time', async () => {
    const checked = checker();
    await Promise.all([checked.run(), checked.run()]);
    assert.deepEqual(asked, ['/health/live', '/api/v1/models', '/api/v1/responses']);
  });

  it('asks nothing more once its tool is disconnected', async () => {
    const checked = checker();
    const run = checked.run();
    checked.dispose();
    await run;
    assert.deepEqual(asked, ['/health/live']);
  });

  it('does not use the cost of an earlier check', async () => {
    rows = [{ client: CHECK_CLIENT, at: Date.now() - 60_000, status: 200, durationMs: 1, cost: 5 }];
    await checker().run();
    assert.equal(last.rows.model.cost, undefined);
    assert.equal(last.rows.tool.state, 'waiting');
  });

  it('detects the tool’s own first request in the ledger', async () => {
    await checker().run();
    assert.equal(last.rows.tool.state, 'waiting');
    rows = [{ client: 'codex_exec', at: 1, status: 200, durationMs: 2100, cost: 0.01 }];
    const before = sent.length;
    entered();
    await eventually('the result of the check', async () => sent.length > before);
    assert.deepEqual(last.rows.tool, { state: 'passed', milliseconds: 2100, cost: 0.01 });
  });

  it('reports that the tool’s requests were rejected', async () => {
    rows = [{ client: 'codex_exec', at: 1, status: 402, durationMs: 2 }];
    await checker().readRequests();
    assert.match(last.rows.tool.problem ?? '', /status 402/);
  });

  it('stops at a rejected key, and explains what to do', async () => {
    answer = () => 401;
    await checker().run();
    assert.deepEqual(states(), ['passed', 'failed', 'waiting', 'waiting']);
    assert.match(last.rows.key.problem ?? '', /Connect Codex again/);
  });

  it('reports that the gateway refuses the model, and explains what to do', async () => {
    answer = ({ url }) => (url === '/api/v1/models' ? 200 : 402);
    await checker().run();
    assert.equal(last.rows.model.problem, 'Status 402: no more credit. Raise the budget, and check again.');
  });

  it('reports an unreachable gateway', async () => {
    await new Promise((resolve) => server.close(resolve));
    await checker().run();
    assert.deepEqual(states(), ['failed', 'waiting', 'waiting', 'waiting']);
    assert.ok(last.rows.gateway.problem?.includes(address));
    server = createServer().listen(0);
  });
});
