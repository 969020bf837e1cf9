import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import {
  agentType,
  clientRepository,
  clientSession,
  requestClass,
  toolMs,
} from '../../../../src/gateway/sessions/clientSession.ts';
import { bodyMembers, createSessionKey, SessionReader } from '../../../../src/gateway/sessions/sessionReader.ts';
import type { ClientSession } from '../../../../src/ledger/sessionHash.ts';

const CODEX = { 'user-agent': 'codex_exec/0.169.0 (Linux; x86_64)' };

/** Cases in the order in which a request is searched, each with the ID `s` and other details. */
const CLIENTS: readonly (readonly [
  title: string,
  headers: IncomingHttpHeaders,
  body: object,
  expected: ClientSession,
])[] = [
  ['Claude Code’s header', { 'x-claude-code-session-id': 's' }, {}, { session: 's' }],
  [
    'Claude Code’s header, with a subagent and a turn',
    { 'x-claude-code-session-id': 's', 'x-claude-code-agent-id': 'a', 'x-claude-code-prompt-id': 't' },
    {},
    { session: 's', agent: 'a', turn: 't' },
  ],
  [
    'the JSON in metadata.user_id',
    {},
    { metadata: { user_id: '{"device_id":"d","session_id":"s"}' } },
    { session: 's' },
  ],
  [
    'the earlier form of metadata.user_id',
    {},
    { metadata: { user_id: 'user_1_account_2_session_s' } },
    { session: 's' },
  ],
  [
    'Kimi’s metadata.user_id',
    { 'user-agent': 'kimi-code-cli/2.1.0' },
    { metadata: { user_id: 's' } },
    { session: 's' },
  ],
  [
    'Codex’s headers',
    { ...CODEX, 'session-id': 's', 'thread-id': 'a', 'x-codex-turn-metadata': '{"turn_id":"t"}' },
    {},
    { session: 's', agent: 'a', turn: 't' },
  ],
  ['Codex’s main thread', { ...CODEX, 'session-id': 's', 'thread-id': 's' }, {}, { session: 's' }],
  ['Codex’s cache key', CODEX, { prompt_cache_key: 's' }, { session: 's' }],
  ['opencode’s session', { 'x-session-id': 's' }, {}, { session: 's' }],
  ['opencode’s affinity', { 'x-session-affinity': 's' }, {}, { session: 's' }],
  ['opencode’s subagent', { 'x-session-id': 'a', 'x-parent-session-id': 's' }, {}, { session: 's', agent: 'a' }],
  ['LiteLLM’s header', { 'x-litellm-session-id': 's' }, {}, { session: 's' }],
  [
    'Helicone’s headers',
    { 'helicone-session-id': 's', 'helicone-session-path': '/a' },
    {},
    { session: 's', agent: '/a' },
  ],
  ['Portkey’s header', { 'x-portkey-trace-id': 's' }, {}, { session: 's' }],
  [
    'the gateway’s own headers',
    { 'x-model-access-session': 's', 'x-model-access-turn': 't' },
    {},
    { session: 's', turn: 't' },
  ],
  ['session_id in the body', {}, { session_id: 's' }, { session: 's' }],
  ['prompt_cache_key', {}, { prompt_cache_key: 's' }, { session: 's' }],
  ['a conversation by its id', {}, { conversation: { id: 's' } }, { session: 's' }],
  ['a conversation by name', {}, { conversation: 's' }, { session: 's' }],
];

const NOTHING: readonly (readonly [title: string, headers: IncomingHttpHeaders, body: object])[] = [
  ['a trace', { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }, {}],
  ['the header session-id of another client', { 'session-id': 's', 'user-agent': 'browser' }, {}],
  ['the id of an end user', {}, { metadata: { user_id: 'customer-17' } }],
  ['the same names deeper in the body', {}, { messages: [{ prompt_cache_key: 's', session_id: 's' }] }],
  ['an empty id', { 'x-session-id': '' }, { prompt_cache_key: '' }],
  ['an id that is too long', {}, { prompt_cache_key: 's'.repeat(600) }],
];

const find = (headers: IncomingHttpHeaders, body: object) =>
  clientSession(headers, () => bodyMembers(Buffer.from(JSON.stringify({ model: 'm', ...body }))));

describe('the session of a request', () => {
  for (const [title, headers, body, expected] of CLIENTS) {
    it(`is named by ${title}`, () => assert.deepEqual(find(headers, body), expected));
  }

  for (const [title, headers, body] of NOTHING) {
    it(`is not named by ${title}`, () => assert.equal(find(headers, body), undefined));
  }

  it('is read from the headers and the body of a request, if they contain anything about it', () => {
    const reader = new SessionReader(createSessionKey());
    const idsOf = (headers: IncomingHttpHeaders, body: object) =>
      reader.read({ headers, localKeyId: 'one', body: Buffer.from(JSON.stringify(body)) }).ids;
    for (const [title, headers, body, { agent, turn }] of CLIENTS) {
      const ids = idsOf(headers, body);
      assert.ok(ids, title);
      assert.deepEqual(
        [ids.agentId !== undefined, ids.turnId !== undefined],
        [agent !== undefined, turn !== undefined],
      );
    }
    for (const [title, headers, body] of NOTHING) assert.equal(idsOf(headers, body), undefined, title);
  });

  it('comes from the first source in the order of precedence', () => {
    const headers: IncomingHttpHeaders = {
      'x-model-access-session': '0',
      'x-claude-code-session-id': '1',
      ...CODEX,
      'session-id': '3',
      'x-session-id': '4',
      'x-session-affinity': '5',
      'x-litellm-session-id': '6',
      'helicone-session-id': '7',
      'x-portkey-trace-id': '8',
    };
    const body: Record<string, unknown> = {
      metadata: { user_id: '{"session_id":"2"}' },
      session_id: '9',
      conversation: '11',
    };
    const order: (string | undefined)[] = [];
    for (let found = find(headers, body); found !== undefined; found = find(headers, body)) {
      order.push(found.session);
      const header = Object.keys(headers).find((name) => headers[name] === found.session);
      if (header !== undefined) delete headers[header];
      else if (found.session === '2') delete body.metadata;
      else delete body[body.session_id === undefined ? 'conversation' : 'session_id'];
    }
    assert.deepEqual(order, ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '11']);
  });

  it('can be read from the beginning of an incomplete body', () => {
    const body = Buffer.from(JSON.stringify({ prompt_cache_key: 's', input: 'x'.repeat(1000) })).subarray(0, 100);
    assert.deepEqual(bodyMembers(body), { prompt_cache_key: 's' });
  });
});

