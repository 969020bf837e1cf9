import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { eventually } from '../../../support/eventually.ts';
import { ScriptedService } from '../../../support/scriptedService.ts';
import { get, json, open, read, send } from '../../gateway/support/client.ts';
import { SERVICE_KEY } from '../../gateway/support/gateway.ts';
import { startService } from '../../gateway/support/scriptedService.ts';
import { killServed, runServed, type Served, SOURCES, startServed } from '../../gateway/support/served.ts';
import { readMetrics, readTraces } from '../../gateway/telemetry/otlpSchema.ts';

describe('the gateway without an editor', () => {
  const collectors: ScriptedService[] = [];
  afterEach(killServed);
  afterEach(async () => {
    for (const collector of collectors.splice(0)) await collector.close();
  });

  it('prints its address and a new key, and serves requests, but no metrics, until SIGTERM', async function () {
    const { child, address, key, port, headers, errors } = await startServed();
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    assert.match(key, /^key_[\w-]{43}$/);
    assert.equal((await get({ port, path: '/api/v1/models', headers })).status, 200);
    assert.equal(errors(), '');
    assert.equal((await get({ port, path: '/api/v1/models', headers: {} })).status, 401);
    assert.equal((await get({ port, path: '/metrics', headers })).status, 404);
    if (process.platform === 'win32') this.skip();
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('serves metrics to the holder of the metrics key, and flushes its telemetry before it exits', async function () {
    const collector = await ScriptedService.start((response) => void response.writeHead(200).end('{}'));
    collectors.push(collector);
    const served = await startServed(['--metrics'], { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin });
    const { child, port, headers, metricsKey = '', errors } = served;
    assert.match(metricsKey, /^metrics_[\w-]{43}$/);
    const body = '{"model":"familya-haiku-4.5","messages":[{"role":"user","content":"A secret word"}]}';
    assert.equal((await send({ port, path: '/v1/chat/completions', headers, body })).status, 200);
    const authorization = `Bearer ${metricsKey}`;
    const readPage = () => get({ port, path: '/metrics', headers: { authorization } });
    const counted = /model_access_requests_total\{[^}]*gen_ai_request_model="familya-haiku-4\.5"/;
    // A record is complete once the prices of its model are known.
    await eventually('the request is counted', async () => counted.test((await readPage()).body.toString()));
    const page = await readPage();
    assert.match(page.headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
    assert.equal((await get({ port, path: '/metrics', headers })).status, 401);
    assert.equal((await get({ port, path: '/v1/models', headers: { authorization } })).status, 401);
    if (process.platform === 'win32') this.skip();
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    const sent = Object.fromEntries(collector.requests.map((request) => [request.path, request.body]));
    readMetrics(sent['/v1/metrics'] ?? '');
    readTraces(sent['/v1/traces'] ?? '');
    assert.ok(!`${page.body}${JSON.stringify(sent)}`.includes('secret word'));
    assert.ok(!errors().includes('telemetry'), errors());
    assert.match(errors(), /Refused before authentication: 1 × no key for the metrics\./);
  });

  it('grants the credit of the --credit option', async () => {
    const { port, headers } = await startServed(['--credit', '1.5']);
    const { balance } = json(await get({ port, path: '/v1/balance', headers })) as { balance: number };
    assert.equal(balance, 1.5);
  });

  it('forwards requests to a hosted service', async () => {
    const service = await startService((response) => response.writeHead(200).end('{"content":[]}'));
    const { port, headers, output, errors } = await startServed(['--upstream', `hosted:${service.baseAddress}`], {
      MODEL_ACCESS_KEY: SERVICE_KEY,
    });
    assert.equal((await send({ port, path: '/v1/messages', headers })).status, 200);
    assert.equal(service.requests[0]?.headers.authorization, `Bearer ${SERVICE_KEY}`);
    await service.close();
    assert.equal((await send({ port, path: '/v1/messages', headers })).status, 502);
    assert.ok(!`${output()}${errors()}`.includes(SERVICE_KEY));
  });

  describe('with a ledger', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'ledger-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const QUESTION = '{"model":"familya-haiku-4.5","messages":[{"role":"user","content":"Hello"}]}';

    it('writes every exchange to it before it exits', async function () {
      if (process.platform === 'win32') this.skip();
      const path = join(folder, 'ledger.sqlite');
      const { child, port, headers } = await startServed(['--ledger', path]);
      for (let nth = 0; nth < 3; nth++) await send({ port, path: '/v1/chat/completions', headers, body: QUESTION });
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
      const reader = new LedgerReader(path);
      const { exchanges, cost, sampleCost } = reader.exchanges({ filter: {}, limit: 0 });
      reader.close();
      assert.equal(exchanges, 3);
      assert.ok(cost + sampleCost > 0);
    });

    it('reports in one line that it cannot be opened, and still serves requests', async () => {
      const { port, headers, errors } = await startServed(['--ledger', folder]);
      assert.equal((await send({ port, path: '/v1/chat/completions', headers, body: QUESTION })).status, 200);
      assert.match(errors(), /^The ledger [^\n]+ cannot be used: [^\n]+\n$/);
    });
  });

  it('exits with code 0 on SIGINT', async function () {
    if (process.platform === 'win32') this.skip();
    const { child } = await startServed();
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('finishes a stream before it exits', async function () {
    if (process.platform === 'win32') this.skip();
    const { child, port, headers } = await startServed(['--delay', '5']);
    const request = open({ port, path: '/v1/chat/completions', headers });
    request.end('{"model":"familya-haiku-4.5","stream":true,"messages":[{"role":"user","content":"Hello"}]}');
    const [response] = await once(request, 'response');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const answer = await read(response);
    assert.match(answer.body.toString(), /data: \[DONE\]\n\n$/);
    assert.deepEqual(await exited, [0, null]);
  });

  it('prints its help', async () => {
    const { code, output } = await runServed(['--help']);
    assert.equal(code, 0);
    for (const option of ['--port', '--upstream', '--key', '--delay', 'MODEL_ACCESS_KEY'])
      assert.ok(output.includes(option));
  });

  it('rejects invalid options with one line and exit code 2', async () => {
    const { code, output, errors } = await runServed(['--port', 'x']);
    assert.deepEqual([code, output], [2, '']);
    assert.match(errors, /^--port [^\n]+\n$/);
  });

  it('reports in one line that its port is in use, with exit code 1', async () => {
    const { port } = await startServed();
    const { code, errors } = await runServed(['--port', String(port)]);
    assert.equal(code, 1);
    assert.match(errors, /^[^\n]*EADDRINUSE[^\n]*\n$/);
  });
});

for (const [form, script] of [
  ['from its sources', SOURCES],
  ['as one built file', undefined],
] as const) {
  describe(`the threads of the gateway, ${form}`, () => {
    let service: ScriptedService;
    let served: Served;

    before(async () => {
      service = await ScriptedService.start((response, { path }) => {
        if (path.endsWith('/count_tokens')) response.writeHead(404).end();
        else response.writeHead(200, { 'content-type': 'application/json' }).end('{"content":[]}');
      });
      const args = ['--upstream', `hosted:${service.baseAddress}`, '--detect-secrets'];
      served = await startServed(args, { MODEL_ACCESS_KEY: SERVICE_KEY }, script);
    });
    after(async () => {
      await killServed();
      await service.close();
    });

    it('count tokens if the service does not', async () => {
      const { port, headers, errors } = served;
      const before = errors();
      const body = '{"model":"familyc-5.4","messages":[{"role":"user","content":"Hello there"}]}';
      const answer = await send({ port, path: '/v1/messages/count_tokens', headers, body });
      assert.deepEqual(json(answer), { input_tokens: 9 });
      assert.equal(answer.headers['x-model-access-estimate'], 'exact');
      assert.equal(errors(), before);
    });

    it('find secrets, so that it warns once about each kind that a key sends', async () => {
      const { port, headers, errors } = served;
      const body = JSON.stringify({
        model: 'familya-haiku-4.5',
        max_tokens: 9,
        messages: [{ role: 'user', content: 'amqp://queue:Hk82jd7Qw@mq.internal/ is the queue' }],
      });
      for (let nth = 0; nth < 2; nth += 1) {
        assert.equal((await send({ port, path: '/v1/messages', headers, body })).status, 200);
      }
      const further = body.replace(' is the queue', ` and glpat-${'a1B2c3D4e5'.repeat(2)}`);
      assert.equal((await send({ port, path: '/v1/messages', headers, body: further })).status, 200);
      await eventually('a warning of the other kind', async () => errors().includes('gitlab'));
      const lines = errors().trim().split('\n');
      assert.equal(lines.length, 2, errors());
      assert.match(lines[0] ?? '', /^Request req_\w+ of key \S+ to hosted seems .+: database-connection-string\.$/);
      assert.match(lines[1] ?? '', /: gitlab\.$/);
      assert.ok(!errors().includes('Hk82jd7Qw'));
    });
  });
}
