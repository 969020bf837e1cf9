import assert from 'node:assert/strict';
import type { JsonRecord } from '../../../../src/formats/json.ts';
import { CACHE_MISS_REASONS, type CacheMissReason } from '../../../../src/rules/cacheMiss.ts';
import { MINUTE, MISSED, PROMPT_TOKENS, recordedBody, Sender, type Sent } from './watched.ts';

const MARK = { cache_control: { type: 'ephemeral' } };
const IMAGE = (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
const call = (id: string) => ({ role: 'assistant', content: [{ type: 'text', text: id }] });
const reply = (id: string, mark?: object) => ({ role: 'user', content: [{ type: 'text', text: id, ...mark }] });

const task = () => recordedBody('claude-code-task');
type Body = ReturnType<typeof task>;

/** Returns the recorded request with another step of the agent. */
function next(): Body {
  const body = task();
  const result = body.messages.at(-1)?.content as JsonRecord[];
  body.messages.push(call('done'), reply('go on', MARK));
  // Agents move their last mark to the end.
  return {
    ...body,
    messages: body.messages.map((message) =>
      message.content === result ? { ...message, content: result.map(unmarked) } : message,
    ),
  };
}

function unmarked({ cache_control: _, ...block }: JsonRecord): JsonRecord {
  return block;
}

function changed(change: (body: Body) => void): Body {
  const body = next();
  change(body);
  return body;
}

const systemOf = (body: Body) => body.system as unknown as JsonRecord[];
const withSystem = (text: string, body = next()) => ({ ...body, system: [{ type: 'text', text, ...MARK }] });
const withoutMarks = (body: Body): Body =>
  JSON.parse(JSON.stringify(body, (name, value) => (name === 'cache_control' ? undefined : value)));

interface Case {
  readonly title: string;
  readonly first?: Partial<Sent>;
  readonly second: Partial<Sent>;
  readonly changed?: string;
}

const CASES: Readonly<Record<Exclude<CacheMissReason, 'cold' | 'parallel_start'>, readonly Case[]>> = {
  model_changed: [{ title: 'another model is asked', second: { model: 'familya-haiku-4.5' } }],
  tools_changed: [
    {
      title: 'a tool comes first',
      second: { body: changed(({ tools }) => tools.unshift({ name: 'mcp__x', description: 'new', input_schema: {} })) },
      changed: 'mcp__x',
    },
    {
      title: 'a tool has another description',
      second: { body: changed(({ tools }) => Object.assign(tools[0] ?? {}, { description: 'other' })) },
      changed: String(task().tools[0]?.name),
    },
  ],
  tools_reordered: [
    {
      title: 'the tools are in another order',
      second: { body: changed(({ tools }) => tools.reverse()) },
      changed: String(task().tools.at(-1)?.name),
    },
  ],
  system_changed: [
    {
      title: 'the system prompt has other words',
      second: { body: changed((body) => Object.assign(systemOf(body)[0] ?? {}, { text: 'Be brief.' })) },
    },
  ],
  system_volatile: [
    {
      title: 'the system prompt names another day',
      first: { body: withSystem('Today is Friday, 2026-11-20.') },
      second: { body: withSystem('Today is Saturday, 2026-11-21.') },
    },
    {
      title: 'the system prompt has another id',
      first: { body: withSystem('Run 1f0c33aa-9b1e-4d0e-8f00-aabbccddeeff.') },
      second: { body: withSystem('Run 77aa33aa-9b1e-4d0e-8f00-aabbccddee01.') },
    },
  ],
  history_rewritten: [
    {
      title: 'an earlier message has other words',
      second: { body: changed(({ messages }) => Object.assign(messages[1] ?? {}, { content: 'other' })) },
    },
  ],
  history_removed: [
    { title: 'an earlier message is gone', second: { body: changed(({ messages }) => messages.splice(1, 1)) } },
  ],
  history_inserted: [
    {
      title: 'a message comes before the others',
      second: { body: changed(({ messages }) => messages.splice(1, 0, reply('inserted'))) },
    },
  ],
  compacted: [
    {
      title: 'a summary replaces the conversation',
      first: { body: next() },
      second: { body: changed((body) => body.messages.splice(0, body.messages.length, reply('Summary'))) },
    },
  ],
  image_changed: [
    {
      title: 'an image is encoded again',
      first: { body: changed(({ messages }) => messages.unshift({ role: 'user', content: [IMAGE('AAAA')] })) },
      second: { body: changed(({ messages }) => messages.unshift({ role: 'user', content: [IMAGE('AAAB')] })) },
    },
  ],
  settings_changed: [
    {
      title: 'the thinking is switched off',
      second: { body: { ...next(), thinking: { type: 'disabled' } } },
      changed: 'thinking',
    },
    {
      title: 'a tool is forced',
      second: { body: { ...next(), tool_choice: { type: 'any' } } },
      changed: 'tool_choice',
    },
  ],
  expired: [
    { title: 'more than five minutes have passed', second: { body: next(), at: 6 * MINUTE } },
    {
      title: 'more than an hour has passed since a mark of an hour',
      first: { body: JSON.parse(JSON.stringify(task()).replaceAll('"ephemeral"', '"ephemeral","ttl":"1h"')) },
      second: { body: next(), at: 61 * MINUTE },
    },
  ],
  lookback: [
    {
      title: 'more blocks were added than are searched',
      second: {
        body: changed(({ messages }) => {
          const added = Array.from({ length: 24 }, (_, index) => [call(`${index}`), reply(`${index}`)]).flat();
          messages.splice(3, 0, ...added);
        }),
      },
    },
  ],
  below_minimum: [
    {
      title: 'the model caches longer prompts only',
      first: { record: { usage: { ...MISSED, inputTokens: 3000 } }, model: 'opus-4.6' },
      second: { model: 'opus-4.6' },
    },
  ],
  unmarked: [
    { title: 'nothing was marked', first: { body: withoutMarks(task()) }, second: { body: withoutMarks(next()) } },
    { title: 'the marks are gone', second: { body: withoutMarks(next()) } },
  ],
  server: [{ title: 'both begin with the same', second: {} }],
};

describe('a cache miss', () => {
  for (const [reason, cases] of Object.entries(CASES)) {
    for (const { title, first, second, changed: name } of cases) {
      it(`is ${reason} if ${title}`, () => {
        const miss = new Sender().missAfter({ body: task(), ...first }, { body: next(), ...second });
        assert.equal(miss?.reason, reason);
        if (name !== undefined) assert.equal(miss?.changed, name);
      });
    }
  }

  it('is cold without an earlier request', () => {
    const miss = new Sender().send({ body: task(), session: 'session' })?.miss;
    assert.deepEqual(miss, { reason: 'cold', missedTokens: PROMPT_TOKENS });
  });

  it('is a parallel start if the earlier request has no answer yet', () => {
    const sender = new Sender();
    const first = { body: task(), session: 'session' };
    const second = { body: next(), session: 'session', at: 10 };
    sender.begin(first);
    assert.equal(sender.end(sender.begin(second), second)?.miss?.reason, 'parallel_start');
  });

  it('has a test for each reason of the ledger', () => {
    const tested = [...Object.keys(CASES), 'cold', 'parallel_start'];
    assert.deepEqual(tested.sort(), [...CACHE_MISS_REASONS].sort());
  });
});

describe('a request compared with an earlier one', () => {
  const read = (cachedInputTokens: number) => ({ usage: { ...MISSED, cachedInputTokens, cacheWriteTokens: 0 } });

  it('has missed the tokens of the earlier one that were not read from the cache', () => {
    const miss = new Sender().missAfter({ body: task() }, { body: next(), record: read(5000) });
    assert.equal(miss?.missedTokens, PROMPT_TOKENS - 5000);
  });

  it('reports no miss below 1,024 tokens or 5 %', () => {
    assert.equal(
      new Sender().missAfter({ body: task() }, { body: next(), record: read(PROMPT_TOKENS - 1023) }),
      undefined,
    );
    const usage = { ...MISSED, inputTokens: 100_000 };
    const long = { first: { body: task(), record: { usage } }, usage };
    const second = (cachedInputTokens: number) => ({
      body: next(),
      record: { usage: { ...usage, cachedInputTokens } },
    });
    assert.equal(new Sender().missAfter(long.first, second(95_001)), undefined);
    assert.equal(new Sender().missAfter(long.first, second(94_000))?.missedTokens, 6000);
  });

  it('is the same with and without cache marks, and with a string or a list of one text', () => {
    const text = { ...task(), messages: [{ role: 'user', content: 'a question' }] };
    const list = { ...task(), messages: [reply('a question', MARK), call('an answer'), reply('more', MARK)] };
    assert.equal(new Sender().missAfter({ body: text }, { body: list })?.reason, 'server');
  });

  it('in the responses format is compared by its items', () => {
    const body = recordedBody('codex-functions');
    const record = { upstreamFormat: 'responses' } as const;
    const longer = { ...body, input: [...body.input, { type: 'message', role: 'user', content: 'more' }] };
    const rewritten = {
      ...body,
      input: body.input.map((item, index) => (index === 3 ? { ...item, content: 'other' } : item)),
    };
    assert.equal(new Sender().missAfter({ body, record }, { body: longer, record })?.reason, 'server');
    assert.equal(new Sender().missAfter({ body, record }, { body: rewritten, record })?.reason, 'history_rewritten');
  });

  it('reports no miss if the upstream reports no cache or no usage', () => {
    const usage = { inputTokens: PROMPT_TOKENS, outputTokens: 1 };
    assert.equal(new Sender().missAfter({ body: task() }, { body: next(), record: { usage } }), undefined);
    assert.equal(
      new Sender().missAfter({ body: task() }, { body: next(), record: { usageIsEstimated: true } }),
      undefined,
    );
  });

  it('is not compared with a failed one', () => {
    const sender = new Sender();
    sender.send({ body: task(), session: 'session', record: { status: 529 } });
    assert.equal(sender.send({ body: next(), session: 'session', at: MINUTE })?.miss?.reason, 'cold');
  });

  it('is compared with the conversation that it continues, not with a title request in between', () => {
    const sender = new Sender();
    const title = { model: 'm', system: 'Write a title.', messages: [{ role: 'user', content: 'Title?' }] };
    sender.send({ body: task(), session: 'session' });
    sender.send({ body: title, session: 'session', at: 10 });
    assert.equal(sender.send({ body: next(), session: 'session', at: MINUTE })?.miss?.reason, 'server');
  });
});

describe('a request without a session id', () => {
  const ask = (...texts: readonly string[]) => ({
    model: 'm',
    system: 'Be brief.',
    messages: texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
  });

  it('belongs to the session of the conversation that it continues', () => {
    const sender = new Sender();
    const first = sender.send({ body: ask('one') })?.session;
    const other = sender.send({ body: ask('two') })?.session;
    const second = sender.send({ body: ask('one', 'answer', 'more') })?.session;
    assert.equal(second?.sessionId, first?.sessionId);
    assert.notEqual(other?.sessionId, first?.sessionId);
    assert.notEqual(second?.turnId, first?.turnId);
  });

  it('begins a session if it repeats a first message', () => {
    const sender = new Sender();
    const first = sender.send({ body: ask('one') })?.session;
    assert.notEqual(sender.send({ body: ask('one') })?.session.sessionId, first?.sessionId);
  });

  it('stays in its turn while it returns tool results', () => {
    const sender = new Sender();
    const first = sender.send({ body: ask('one') })?.session;
    const step = ask('one', 'answer');
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call', content: 'ok' }] };
    const second = sender.send({ body: { ...step, messages: [...step.messages, result] } })?.session;
    assert.deepEqual(second, first);
  });
});

describe('the session memory of a gateway', () => {
  it('keeps the most recently used sessions, and drops the others', () => {
    const sender = new Sender();
    sender.send({ body: task(), session: 'old' });
    sender.send({ body: task(), session: 'used' });
    for (let index = 0; index < 499; index++) {
      sender.send({ body: task(), session: `${index}` });
      sender.send({ body: task(), session: 'used' });
    }
    assert.equal(sender.send({ body: next(), session: 'old', at: MINUTE })?.miss?.reason, 'cold');
    assert.equal(sender.send({ body: next(), session: 'used', at: MINUTE })?.miss?.reason, 'server');
  });
});
