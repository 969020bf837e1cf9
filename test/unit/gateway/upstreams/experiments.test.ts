import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { runs } from '../../../support/randomRuns.ts';
import { closeAll } from '../support/gateway.ts';
import { error, type Json, type Refuse, startPickyServer } from './pickyServer.ts';

/** What a coding agent sends with each turn. */
const AGENT = {
  max_tokens: 32_000,
  system: 'You write code.',
  output_config: { effort: 'xhigh' },
  metadata: { user_id: 'u' },
  messages: [
    { role: 'user', content: 'Look.' },
    { role: 'system', content: 'The folder is empty.' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Nothing.' }] },
    { role: 'user', content: 'Go on.' },
  ],
  tools: [
    {
      name: 'read',
      description: 'Reads a file.',
      input_schema: {
        type: 'object',
        properties: { path: { $ref: '#/$defs/path', description: 'Which one' } },
        $defs: { path: { type: 'string', format: 'uri' } },
      },
    },
  ],
};
const CODEX = {
  instructions: 'You write code.',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look.' }] }],
  prompt_cache_key: 'k',
  store: false,
  parallel_tool_calls: true,
  reasoning: { effort: 'high' },
  text: { verbosity: 'low' },
  tools: [{ type: 'function', name: 'read', strict: true, parameters: AGENT.tools[0]?.input_schema }],
};

const rolesOf = (body: Json): string[] => body.messages.map(({ role }: Json) => role);
const hasLaterSystem = (body: Json): boolean => rolesOf(body).lastIndexOf('system') > 0;

/** What strict servers refuse, by the member that is left. */
const STRICT: Readonly<Record<string, (body: Json) => boolean>> = {
  'system messages in the conversation': hasLaterSystem,
  'an effort': (body) => body.reasoning_effort !== undefined,
  'an identity of the user': (body) => body.user !== undefined,
  'a key of the cache': (body) => body.prompt_cache_key !== undefined,
  'options of a stream': (body) => body.stream_options !== undefined,
  'references in schemas': (body) => JSON.stringify(body.tools ?? []).includes('$ref'),
  'strict tools': (body) => JSON.stringify(body.tools ?? []).includes('"strict"'),
  verbosity: (body) => body.verbosity !== undefined,
  'parallel calls': (body) => body.parallel_tool_calls !== undefined,
};

const sentences = fc.constantFrom(
  'この要求は処理できません。',
  '请求参数不合法',
  'Что-то пошло не так.',
  'Nope, not like this.',
  'E-4711: see the manual, page 12',
);

describe('a server that refuses in words that nobody knows', () => {
  afterEach(closeAll);

  for (const [what, isRefused] of Object.entries(STRICT)) {
    it(`gets the request without ${what} after at most three more requests, and from then on at once`, async () => {
      const words = fc.sample(sentences, 30);
      let asked = 0;
      const { ask, bodies } = await startPickyServer((body) => {
        asked += 1;
        return isRefused(body) ? { status: asked % 2 ? 400 : 422, body: words[asked % words.length] } : undefined;
      });
      for (const [caller, body] of [
        ['messages', { ...AGENT, stream: true }],
        ['responses', CODEX],
      ] as const) {
        const before = bodies().length;
        const first = await ask(caller, body);
        assert.equal(first.status, 200, first.text);
        const tries = bodies().length - before;
        assert.ok(tries <= 4, `${tries} requests`);
        const again = await ask(caller, body);
        assert.deepEqual([again.status, again.dropped], [200, first.dropped]);
        assert.equal(bodies().length - before, tries + 1);
      }
    });
  }

  it('gets no message, image, or tool less, whatever it refuses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(Object.keys(STRICT), { minLength: 1 }), sentences, async (refused, words) => {
        const { ask, bodies } = await startPickyServer((body) =>
          refused.some((what) => STRICT[what]?.(body)) ? { body: { detail: words } } : undefined,
        );
        const { status, text } = await ask('messages', AGENT);
        assert.equal(status, 200, text);
        for (const body of bodies()) {
          const sent = JSON.stringify(body.messages);
          for (const said of ['You write code.', 'Look.', 'The folder is empty.', 'I look.', 'Nothing.', 'Go on.']) {
            assert.ok(sent.includes(said), said);
          }
          assert.deepEqual(
            body.tools.map(({ function: { name } }: Json) => name),
            ['read'],
          );
        }
        await closeAll();
      }),
      { numRuns: runs(5) },
    );
  });

  it('gets a long conversation in other forms, too', async () => {
    const { ask, bodies } = await startPickyServer((body) => (hasLaterSystem(body) ? error('Nope.') : undefined));
    const [question, ...others] = AGENT.messages;
    const long = { ...question, content: 'x'.repeat(400_000) };
    for (const count of [2, 3]) {
      const { status, dropped } = await ask('messages', { ...AGENT, messages: [long, ...others] });
      assert.deepEqual([status, bodies().length, dropped.includes('role:system')], [200, count, true]);
    }
    assert.ok(JSON.stringify(bodies().at(-1)).includes(long.content));
  });

  it('gets a request that is simply wrong once, from the second one on', async () => {
    const { ask, bodies } = await startPickyServer(() => error('Das geht nicht.'));
    const first = await ask('messages', AGENT);
    assert.deepEqual([first.status, first.dropped], [400, []]);
    assert.ok(bodies().length <= 4);
    for (const content of ['Look.', 'Something else.']) {
      const before = bodies().length;
      const [, ...others] = AGENT.messages;
      assert.equal((await ask('messages', { ...AGENT, messages: [{ role: 'user', content }, ...others] })).status, 400);
      assert.equal(bodies().length, before + 1);
    }
  });

  for (const [status, words] of [
    [401, 'Wer sind Sie?'],
    [402, 'Kein Geld.'],
    [403, 'Nein.'],
    [404, 'Nichts.'],
    [400, 'Your credit balance is too low.'],
    [400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."],
    [400, 'The response was filtered by the content management policy.'],
    [400, 'The model `m` does not exist.'],
  ] as const) {
    it(`gets a request once that it answers with ${status} "${words}"`, async () => {
      const { ask, bodies } = await startPickyServer(() => ({ status, body: error(words).body }));
      await ask('messages', AGENT);
      assert.equal(bodies().length, 1);
    });
  }

  it('gets what a caller wrote in its own format once, byte for byte', async () => {
    const { ask, bodies } = await startPickyServer(() => error('Nope.'));
    const body = { messages: [{ role: 'user', content: 'Hi' }], user: 'u', reasoning_effort: 'high' };
    assert.equal((await ask('chat-completions', body)).status, 400);
    assert.deepEqual(bodies(), [{ model: 'm', ...body }]);
  });
});

