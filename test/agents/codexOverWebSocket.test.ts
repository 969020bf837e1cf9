import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { FORMAT_NAMES, type FormatName } from '../../src/formats/conversation.ts';
import type { Script } from '../support/modelServer/modelServer.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';
import { type CodexOptions, needCodex, runCodex } from './support/codex.ts';
import { CodingModel } from './support/codingModel.ts';
import { prepareTask, type Task } from './support/task.ts';

const WEBSOCKET = 'model_providers.gateway.supports_websockets=true';

/** The scripted model calls functions only, and Codex has free-form tools for the other model. */
function modelOn(upstream: FormatName): string {
  return upstream === 'responses' ? 'unknown-model' : 'gpt-5.5';
}

/** Passes connections on to a port, and notes how each of them begins and what its client sends. */
async function startTap(port: number) {
  const tap = { port: 0, beginnings: [] as string[], bytes: 0 };
  const server = createServer((client) => {
    const gateway = connect(port, '127.0.0.1');
    client.once('data', (bytes) => tap.beginnings.push(String(bytes).split('\r\n', 1)[0] ?? ''));
    client.on('data', (bytes) => {
      tap.bytes += bytes.length;
    });
    client.pipe(gateway).pipe(client);
    client.on('error', () => gateway.destroy());
    gateway.on('error', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeLater(async () => server.close());
  return Object.assign(tap, { port: (server.address() as AddressInfo).port });
}

describe('Codex through the gateway over a WebSocket', () => {
  const program = needCodex();
  let task: Task;
  beforeEach(async () => {
    task = await prepareTask();
    closeLater(() => task.remove());
  });
  afterEach(closeAll);

  async function work(upstream: FormatName, script: Script, options: Partial<CodexOptions> = {}) {
    const gateway = await startRouter([{ formats: [upstream], script }]);
    const tap = await startTap(gateway.port);
    const { folder, prompt } = task;
    const given = {
      port: tap.port,
      key: LOCAL_KEY,
      model: modelOn(upstream),
      folder,
      prompt,
      settings: [WEBSOCKET],
      ...options,
    };
    return { ...gateway, tap, run: await runCodex(program(), given) };
  }

  for (const upstream of FORMAT_NAMES) {
    it(`completes a task on ${upstream} with one connection, and sends less than over HTTP`, async () => {
      const mind = new CodingModel(task.steps);
      const { run, tap, records } = await work(upstream, mind.script);
      assert.deepEqual(mind.complaints, []);
      assert.equal(run.code, 0, run.output);
      assert.ok(run.answer.includes(task.password), run.output);
      const asked = tap.beginnings.filter((line) => line.includes('/responses'));
      assert.deepEqual([...new Set(asked)], ['GET /api/v1/responses HTTP/1.1']);
      assert.ok(
        records.length > 1 && records.every(({ end, endpoint }) => end === 'completed' && endpoint === '/responses'),
      );
      const overHttp = await work(upstream, new CodingModel(task.steps).script, { settings: [] });
      assert.equal(overHttp.run.code, 0, overHttp.run.output);
      assert.ok(tap.bytes < overHttp.tap.bytes, `${tap.bytes} of ${overHttp.tap.bytes}`);
    });
  }

  it('tries again after an answer was interrupted', async () => {
    const mind = new CodingModel(task.steps);
    let asked = 0;
    const { run, records } = await work('messages', (request) => {
      asked += 1;
      const answer = mind.script(request);
      return asked === 2 && typeof answer === 'object' ? { ...answer, afterEvents: 4, ending: 'cut' } : answer;
    });
    assert.equal(run.code, 0, run.output);
    assert.ok(run.answer.includes(task.password), run.output);
    assert.ok(records.some(({ end }) => end === 'upstreamFailed'));
  });
});
