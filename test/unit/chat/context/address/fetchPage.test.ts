import assert from 'node:assert/strict';
import type { LookupAddress, lookup } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type FetchOptions, fetchPage } from '../../../../../src/chat/context/address/fetchPage.ts';

describe('fetching a web page', () => {
  const servers: Server[] = [];

  async function serve(answer: RequestListener): Promise<URL> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }
  const options = (rest: Partial<FetchOptions> = {}): FetchOptions => ({
    signal: new AbortController().signal,
    follows: () => assert.fail('Nobody is asked.'),
    reaches: () => assert.fail('Nobody is asked.'),
    ...rest,
  });

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('sends no cookies or credentials, and decodes the character set', async () => {
    const asked: Record<string, unknown>[] = [];
    const url = await serve((request, response) => {
      asked.push(request.headers);
      response.setHeader('content-type', 'text/plain; charset=ISO-8859-1');
      response.end(Buffer.from('caf\xe9', 'latin1'));
    });
    const page = await fetchPage(url, options());
    assert.deepEqual([page?.text, page?.mediaType], ['café', 'text/plain']);
    assert.deepEqual([asked[0]?.cookie, asked[0]?.authorization, asked[0]?.referer], [undefined, undefined, undefined]);
  });

  it('follows redirects', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/page?a=1' }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>There');
    });
    const page = await fetchPage(url, options());
    assert.deepEqual([page?.url.href, page?.text], [`${url.href}page?a=1`, '<p>There']);
  });

  it('is not the target of a redirect to another host or port, unless that is allowed', async () => {
    let requests = 0;
    const other = await serve((_, response) => {
      requests += 1;
      response.end('There');
    });
    const url = await serve((_, response) => response.writeHead(302, { location: `${other.href}?secret` }).end());
    const asked: string[] = [];
    const follows = async (to: URL, from: URL) => {
      asked.push(`${from.host} ${to.href}`);
      return false;
    };
    assert.equal(await fetchPage(url, options({ follows })), undefined);
    assert.deepEqual(asked, [`${url.host} ${other.href}?secret`]);
    assert.equal(requests, 0);
    assert.equal((await fetchPage(url, options({ follows: async () => true })))?.text, 'There');
  });

  for (const [what, location, message] of [
    ['redirects to itself', '/', /redirects too many times/],
    ['redirects to a file', 'file:///etc/hosts', /redirects to an invalid address/],
    ['redirects to an address with a password', 'http://me:secret@127.0.0.1/', /redirects to an invalid address/],
  ] as const) {
    it(`rejects a page that ${what}`, async () => {
      const url = await serve((_, response) => response.writeHead(302, { location }).end());
      await assert.rejects(fetchPage(url, options()), message);
    });
  }

  it('explains that a page is missing, is not text or is too large', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/gone') response.writeHead(404).end('no');
      else if (request.url === '/film') response.writeHead(200, { 'content-type': 'video/mp4' }).end('x');
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(6 * 1024 * 1024, 'a'));
    });
    await assert.rejects(fetchPage(new URL('/gone', url), options()), /returned 404 Not Found/);
    await assert.rejects(fetchPage(new URL('/film', url), options()), /is not a text page \(video\/mp4\)/);
    await assert.rejects(fetchPage(new URL('/large', url), options()), /is larger than 5 MB/);
  });

  it('reports a timeout for a page that never ends', async () => {
    const url = await serve((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).write('a'));
    await assert.rejects(fetchPage(url, options({ timeoutMs: 50 })), /did not respond in time/);
  });

  it('explains why a host cannot be reached', async () => {
    const url = await serve(() => undefined);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    await assert.rejects(fetchPage(url, options()), /Could not reach 127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  });

  it('returns nothing if canceled', async () => {
    const canceled = new AbortController();
    const url = await serve(() => canceled.abort());
    assert.equal(await fetchPage(url, options({ signal: canceled.signal })), undefined);
  });

  it('decompresses a page, and limits what comes of it', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
      response.end(gzipSync(request.url === '/' ? 'short' : Buffer.alloc(40 * 1024 * 1024, 'a')));
    });
    assert.equal((await fetchPage(url, options()))?.text, 'short');
    await assert.rejects(fetchPage(new URL('/large', url), options()), /is larger than 5 MB/);
  });

  it('explains that a compressed page is damaged', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end('no gzip');
    });
    await assert.rejects(fetchPage(url, options()), /Could not reach 127\.0\.0\.1:\d+: incorrect header check/);
  });

  /** Answers with these addresses, one list for each question, and counts the questions. */
  function resolver(...answers: (readonly string[])[]) {
    let questions = 0;
    const resolve = (_: string, __: object, done: (error: null, found: LookupAddress[]) => void) => {
      const found = answers[Math.min(questions, answers.length - 1)] ?? [];
      questions += 1;
      done(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    return { resolve: resolve as typeof lookup, questions: () => questions };
  }

  describe('under a public name that resolves to a local address', () => {
    const named = (url: URL) => new URL(`http://page.example:${url.port}/`);

    for (const address of ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', '64:ff9b::7f00:1']) {
      it(`connects to nothing before that is allowed: ${address}`, async () => {
        let connections = 0;
        const url = await serve((_, response) => response.end());
        servers.at(-1)?.on('connection', () => {
          connections += 1;
        });
        const asked: string[] = [];
        const reaches = async (to: URL, local: string) => {
          asked.push(`${to.hostname} ${local}`);
          return false;
        };
        const { resolve } = resolver([address]);
        assert.equal(await fetchPage(named(url), options({ resolve, reaches })), undefined);
        assert.deepEqual(asked, [`page.example ${address}`]);
        assert.equal(connections, 0);
      });
    }

    it('is read after that is allowed, with its name as the host', async () => {
      const hosts: (string | undefined)[] = [];
      const url = await serve(({ headers }, response) => {
        hosts.push(headers.host);
        response.setHeader('content-type', 'text/plain');
        response.end('There');
      });
      const { resolve } = resolver(['127.0.0.1']);
      const page = await fetchPage(named(url), options({ resolve, reaches: async () => true }));
      assert.equal(page?.text, 'There');
      assert.deepEqual(hosts, [`page.example:${url.port}`]);
    });

    it('asks again if the name changes to another local address before it is connected to', async () => {
      const url = await serve(() => assert.fail('It is not connected.'));
      const asked: string[] = [];
      const reaches = async (_: URL, local: string) => asked.push(local) < 2;
      const { resolve } = resolver(['127.0.0.1'], ['127.0.0.2']);
      assert.equal(await fetchPage(named(url), options({ resolve, reaches })), undefined);
      assert.deepEqual(asked, ['127.0.0.1', '127.0.0.2']);
    });

    it('asks for it after a redirect', async () => {
      const other = await serve(() => assert.fail('It is not connected.'));
      const url = await serve((_, response) => response.writeHead(302, { location: named(other).href }).end());
      const asked: string[] = [];
      const reaches = async (to: URL, local: string) => {
        asked.push(`${to.host} ${local}`);
        return false;
      };
      const { resolve } = resolver(['127.0.0.1']);
      assert.equal(await fetchPage(url, options({ resolve, reaches, follows: async () => true })), undefined);
      assert.deepEqual(asked, [`${named(other).host} 127.0.0.1`]);
    });

    it('resolves the name once for each connection, and connects to what was checked', async () => {
      const url = await serve((_, response) => {
        response.setHeader('content-type', 'text/plain');
        response.end('There');
      });
      const { resolve, questions } = resolver(['127.0.0.1'], ['127.0.0.1'], ['127.0.0.3']);
      await fetchPage(named(url), options({ resolve, reaches: async () => true }));
      assert.equal(questions(), 2);
    });

    it('tries only those that are allowed, of several', async () => {
      const url = await serve((request, response) => {
        response.setHeader('content-type', 'text/plain');
        response.end(request.socket.localAddress);
      });
      const asked: string[] = [];
      const reaches = async (_: URL, local: string) => asked.push(local) > 0;
      const { resolve } = resolver(['127.0.0.1', '127.0.0.2'], ['127.0.0.2', '127.0.0.1']);
      assert.equal((await fetchPage(named(url), options({ resolve, reaches })))?.text, '127.0.0.1');
      assert.deepEqual(asked, ['127.0.0.1']);
    });
  });
});
