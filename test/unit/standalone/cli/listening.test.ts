import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readServeOptions, UsageError } from '../../../../packages/gateway/src/cli/options.ts';
import { open, read, send } from '../../gateway/support/client.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { startService } from '../../gateway/support/scriptedService.ts';
import { killServed, runServed, startServed } from '../../gateway/support/served.ts';

/** The beginning of an answer. Events before the first output are held back, in case the upstream fails. */
const OUTPUT = `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One' } })}\n\n`;
const PUBLIC = ['--listen', '0.0.0.0:8787', '--allow-host', 'gateway.example'];

describe('the options for the gateway’s address', () => {
  it('default to the loopback addresses and five seconds to drain', () => {
    const { host, port, allowedHosts, trustedProxies, drainMs, warnings } = readServeOptions([], {});
    assert.deepEqual(
      [host, port, allowedHosts, trustedProxies, drainMs, warnings],
      [undefined, 8787, [], [], 5000, []],
    );
  });

  it('accept an address with host names, proxies, and a drain time', () => {
    const args = [...PUBLIC, '--trusted-proxy', '10.0.0.0/8', '--trusted-proxy', 'fd00::1', '--drain', '600'];
    const { host, port, allowedHosts, trustedProxies, drainMs, warnings } = readServeOptions(args, {});
    assert.deepEqual([host, port], ['0.0.0.0', 8787]);
    assert.deepEqual([allowedHosts, trustedProxies], [['gateway.example'], ['10.0.0.0/8', 'fd00::1']]);
    assert.deepEqual([drainMs, warnings], [600_000, []]);
  });

  it('read the address from the environment, as in containers, unless an option sets it', () => {
    const environment = { MODEL_ACCESS_LISTEN: '0.0.0.0:8787' };
    const read = (...args: string[]) => {
      const { host, port } = readServeOptions(['--allow-host', 'a', ...args], environment);
      return [host, port];
    };
    assert.deepEqual(read(), ['0.0.0.0', 8787]);
    assert.deepEqual(read('--listen', '127.0.0.1:1'), ['127.0.0.1', 1]);
    assert.deepEqual(read('--port', '2'), [undefined, 2]);
    assert.throws(() => readServeOptions([], environment), /--allow-host/);
  });

  it('allow the address itself as a host name, unless it means all addresses', () => {
    const hostsOf = (listen: string) =>
      readServeOptions(['--listen', listen, '--allow-host', 'a'], {}).allowedHosts.join();
    assert.equal(hostsOf('10.0.0.5:1'), 'a,10.0.0.5');
    assert.equal(hostsOf('[fd00::5]:1'), 'a,[fd00::5]');
    assert.equal(hostsOf('0.0.0.0:1'), 'a');
    assert.equal(hostsOf('[::]:1'), 'a');
  });

  it('require no host names for loopback addresses', () => {
    for (const listen of ['127.0.0.1:0', 'localhost:0', '[::1]:0']) {
      assert.deepEqual(readServeOptions(['--listen', listen], {}).warnings, []);
    }
  });

  it('warn about a gateway for other machines without a proxy', () => {
    assert.match(readServeOptions(PUBLIC, {}).warnings.join(), /unencrypted.*--trusted-proxy/);
  });

  for (const [args, complaint] of [
    [['--listen', '0.0.0.0:8787'], /from other machines\. List the host names .* --allow-host/],
    [['--listen', 'gateway.example:8787'], /--allow-host/],
    [['--listen', '8787'], /HOST:PORT/],
    [['--listen', ':8787'], /HOST:PORT/],
    [['--listen', '::1:8787'], /HOST:PORT/],
    [['--listen', '127.0.0.1:70000'], /HOST:PORT/],
    [['--listen', '127.0.0.1:'], /HOST:PORT/],
    [['--listen', '127.0.0.1:0', '--port', '0'], /either --port or --listen/],
    [['--allow-host', 'https://gateway.example'], /--allow-host must be a host name/],
    [['--allow-host', 'gateway.example:443'], /--allow-host must be a host name/],
    [['--allow-host', '*'], /--allow-host must be a host name/],
    [['--trusted-proxy', 'proxy.example'], /--trusted-proxy must be an address or a range/],
    [['--trusted-proxy', '10.0.0.0/40'], /--trusted-proxy must be an address or a range/],
    [['--drain', '601'], /--drain must be a number from 0 to 600/],
    [['--drain', 'long'], /--drain/],
  ] as const) {
    it(`are rejected in one line if they are "${args.join(' ')}"`, () => {
      const isPlain = (error: unknown) =>
        error instanceof UsageError && complaint.test(error.message) && !error.message.includes('\n');
      assert.throws(() => readServeOptions(args, {}), isPlain);
    });
  }
});

