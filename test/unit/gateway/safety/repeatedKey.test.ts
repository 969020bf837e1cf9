import assert from 'node:assert/strict';
import { AUTHORIZED, LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';

const BODY = JSON.stringify({ model: 'm', max_tokens: 9, messages: [] });
const ENCODED = [...LOCAL_KEY].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

describe('a local key that its client also sends', () => {
  afterEach(closeAll);

  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const { port, service } = await startPair();
    const answer = await send({
      port,
      path: `/v1/messages${query}`,
      headers: { ...AUTHORIZED, ...headers },
      body: BODY,
    });
    assert.equal(answer.status, 200);
    const [sent] = service.requests;
    assert.ok(sent !== undefined);
    assert.ok(!JSON.stringify(sent.headers).toLowerCase().includes(LOCAL_KEY.toLowerCase()));
    return sent;
  };

  for (const [how, key] of [
    ['as it is', LOCAL_KEY],
    ['encoded', ENCODED],
    ['encoded twice', ENCODED.replaceAll('%', '%25')],
    ['encoded beside a broken escape', `%zz${ENCODED}`],
  ] as const) {
    it(`in the address does not reach the upstream, ${how}`, async () => {
      assert.match((await ask(`?beta=true&key=${key}&a=%20b`)).path, /\/messages\?beta=true&a=%20b$/);
      await closeAll();
      assert.match((await ask(`?key=${key}`)).path, /\/messages$/);
    });
  }

  it('in other headers, or in the name of one, does not reach the upstream', async () => {
    const headers = {
      'x-my-key': LOCAL_KEY,
      'x-my-url': `http://a/?k=${LOCAL_KEY}`,
      [LOCAL_KEY]: 'a',
      'x-mine': 'kept',
    };
    assert.equal((await ask('', headers)).headers['x-mine'], 'kept');
  });
});
