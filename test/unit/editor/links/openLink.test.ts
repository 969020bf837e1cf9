import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readLink } from '../../../../src/editor/links/openLink.ts';

const CONVERSATION = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('a link to the chat', () => {
  it('may contain a model, a conversation and a prompt, or none of them', () => {
    assert.deepEqual(readLink('/open', ''), {});
    assert.deepEqual(readLink('/open/', 'model=familya-opus-4.6'), { model: 'familya-opus-4.6' });
    const all = `model=m&conversation=${CONVERSATION}&prompt=Say%20%22hello%22%0Aplease`;
    assert.deepEqual(readLink('/open', all), { model: 'm', conversation: CONVERSATION, prompt: 'Say "hello"\nplease' });
  });

  it('returns any prompt unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (text) => {
        fc.pre(!/\b(?:key_|sk|ghp|xai|AIza)/.test(text));
        const { prompt = '' } = readLink('/open', new URLSearchParams({ prompt: text }).toString());
        assert.equal(prompt, text.trim());
      }),
    );
  });

  it('is rejected if it contains a key in any parameter, and the message does not repeat it', () => {
    const secret = 'key_7Hq2canarycanary';
    for (const [query, fragment] of [
      [`key=${secret}`],
      ['apiKey=1'],
      ['service_key=x'],
      ['access_token=abc'],
      [`prompt=use ${secret} for it`],
      [`model=${secret}`],
      ['prompt=sk-ant-abcdefgh'],
      ['model=m', secret],
    ] as const) {
      assert.throws(
        () => readLink('/open', query, fragment),
        (error) => error instanceof Error && /contains a key/.test(error.message) && !error.message.includes('canary'),
        query,
      );
    }
  });

  it('is rejected if it opens something else, or if its conversation is a path', () => {
    assert.throws(() => readLink('/settings', ''), /does not recognize this link/);
    assert.throws(() => readLink('/open', 'conversation=../../secrets'), /chat ID in the link is not valid/);
    assert.throws(() => readLink('/open', `prompt=${'a'.repeat(20_001)}`), /“prompt” in the link is too long/);
  });

  it('may contain parameters that this version does not support', () => {
    assert.deepEqual(readLink('/open', 'model=m&format=messages'), { model: 'm' });
  });
});
