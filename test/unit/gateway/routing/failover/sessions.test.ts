import assert from 'node:assert/strict';
import { SessionPins } from '../../../../../src/gateway/routing/routes/sessionPins.ts';
import type { Script } from '../../../../support/modelServer/modelServer.ts';
import { closeAll } from '../../support/gateway.ts';
import { titleOf } from './cases.ts';
import { ALL_PAIRS, type Asked, type FaultyRoute, HELLO, startRoute } from './faultyUpstreams.ts';

const DOWN = { status: 503, body: { error: { message: 'Down.', type: 'server_error', code: null } } };

async function answeredBy(route: FaultyRoute, asked: Asked): Promise<unknown> {
  const { status, headers } = await route.ask(asked);
  assert.equal(status, 200);
  return headers['x-model-access-upstream'];
}

/** Fails the first request and answers all others. */
function failingOnce(): Script {
  let asked = 0;
  return () => (asked++ === 0 ? DOWN : HELLO);
}

for (const pair of ALL_PAIRS) {
  describe(`a session of ${pair.caller} on upstreams of ${pair.upstream}`, () => {
    afterEach(closeAll);

    it(titleOf(29), async () => {
      const route = await startRoute(pair, [failingOnce(), () => HELLO]);
      const of = (session: string, content: string) => ({ content, headers: { 'x-session-id': session } });
      assert.equal(await answeredBy(route, of('a', 'Hi')), 'server1');
      assert.equal(await answeredBy(route, of('b', 'Hi')), 'server0');
      assert.equal(await answeredBy(route, of('a', 'Another question')), 'server1');
    });

    it(titleOf(30), async () => {
      const route = await startRoute(pair, [failingOnce(), () => HELLO]);
      assert.equal(await answeredBy(route, { content: 'The first question' }), 'server1');
      assert.equal(await answeredBy(route, { content: 'Another conversation' }), 'server0');
      assert.equal(await answeredBy(route, { content: 'The first question' }), 'server1');
    });
  });
}

describe('a session of a route', () => {
  afterEach(closeAll);
  const PAIR = { caller: 'messages', upstream: 'messages' } as const;
  const of = (content: string) => ({ content, headers: { 'x-session-id': 'a' } });

  it('stays with the model for long requests when it is shorter again', async () => {
    const when = [{ tokensAbove: 1000, use: ['server1/long'] }];
    const route = await startRoute(PAIR, [() => HELLO, () => HELLO], { use: ['server0/m0'], when });
    assert.equal(await answeredBy(route, of('short')), 'server0');
    assert.equal(await answeredBy(route, of('word '.repeat(2000))), 'server1');
    assert.equal(await answeredBy(route, of('short')), 'server1');
    assert.equal(await answeredBy(route, { content: 'short' }), 'server0');
  });

  it('is the same when its client moves the marks for the cache', async () => {
    const route = await startRoute(PAIR, [failingOnce(), () => HELLO]);
    const mark = { cache_control: { type: 'ephemeral' } };
    const part = { type: 'text', text: 'The first question' };
    const system = [{ type: 'text', text: 'Be brief.', ...mark }];
    const later = { role: 'assistant', content: 'Hello.' };
    for (const first of [[{ ...part, ...mark }], [part], part.text]) {
      const messages = [{ role: 'user', content: first }, later, { role: 'user', content: [{ ...part, ...mark }] }];
      assert.equal(await answeredBy(route, { members: { system, messages } }), 'server1');
    }
    assert.equal(await answeredBy(route, { members: { system: 'Be brief.' } }), 'server0');
  });

  it('stays, too, where no route is asked for but a model that several upstreams offer', async () => {
    const route = await startRoute(PAIR, [failingOnce(), () => HELLO]);
    const named = (session: string) => ({ model: 'm', headers: { 'x-session-id': session } });
    assert.equal(await answeredBy(route, named('a')), 'server1');
    assert.equal(await answeredBy(route, named('b')), 'server0');
    assert.equal(await answeredBy(route, named('a')), 'server1');
  });

  it('leaves an upstream that fails', async () => {
    const route = await startRoute(PAIR, [failingOnce(), () => HELLO]);
    assert.equal(await answeredBy(route, of('one')), 'server1');
    const [, second] = route.servers;
    if (second !== undefined) second.script = () => DOWN;
    assert.equal(await answeredBy(route, of('two')), 'server0');
  });

  it('returns to the first choice when its cache has gone cold', () => {
    let now = 0;
    const pins = new SessionPins(() => now);
    pins.keep('a', { upstream: 'b', model: 'm', rule: undefined });
    now = 4 * 60_000;
    assert.equal(pins.find('a')?.upstream, 'b');
    now = 6 * 60_000;
    assert.equal(pins.find('a'), undefined);
    assert.ok(pins.isEmpty);
  });
});
