import assert from 'node:assert/strict';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import {
  type CountQuestion,
  type LocalTokenCount,
  TokenCounter,
} from '../../../../src/gateway/counting/tokenCounter.ts';

const TEXT = 'The quick brown fox jumps over the lazy dog, and then it writes some code. '.repeat(20);

function question(model: string, body: Record<string, unknown> = {}, upstream = 'u'): CountQuestion {
  const whole = { model, messages: [{ role: 'user', content: TEXT }], ...body };
  const bytes = Buffer.from(JSON.stringify(whole));
  return { upstream, model, endpoint: '/messages/count_tokens', body: bytes };
}

describe('the token counter', () => {
  let counter: TokenCounter;
  before(() => {
    counter = new TokenCounter((problem) => assert.fail(problem));
  });
  after(() => counter.close());

  async function count(asked: CountQuestion): Promise<LocalTokenCount> {
    const counted = await counter.count(asked);
    assert.ok('tokens' in counted, JSON.stringify(counted));
    return counted;
  }

  it('is exact on text if the tokenizer is public: the text plus seven framing tokens', async () => {
    assert.deepEqual(await count(question('gpt-4o')), { tokens: countTokens(TEXT) + 7, isExact: true, factor: 1 });
  });

  it('applies a factor, and reports it, if the tokenizer is not public', async () => {
    const { tokens, isExact, factor } = await count(question('familya-sonnet-4.6'));
    assert.deepEqual([isExact, factor], [false, 1.2]);
    assert.equal(tokens, Math.ceil((countTokens(TEXT) + 7) * 1.2));
  });

  for (const [part, body] of [
    ['tools', { tools: [{ name: 't', description: TEXT, input_schema: { type: 'object' } }] }],
    [
      'results of tools',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 't', input: { text: TEXT } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: TEXT }] },
        ],
      },
    ],
    [
      'documents',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: TEXT },
              { type: 'document', source: { type: 'text', media_type: 'text/plain', data: TEXT } },
            ],
          },
        ],
      },
    ],
    [
      'reasoning',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'thinking', thinking: TEXT, signature: 's' }] },
          { role: 'user', content: TEXT },
        ],
      },
    ],
  ] as const) {
    it(`counts ${part}, and does not report an exact count`, async () => {
      const { tokens, isExact } = await count(question('gpt-4o', body));
      assert.equal(isExact, false);
      assert.ok(tokens >= 2 * countTokens(TEXT), String(tokens));
    });
  }

  it('counts the system prompt', async () => {
    const { tokens } = await count(question('gpt-4o', { system: TEXT }));
    assert.equal(tokens, 2 * countTokens(TEXT) + 11);
  });

  it('counts images by the rule of their model family', async () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const messages = [{ role: 'user', content: [image] }];
    assert.equal((await count(question('gpt-4o', { messages }))).tokens, 1105 + 7);
    assert.equal((await count(question('familya-opus-4.6', { messages }))).tokens, 1600 + Math.ceil(7 * 1.2));
  });

  it('never returns 0', async () => {
    assert.ok((await count(question('gpt-4o', { messages: [] }))).tokens > 0);
  });

  it('counts requests of the other formats', async () => {
    const chat = question('gpt-4o');
    assert.equal((await count({ ...chat, endpoint: '/chat/completions' })).tokens, countTokens(TEXT) + 7);
    const body = Buffer.from(JSON.stringify({ model: 'gpt-4o', input: TEXT }));
    assert.equal((await count({ ...chat, endpoint: '/responses', body })).tokens, countTokens(TEXT) + 7);
  });

  it('reports what is wrong with a body', async () => {
    for (const text of ['{"model":"m","messages":7}', '{', `{"model":"m","messages":${'['.repeat(50_000)}`]) {
      const answer = await counter.count({ ...question('m'), body: Buffer.from(text) });
      assert.ok('kind' in answer && answer.status === 400, text.slice(0, 50));
    }
  });

  it('estimates a body of several megabytes in bounded time, and continues', async () => {
    const huge = await count(question('gpt-4o', { system: TEXT.repeat(4_000) }));
    assert.equal(huge.isExact, false);
    const exact = countTokens(TEXT) * 4_000;
    assert.ok(Math.abs(huge.tokens - exact) < exact / 4, `${huge.tokens} for ${exact}`);
    assert.equal((await count(question('gpt-4o'))).isExact, true);
  });

  it('loads the tokenizer once for forty parallel requests', async () => {
    await counter.close();
    let threads = 0;
    const see = () => {
      threads += 1;
    };
    process.on('worker', see);
    await Promise.all(Array.from({ length: 40 }, () => count(question('gpt-4o'))));
    process.off('worker', see);
    assert.equal(threads, 1);
  });

  it('restarts after its thread was stopped', async () => {
    await count(question('gpt-4o'));
    assert.equal(counter.isAwake, true);
    await counter.close();
    assert.equal(counter.isAwake, false);
    assert.equal((await count(question('gpt-4o'))).isExact, true);
  });

  describe('with reports from an upstream', () => {
    async function learn(asked: CountQuestion, ratio: number, times = 12): Promise<void> {
      const { tokens, factor } = await count(asked);
      for (let i = 0; i < times; i += 1) await counter.learn(asked, (tokens / factor) * ratio);
    }

    it('approaches the reported count', async () => {
      const asked = question('familya-sonnet-4.6', {}, 'learnt');
      await learn(asked, 1.5);
      const { tokens, isExact } = await count(asked);
      const truth = (countTokens(TEXT) + 7) * 1.5;
      assert.ok(Math.abs(tokens - truth) < truth * 0.03, `${tokens} for ${truth}`);
      assert.equal(isExact, false);
    });

    it('distinguishes upstreams that use one name for two models', async () => {
      const asked = question('local', {}, 'one');
      await learn(asked, 2);
      assert.equal((await count({ ...asked, upstream: 'other' })).factor, 1.1);
    });

    it('stays exact while the upstream agrees, and is inexact when it does not', async () => {
      const asked = question('gpt-4o', {}, 'public');
      await learn(asked, 1.001);
      assert.equal((await count(asked)).isExact, true);
      await learn(asked, 1.3);
      const { isExact, factor } = await count(asked);
      assert.equal(isExact, false);
      assert.ok(factor > 1.1 && factor < 1.3, String(factor));
    });

    it('learns nothing from prompts that reveal little about the tokenizer', async () => {
      const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
      const short = question('m', { messages: [{ role: 'user', content: 'Hi' }] });
      const seen = question('m', { messages: [{ role: 'user', content: [{ type: 'text', text: TEXT }, image] }] });
      const body = Buffer.from(JSON.stringify({ model: 'm', input: TEXT, previous_response_id: 'resp_1' }));
      for (const asked of [short, seen, { ...short, endpoint: '/responses', body } as const]) {
        await counter.learn(asked, 100_000);
      }
      assert.equal((await count(question('m'))).factor, 1.1);
    });
  });
});