describe('a gateway that listens on all addresses', () => {
  afterEach(killServed);

  it('answers under the allowed host names only', async () => {
    const { port, headers, stop } = await startServed([], {}, undefined, PUBLIC.with(1, '0.0.0.0:0'));
    const ask = async (host: string) =>
      (await send({ port, path: '/api/v1/models', method: 'GET', headers: { ...headers, host } })).status;
    assert.deepEqual(
      [await ask('gateway.example'), await ask('localhost'), await ask('evil.example'), await ask('0.0.0.0')],
      [200, 200, 403, 403],
    );
    await stop();
  });

  it('exits with code 2 and one sentence if no host names are given', async () => {
    const { code, output, errors } = await runServed(['--listen', '0.0.0.0:0']);
    assert.deepEqual([code, output], [2, '']);
    assert.match(errors, /^--listen 0\.0\.0\.0:0 can be reached from other machines\. [^\n]+\n$/);
  });

  it('exits with code 1 and one sentence if the address does not belong to this machine', async () => {
    const { code, errors } = await runServed(['--listen', '192.0.2.1:0', '--allow-host', 'gateway.example']);
    assert.equal(code, 1);
    assert.match(errors, /EADDRNOTAVAIL: address not available 192\.0\.2\.1/);
  });
});

describe('a gateway that receives SIGTERM', () => {
  afterEach(async () => {
    await killServed();
    await closeAll();
  });

  it('reports that it is not ready, finishes its streams, and exits', async function () {
    if (process.platform === 'win32') this.skip();
    const begun = Promise.withResolvers<ServerResponse>();
    const service = await startService((answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' }).write(OUTPUT);
      begun.resolve(answer);
    });
    closeLater(() => service.close());
    const options = ['--drain', '600', '--upstream', `hosted:${service.baseAddress}`];
    const { child, port, headers } = await startServed(options, { MODEL_ACCESS_KEY: 'key_of-the-service' });
    const request = open({ port, path: '/api/v1/messages', headers });
    request.end('{}');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const answer = read(response);
    const stream = await begun.promise;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    let status = 200;
    while (status === 200) status = (await send({ port, path: '/health/ready', method: 'GET' })).status;
    assert.equal(status, 503);
    stream.end('data: 2\n\n');
    assert.equal((await answer).body.toString(), `${OUTPUT}data: 2\n\n`);
    assert.deepEqual(await ended, [0, null]);
  });

  it('also reports it behind a proxy without requests in progress, so that the proxy sends no more', async function () {
    if (process.platform === 'win32') this.skip();
    const { child, port, headers } = await startServed(['--trusted-proxy', '127.0.0.1', '--drain', '1']);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    // A closed port would refuse the connection.
    let status = 200;
    while (status === 200) status = (await send({ port, path: '/health/ready', method: 'GET' })).status;
    assert.equal(status, 503);
    assert.equal((await send({ port, path: '/api/v1/models', method: 'GET', headers })).status, 503);
    assert.deepEqual(await ended, [0, null]);
  });
});
