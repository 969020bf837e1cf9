import assert from 'node:assert/strict';
import type { ChatRequest, FormatName, Message } from '../../../../../src/formats/conversation.ts';
import { PromptCache } from '../../../../../src/gateway/upstreams/sandbox/promptCache.ts';
import { answerOf, balanceOf, quickSandbox } from './ask.ts';

const MINUTE_MS = 60_000;
const MARK = { cacheHint: { ttl: '5m' } };
const LONG_MARK = { cacheHint: { ttl: '1h' } };
const LONG_TEXT = 'Every word of this prompt is sent again with each request. '.repeat(100);

type Mark = { readonly cacheHint?: { readonly ttl?: string } };

function request(turns: number, mark: Mark = {}, system = LONG_TEXT): ChatRequest {
  const messages = Array.from({ length: turns }, (_, turn): Message => {
    const isLast = turn === turns - 1;
    const text = `Turn ${turn}. ${'More words of the conversation. '.repeat(40)}`;
    return { role: 'user', parts: [{ type: 'text', text, ...(isLast && mark) }] };
  });
  return { model: 'familya-sonnet-4.6', system: [{ type: 'text', text: system }], messages };
}

describe('the prompt cache of the sandbox', () => {
  let cache: PromptCache;
  beforeEach(() => {
    cache = new PromptCache();
  });

  const use = (asked: ChatRequest, now = 0, format: FormatName = 'messages', localKeyId = 'key') =>
    cache.use({ request: asked, format, localKeyId, inputTokens: tokensOf(asked) }, now);
  const tokensOf = (asked: ChatRequest) => Math.round(JSON.stringify(asked).length / 4);

  it('keeps nothing of a messages request without marks', () => {
    use(request(2));
    assert.deepEqual(use(request(2)), {});
  });

  it('writes a marked prefix once, and then reads it and writes what was added', () => {
    const first = use(request(2, MARK));
    assert.deepEqual(Object.keys(first), ['cachedInputTokens', 'cacheWriteTokens']);
    assert.equal(first.cachedInputTokens, 0);
    assert.ok((first.cacheWriteTokens ?? 0) >= 1024);
    const second = use(request(3, MARK));
    assert.ok(Math.abs((second.cachedInputTokens ?? 0) - (first.cacheWriteTokens ?? 0)) < 30);
    const added = second.cacheWriteTokens ?? 0;
    assert.ok(added > 200 && added < 500, `${added} tokens were written`);
  });

  it('forgets a prefix after five minutes, or an hour, unless it is read', () => {
    const read = (now: number, mark: Mark) => use(request(2, mark), now).cachedInputTokens ?? 0;
    use(request(2, MARK), 0);
    assert.ok(read(4 * MINUTE_MS, MARK) > 0);
    assert.ok(read(8 * MINUTE_MS, MARK) > 0, 'the first reading has renewed it');
    assert.equal(read(14 * MINUTE_MS, MARK), 0);
    cache = new PromptCache();
    const written = use(request(2, LONG_MARK), 0);
    assert.equal(written.longCacheWriteTokens, written.cacheWriteTokens);
    assert.ok(read(50 * MINUTE_MS, LONG_MARK) > 0);
  });

  it('looks for what it knows in the last twenty blocks before a mark', () => {
    use(request(2, MARK));
    assert.ok((use(request(22, MARK)).cachedInputTokens ?? 0) > 0);
    cache = new PromptCache();
    use(request(2, MARK));
    assert.equal(use(request(24, MARK)).cachedInputTokens, 0);
  });

  it('caches long prompts of the other formats by itself, in steps of 128 tokens, and does not charge writes', () => {
    for (const format of ['chat-completions', 'responses'] as const) {
      cache = new PromptCache();
      assert.deepEqual(use(request(2), 0, format), { cachedInputTokens: 0 });
      const { cachedInputTokens = 0, ...others } = use(request(3), MINUTE_MS, format);
      assert.deepEqual(others, {});
      assert.ok(cachedInputTokens >= 1024 && cachedInputTokens % 128 === 0, `${cachedInputTokens} tokens were read`);
      assert.equal(use(request(3), 20 * MINUTE_MS, format).cachedInputTokens, 0);
    }
  });

  it('has nothing for short prompts, other keys, other models, and changed beginnings', () => {
    assert.deepEqual(use(request(1, MARK, 'Short.')), {});
    use(request(2), 0, 'responses');
    const read = (asked: ChatRequest, key = 'key') => use(asked, 0, 'responses', key).cachedInputTokens;
    assert.equal(read(request(2), 'other'), 0);
    assert.equal(read({ ...request(2), model: 'familyc-5.4' }), 0);
    assert.equal(read(request(2, {}, `It is Monday. ${LONG_TEXT}`)), 0);
  });

  it('reports what it has read in the usage of an answer, and charges a tenth for it', async () => {
    const sandbox = quickSandbox();
    const asked = { format: 'chat-completions' as const, model: 'familyc-5.4', text: `write 30 words ${LONG_TEXT}` };
    const ask = () => answerOf(sandbox, { ...asked, request: { stream: false } });
    const { usage: cold } = await ask();
    const before = (await balanceOf(sandbox)).used;
    const { usage: warm } = await ask();
    const charged = (await balanceOf(sandbox)).used - before;
    assert.equal(cold?.cachedInputTokens ?? 0, 0);
    const { inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 } = warm ?? {};
    assert.ok(cachedInputTokens >= 1024);
    const cost = ((inputTokens - cachedInputTokens) * 2.5 + cachedInputTokens * 0.25 + outputTokens * 15) / 1e6;
    assert.ok(Math.abs(charged - cost) < 1e-9, `${charged} instead of ${cost}`);
  });
});
