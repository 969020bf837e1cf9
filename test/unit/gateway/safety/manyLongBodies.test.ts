import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../../scripts/lib/temporaryFolder.ts';
import { get, open } from '../support/client.ts';
import { closeAll, closeLater } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';
import { killServed, startServed } from '../support/served.ts';

const REQUESTS = 100;
const LENGTH = 16 * 1024 * 1024;
/** Without a limit, this many take 1.8 GB where they pass, and 5.5 GB where they are read. */
const MAX_MEGABYTES = 900;

/** Valid in both formats. */
const ANSWER = JSON.stringify({
  ...{ id: 'a', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: 'end_turn' },
  usage: { input_tokens: 1, output_tokens: 1 },
  choices: [{ message: {}, finish_reason: 'stop' }],
});

const answer = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER);

/** Returns the peak memory of a process. */
function peakMegabytes(pid: number | undefined): number {
  const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

describe(`${REQUESTS} simultaneous bodies of 16 MB`, function () {
  this.timeout(60_000);
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    await killServed();
    await closeAll();
    await folder.remove();
  });

  for (const [how, path, formats] of [
    ['that pass', '/v1/chat/completions', ['chat-completions']],
    ['that are translated', '/v1/chat/completions', ['messages']],
  ] as const) {
    it(`${how} stay within the memory limit, and are answered`, async function () {
      if (process.platform !== 'linux') this.skip();
      const waiting: ServerResponse[] = [];
      let refused = 0;
      // The others wait for the upstream until the last one was refused or has arrived there.
      const answerAll = () => {
        if (refused + waiting.length < REQUESTS) return;
        for (const response of waiting.filter(({ writableEnded }) => !writableEnded)) answer(response);
      };
      const service = await startService((response) => {
        waiting.push(response);
        answerAll();
      });
      closeLater(() => service.close());
      const config = join(folder.path, 'config.json');
      const upstream = { id: 'up', baseUrl: service.baseAddress, formats, models: ['*'] };
      writeFileSync(config, JSON.stringify({ upstreams: [upstream] }));
      const { port, headers, child } = await startServed(['--config', config]);

      const text = 'a'.repeat(LENGTH);
      const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] }));
      const statuses = Array.from({ length: REQUESTS }, async () => {
        const sent = open({
          port,
          path,
          headers: { ...headers, connection: 'keep-alive', 'content-length': body.length },
        });
        // A refused client has its answer before it has sent everything.
        sent.on('error', () => undefined).end(body);
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        if (response.statusCode === 503) {
          refused += 1;
          answerAll();
          sent.destroy();
        }
        return response.statusCode;
      });
      assert.equal((await get({ port, path: '/health' })).status, 200);
      const counted = await Promise.all(statuses);
      assert.deepEqual([...new Set(counted)].sort(), [200, 503]);
      const peak = peakMegabytes(child.pid);
      assert.ok(peak < MAX_MEGABYTES, `${peak} MB`);
    });
  }
});
