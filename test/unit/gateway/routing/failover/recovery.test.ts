import assert from 'node:assert/strict';
import type { Script } from '../../../../support/modelServer/modelServer.ts';
import { closeAll } from '../../support/gateway.ts';
import { titleOf } from './cases.ts';
import { type FaultyRoute, HELLO, startRoute } from './faultyUpstreams.ts';

const PAIR = { caller: 'messages', upstream: 'chat-completions' } as const;
const DOWN = { status: 503, body: { error: { message: 'Down.', type: 'server_error', code: null } } };
const NO_MODELS = { status: 200, body: { object: 'list', data: [] } };

describe('an upstream that recovers', () => {
  afterEach(closeAll);

  /** Uses a new session each time, because a session stays where it was moved. */
  let sessions = 0;
  const ask = (route: FaultyRoute) => {
    sessions += 1;
    return route.ask({ headers: { 'x-session-id': `session ${sessions}` } });
  };

  const isProbed = async ({ servers }: FaultyRoute) => {
    for (let nth = 0; ; nth += 1) {
      const request = await servers[0]?.request(nth);
      if (request?.path.endsWith('/models')) return request.ended;
    }
  };

  it(titleOf('unavailable for a while, then available'), async () => {
    const route = await startRoute(PAIR, [() => 'hang up', () => HELLO]);
    for (let nth = 0; nth < 5; nth += 1) assert.equal((await ask(route)).status, 200);
    assert.equal(route.asked(0).length, 3);
    const [first] = route.servers;
    if (first !== undefined) first.script = () => HELLO;
    await isProbed(route);
    // The answer to the probe must first reach the gateway.
    for (let answer = await ask(route); answer.headers['x-model-access-upstream'] !== 'server0'; ) {
      answer = await ask(route);
      assert.equal(answer.status, 200);
    }
  });

  it(titleOf('`/models` works, answers fail'), async () => {
    const script: Script = ({ path }) => (path.endsWith('/models') ? NO_MODELS : DOWN);
    const route = await startRoute(PAIR, [script, () => HELLO]);
    for (let nth = 0; nth < 3; nth += 1) await ask(route);
    await isProbed(route);
    while (route.asked(0).length === 3) assert.equal((await ask(route)).status, 200);
    for (let nth = 0; nth < 3; nth += 1) assert.equal((await ask(route)).status, 200);
    assert.equal(route.asked(0).length, 4);
  });
});
