import assert from 'node:assert/strict';
import { type ChainedGateway, startChain } from './support/gateways.ts';

const MODEL = 'familya-haiku-4.5';
const QUESTION = { model: MODEL, max_tokens: 200, messages: [{ role: 'user', content: 'What did you receive?' }] };

interface Balance {
  readonly balance: number;
  readonly currency: string;
  readonly package: { readonly state: string };
}

/** All six endpoints, streaming where possible, with bodies as simple as a user types them. */
const CALLS: readonly { readonly path: string; readonly body?: object }[] = [
  { path: '/models' },
  { path: `/models/${MODEL}` },
  { path: '/balance' },
  { path: '/messages/count_tokens', body: QUESTION },
  { path: '/messages?beta=true', body: QUESTION },
  { path: '/messages', body: { ...QUESTION, stream: true } },
  { path: '/chat/completions', body: QUESTION },
  { path: '/chat/completions', body: { ...QUESTION, stream: true, stream_options: { include_usage: true } } },
  { path: '/responses', body: { model: MODEL, input: 'What did you receive?' } },
  { path: '/responses', body: { model: MODEL, input: 'What did you receive?', stream: true } },
  { path: '/messages', body: { ...QUESTION, model: 'unknown' } },
  { path: '/chat/completions', body: { ...QUESTION, model: `${MODEL}+rate-limit` } },
];

describe('a gateway in front of a hosted service', () => {
  let outer: ChainedGateway;

  before(async () => {
    outer = await startChain();
  });
  after(() => outer.stop());

  const call = ({ address, key }: { address: string; key: string }, path: string, body?: object): Promise<Response> =>
    fetch(`${address}${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });

  for (const { path, body } of CALLS) {
    it(`answers ${path} ${JSON.stringify(body ?? '')} as the service does`, async () => {
      const [direct, passed] = [await call(outer.inner, path, body), await call(outer, path, body)];
      const [directText, passedText] = [await direct.text(), await passed.text()];
      assert.equal(withoutChance(passedText), withoutChance(directText));
      assert.equal(passed.status, direct.status);
      assert.equal(passed.headers.get('content-type'), direct.headers.get('content-type'));
      assert.deepEqual(namesOf(passed.headers), namesOf(direct.headers));
    });
  }

  it('reports the balance of the key, which decreases with use', async () => {
    const read = async () => (await (await call(outer, '/balance')).json()) as Balance;
    const before = await read();
    await (await call(outer, '/messages', QUESTION)).text();
    const after = await read();
    assert.ok(after.balance < before.balance);
    assert.deepEqual([after.currency, after.package.state], ['USD', 'active']);
  });

  it('prints no key except on its first line', () => {
    assert.ok(!outer.output().includes(outer.key));
    assert.ok(!outer.output().includes(outer.inner.key));
  });
});

/** Removes what differs between two answers to the same request: IDs, times, and the amount spent so far. */
function withoutChance(text: string): string {
  return text
    .replace(/"(id|item_id|request_id|response_id)":"[^"]*"/g, '"$1":""')
    .replace(/"(created|created_at|completed_at|balance|used|remaining)":[\d.]+/g, '"$1":0');
}

/** Returns the names of the headers that concern the answer, not the connection. */
function namesOf(headers: Headers): string[] {
  const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'date'];
  return [...headers.keys()].filter((name) => !ofConnection.includes(name));
}