describe('what was found by trying', () => {
  afterEach(closeAll);

  it('applies only to requests that have all of it', async () => {
    const refuse: Refuse = (body) => (hasLaterSystem(body) && body.user !== undefined ? error('Nope.') : undefined);
    const { ask, bodies } = await startPickyServer(refuse);
    assert.equal((await ask('messages', AGENT)).status, 200);
    await ask('messages', { max_tokens: 50, metadata: { user_id: 'u' }, messages: [{ role: 'user', content: 'Hi' }] });
    assert.equal(bodies().at(-1)?.user, 'u');
  });

  it('applies at once if one change was possible only after another', async () => {
    const refuse: Refuse = (body) => (body.tool_choice !== undefined ? error('Nope.') : undefined);
    const { ask, bodies } = await startPickyServer(refuse);
    const request = { ...AGENT, tool_choice: { type: 'tool', name: 'read' } };
    assert.equal((await ask('messages', request)).status, 200);
    const tries = bodies().length;
    assert.equal((await ask('messages', request)).status, 200);
    assert.equal(bodies().length, tries + 1);
  });

  it('is forgotten when it is removed', async () => {
    const refuse: Refuse = (body) => (body.user === undefined ? undefined : error('Unknown parameter: user'));
    const { ask, bodies, memory } = await startPickyServer(refuse);
    await ask('messages', AGENT);
    const [known] = memory.all;
    assert.deepEqual(known?.changes, ['user']);
    memory.remove(memory.listed.map(({ id }) => id));
    assert.deepEqual(memory.all, []);
    await ask('messages', AGENT);
    assert.equal(bodies().length, 4);
  });
});
