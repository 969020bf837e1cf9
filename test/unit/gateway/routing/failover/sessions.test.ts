import assert from 'node:assert/strict';
import type { FormatName } from '../../../../../src/formats/conversation.ts';
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

/** Returns a conversation that has already been answered once. */
function continued(caller: FormatName, first: string): Asked {
  const messages = [
    { role: 'user', content: first },
    { role: 'assistant', content: 'An answer' },
    { role: 'user', content: 'Another question' },
  ];
  return { members: caller === 'responses' ? { input: messages } : { messages } };
}

/** Fails the first request and answers all others. */
function failingOnce(): Script {
  let asked = 0;
  return () => (asked++ === 0 ? DOWN : HELLO);
}

for (const pair of ALL_PAIRS) {
  describe(`a session of ${pair.caller} on upstreams of ${pair.upstream}`, () => {
    afterEach(closeAll);

    it(titleOf('a session that the client names'), async () => {
      const route = await startRoute(pair, [failingOnce(), () => HELLO]);
      const of = (session: string, content: string) => ({ content, headers: { 'x-session-id': session } });
      assert.equal(await answeredBy(route, of('a', 'Hi')), 'server1');
      assert.equal(await answeredBy(route, of('b', 'Hi')), 'server0');
      assert.equal(await answeredBy(route, of('a', 'Another question')), 'server1');
    });

    it(titleOf('a session that the client does not name'), async () => {
      const route = await startRoute(pair, [failingOnce(), () => HELLO]);
      assert.equal(await answeredBy(route, { content: 'The first question' }), 'server1');
      assert.equal(await answeredBy(route, { content: 'Another conversation' }), 'server0');
      assert.equal(await answeredBy(route, continued(pair.caller, 'The first question')), 'server1');
    });

    it('is a new one if its first question is asked again', async () => {
      const route = await startRoute(pair, [failingOnce(), () => HELLO]);
      assert.equal(await answeredBy(route, { content: 'The same question' }), 'server1');
      assert.equal(await answeredBy(route, { content: 'The same question' }), 'server0');
      assert.equal(await answeredBy(route, continued(pair.caller, 'The same question')), 'server0');
    });
  });
}

describe('a session of a route', () => {
  afterEach(closeAll);
  const PAIR = { caller: 'messages', upstream: 'messages' } as const;
  const of = (content: string) => ({ content, headers: { 'x-session-id': 'a' } });

  it('stays with the model for long requests after it becomes shorter', async () => {
    const when = [{ tokensAbove: 1000, use: ['server1/long'] }];
    const route = await startRoute(PAIR, [() => HELLO, () => HELLO], { use: ['server0/m0'], when });
    assert.equal(await answeredBy(route, of('short')), 'server0');
    assert.equal(await answeredBy(route, of('word '.repeat(2000))), 'server1');
    assert.equal(await answeredBy(route, of('short')), 'server1');
    assert.equal(await answeredBy(route, { content: 'short' }), 'server0');
  });

  it('is the same if its client moves the cache marks', async () => {
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

  it('also keeps its upstream for a model that several upstreams offer, without a route', async () => {
    const route = await startRoute(PAIR, [failingOnce(), () => HELLO]);
    const named = (session: string) => ({ model: 'm', headers: { 'x-session-id': session } });
    assert.equal(await answeredBy(route, named('a')), 'server1');
    assert.equal(await answeredBy(route, named('b')), 'server0');
    assert.equal(await answeredBy(route, named('a')), 'server1');
  });

  it('moves away from an upstream that fails', async () => {
    const route = await startRoute(PAIR, [failingOnce(), () => HELLO]);
    assert.equal(await answeredBy(route, of('one')), 'server1');
    const [, second] = route.servers;
    if (second !== undefined) second.script = () => DOWN;
    assert.equal(await answeredBy(route, of('two')), 'server0');
  });

  it('returns to the first choice when its cache has expired', () => {
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
