import assert from 'node:assert/strict';
import type { RouteList } from '../../../../../src/gateway/routing/routes/routeEntry.ts';
import { get, json, LOCAL_KEY, send } from '../../support/client.ts';
import { closeAll } from '../../support/gateway.ts';
import { startRouter } from '../../support/routed.ts';

const HELLO = { parts: [{ text: 'Hello' }] };
const CHAT = '/api/v1/chat/completions';
const HEADERS = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };
const DOWN = { status: 503, body: { error: { message: 'Too much to do.', type: 'server_error', code: null } } };
const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };

interface Asked {
  readonly content?: unknown;
  readonly tools?: readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
}

describe('a route', () => {
  afterEach(closeAll);

  const start = async (routes: RouteList, aliases: Readonly<Record<string, string>> = {}) => {
    const upstreams = [{ script: () => HELLO }, { script: () => HELLO }];
    const running = await startRouter(upstreams, aliases, {}, routes);
    const ask = async ({ content = 'Hi', tools, headers }: Asked = {}) => {
      const body = JSON.stringify({ model: 'coding', messages: [{ role: 'user', content }], ...(tools && { tools }) });
      const before = running.servers.map(({ requests }) => requests.length);
      const answer = await send({ port: running.port, path: CHAT, body, headers: { ...HEADERS, ...headers } });
      assert.equal(answer.status, 200, answer.body.toString());
      const nth = running.servers.findIndex(({ requests }, index) => requests.length > (before[index] ?? 0));
      return `server${nth}/${running.servers[nth]?.requests.at(-1)?.body.model}`;
    };
    return { ...running, ask };
  };

  it('calls the first of its models', async () => {
    const { ask } = await start({ coding: { use: ['server1/a', 'server0/b'] } });
    assert.equal(await ask(), 'server1/a');
  });

  it('calls the next model if the first one fails', async () => {
    const { ask, servers } = await start({ coding: { use: ['server1/a', 'server0/b'] } });
    if (servers[1] !== undefined) servers[1].script = () => DOWN;
    assert.equal(await ask(), 'server0/b');
    assert.equal(servers[1]?.requests[0]?.body.model, 'a');
  });

  it('resolves aliases and other routes', async () => {
    const { ask } = await start({ coding: { use: ['quick'] }, quick: { use: ['known'] } }, { known: 'server1/real' });
    assert.equal(await ask(), 'server1/real');
  });

  it('can be called by an alias, alone and in another route', async () => {
    const routes = { quick: { use: ['server1/real'] }, coding: { use: ['small'] } };
    const { ask, port } = await start(routes, { small: 'quick' });
    assert.equal(await ask(), 'server1/real');
    const body = JSON.stringify({ model: 'small', messages: [{ role: 'user', content: 'Hi' }] });
    const { headers } = await send({ port, path: CHAT, body, headers: HEADERS });
    assert.deepEqual([headers['x-model-access-model'], headers['x-model-access-route']], ['real', 'quick']);
    assert.equal((await get({ port, path: '/api/v1/models/small' })).status, 200);
  });

  it('is listed as a model, described by its first model', async () => {
    const { port } = await start({ coding: { use: ['server1/a'] } });
    const { data } = json(await get({ port, path: '/api/v1/models' })) as { data: { id: string }[] };
    assert.ok(data.some(({ id }) => id === 'coding'));
    assert.equal((await get({ port, path: '/api/v1/models/coding' })).status, 200);
  });

  for (const [name, rule, asked, other] of [
    [
      'the class',
      { class: 'auxiliary' },
      { headers: { 'x-claude-code-request-class': 'auxiliary' } },
      { headers: { 'x-claude-code-request-class': 'main' } },
    ],
    [
      'class and agent together',
      { class: 'subagent', agent: 'Explore' },
      { headers: { 'x-claude-code-request-class': 'subagent', 'x-claude-code-agent-type': 'Explore' } },
      { headers: { 'x-claude-code-request-class': 'subagent', 'x-claude-code-agent-type': 'Plan' } },
    ],
    ['a hosted tool', { tool: 'web_search' }, { tools: [{ type: 'web_search_20250305', name: 'web' }] }, {}],
    [
      'a function',
      { tool: 'look_up' },
      { tools: [{ type: 'function', function: { name: 'look_up', parameters: {} } }] },
      { content: 'A word in text: "look_up"' },
    ],
    ['an image', { image: true }, { content: [PICTURE] }, { content: 'The word "image_url" in a text' }],
    ['many tokens', { tokensAbove: 1_000 }, { content: 'word '.repeat(2_000) }, { content: 'word' }],
    ['few tokens', { tokensBelow: 1_000 }, { content: 'word' }, { content: 'word '.repeat(2_000) }],
  ] as const) {
    it(`follows a rule for ${name}`, async () => {
      const { ask } = await start({ coding: { use: ['server0/a'], when: [{ ...rule, use: ['server1/b'] }] } });
      assert.equal(await ask(asked), 'server1/b');
      assert.equal(await ask(other), 'server0/a');
    });
  }

  it('does not count the bytes of an image as tokens', async () => {
    const { ask } = await start({
      coding: { use: ['server0/a'], when: [{ tokensAbove: 20_000, use: ['server1/b'] }] },
    });
    const url = `data:image/png;base64,${'A'.repeat(400_000)}`;
    assert.equal(await ask({ content: [{ ...PICTURE, image_url: { url } }] }), 'server0/a');
  });
});