describe('the time of the tools before a request', () => {
  const of = (value: string) => toolMs({ 'x-claude-code-prev-tool-durations': value });

  it('is that of all tools together', () => {
    assert.deepEqual([of('Bash=1200'), of('Bash=1200,Read=14, mcp__x=0.5')], [1200, 1214.5]);
  });

  it('is unknown if the client does not report it, or reports something else', () => {
    assert.equal(toolMs({}), undefined);
    for (const value of ['', 'Bash', 'Bash=', 'Bash=-1', 'Bash=1s', `Bash=${'9'.repeat(20)}`]) {
      assert.equal(of(value), undefined, value);
    }
  });
});

describe('the class of a request', () => {
  it('is the one that Claude Code sends', () => {
    assert.equal(requestClass({ 'x-claude-code-request-class': 'auxiliary' }), 'auxiliary');
    assert.equal(requestClass({ 'x-claude-code-request-class': 'something new' }), undefined);
  });

  it('is subagent if the client names a subagent', () => {
    for (const name of [
      'x-claude-code-agent-id',
      'x-openai-subagent',
      'x-codex-parent-thread-id',
      'x-parent-session-id',
    ])
      assert.equal(requestClass({ [name]: 'a' }), 'subagent', name);
    assert.equal(requestClass({ 'x-session-id': 's' }), undefined);
  });

  it('is compaction if Codex reports one', () => {
    assert.equal(requestClass({ 'x-codex-turn-metadata': '{"request_kind":"compaction"}' }), 'compaction');
    assert.equal(requestClass({ 'x-codex-turn-metadata': 'not JSON' }), undefined);
  });

  it('is read with all that a request’s headers say about its agent', () => {
    const reader = new SessionReader(createSessionKey());
    const read = (headers: IncomingHttpHeaders) => reader.read({ headers, localKeyId: 'one', body: Buffer.of() });
    assert.equal(read({ 'x-claude-code-request-class': 'auxiliary' }).requestClass, 'auxiliary');
    assert.equal(read({ 'x-codex-turn-metadata': '{"request_kind":"compaction"}' }).requestClass, 'compaction');
    assert.equal(read({ 'x-codex-parent-thread-id': 'a' }).requestClass, 'subagent');
    assert.equal(read({ 'x-claude-code-agent-type': 'Explore' }).agentType, 'Explore');
    assert.equal(read({ 'x-openai-subagent': 'review' }).agentType, 'review');
    assert.equal(read({ 'x-claude-code-prev-tool-durations': 'Bash=1200' }).toolMs, 1200);
  });

  it('comes with the agent type', () => {
    assert.equal(agentType({ 'x-claude-code-agent-type': 'Explore' }), 'Explore');
    assert.equal(agentType({ 'x-openai-subagent': 'review' }), 'review');
  });
});

describe('the repository of a client', () => {
  const header = (workspaces: unknown) => ({ ...CODEX, 'x-codex-turn-metadata': JSON.stringify({ workspaces }) });
  const folder = (...urls: readonly unknown[]) =>
    Object.fromEntries(urls.map((url, at) => [`/home/user/${at}`, { associated_remote_urls: url }]));
  const SHOP = header(folder({ origin: 'git@git.example.com:orchard/shop.git' }));

  it('is the remote that Codex names', () => {
    assert.equal(clientRepository(SHOP), 'orchard/shop');
    const second = folder(
      { upstream: 'https://git.example.com/a/b' },
      { origin: 'https://git.example.com/orchard/shop' },
    );
    assert.equal(clientRepository(header(second)), 'orchard/shop');
  });

  it('does not follow from a folder, or from a header of another form', () => {
    for (const workspaces of [
      folder({}),
      folder(null),
      folder({ origin: '/home/user/shop' }),
      folder({ origin: 7 }),
      folder({ origin: `https://git.example.com/${'a'.repeat(600)}` }),
      { '/home/user/shop': null },
      ['/home/user/shop'],
      'shop',
      null,
    ]) {
      assert.equal(clientRepository(header(workspaces)), undefined, JSON.stringify(workspaces));
    }
    assert.equal(clientRepository({ ...CODEX, 'x-codex-turn-metadata': '{' }), undefined);
    assert.equal(clientRepository(CODEX), undefined);
  });

  it('is read only if repositories are recorded', () => {
    const reader = new SessionReader(createSessionKey());
    const read = () => {
      const session = reader.read({
        headers: { ...SHOP, 'session-id': 's' },
        localKeyId: 'one',
        body: Buffer.from(''),
      });
      assert.ok(session.ids);
      return session.repository;
    };
    assert.equal(read(), undefined);
    reader.recordsRepositories = true;
    assert.equal(read(), 'orchard/shop');
  });
});
