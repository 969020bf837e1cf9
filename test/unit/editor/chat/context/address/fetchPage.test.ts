import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchPage, type PageOptions } from '../../../../../../src/editor/chat/context/address/fetchPage.ts';

describe('fetching a web page', () => {
  const servers: Server[] = [];

  async function serve(answer: RequestListener): Promise<URL> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }
  const options = (rest: Partial<PageOptions> = {}): PageOptions => ({
    signal: new AbortController().signal,
    follows: () => assert.fail('Nobody is asked.'),
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

  it('is not where a redirect to another host or port leads to, unless that is followed', async () => {
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
    ['leads to itself', '/', /redirects too often/],
    ['leads to a file', 'file:///etc/hosts', /redirects to an address that cannot be read/],
    [
      'leads to an address with a password',
      'http://me:secret@127.0.0.1/',
      /redirects to an address that cannot be read/,
    ],
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
    await assert.rejects(fetchPage(new URL('/gone', url), options()), /answered with 404 Not Found/);
    await assert.rejects(fetchPage(new URL('/film', url), options()), /is not a page of text \(video\/mp4\)/);
    await assert.rejects(fetchPage(new URL('/large', url), options()), /is larger than 5 MB/);
  });

  it('reports a timeout for a page that never ends', async () => {
    const url = await serve((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).write('a'));
    await assert.rejects(fetchPage(url, options({ timeoutMs: 50 })), /did not answer in time/);
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
});
