import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { readAskedRequest } from '../../../../src/gateway/budgets/askedRequest.ts';
import { planRequest } from '../../../../src/gateway/budgets/requestPlan.ts';
import type { Listing } from '../../../../src/gateway/prices/priceList.ts';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'one two three four five six seven eight nine ten' }] };

function plan(body: object, listings: readonly (Listing | undefined)[] = [], format: FormatName = 'chat-completions') {
  const bytes = Buffer.from(JSON.stringify(body));
  const asked = readAskedRequest(bytes);
  assert.ok(!('error' in asked));
  return planRequest(asked, bytes.length, wireFormats[format], listings);
}

describe('the most that a request can use', () => {
  it('is its prompt and the output that it allows', () => {
    const { inputTokens, maxOutputTokens } = plan({ ...CHAT, max_tokens: 50 });
    assert.ok(inputTokens >= 10 && inputTokens < 30, String(inputTokens));
    assert.equal(maxOutputTokens, 50);
  });

  it('is a long answer where nobody says how long it may be, or the longest of the model', () => {
    assert.equal(plan(CHAT).maxOutputTokens, 32_000);
    assert.equal(plan(CHAT, [{ maxOutputTokens: 8000 }]).maxOutputTokens, 8000);
    assert.equal(plan(CHAT, [{ maxOutputTokens: 128_000 }]).maxOutputTokens, 32_000);
    assert.equal(plan({ ...CHAT, max_tokens: 100_000 }, [{ maxOutputTokens: 8000 }]).maxOutputTokens, 8000);
  });

  it('takes the longest where several may answer, one of whom does not say', () => {
    assert.equal(plan(CHAT, [{ maxOutputTokens: 8000 }, { maxOutputTokens: 9000 }]).maxOutputTokens, 9000);
    assert.equal(plan(CHAT, [{ maxOutputTokens: 8000 }, undefined]).maxOutputTokens, 32_000);
  });

  it('is as many answers as it asks for', () => {
    assert.equal(plan({ ...CHAT, max_tokens: 50, n: 4 }).maxOutputTokens, 200);
  });

  it('has the prices of the dearest who may answer', () => {
    const cheap = { inputPrice: 1, outputPrice: 1 };
    const dear = { inputPrice: 2, outputPrice: 2 };
    for (const listings of [
      [cheap, dear],
      [dear, cheap],
      [{ inputPrice: 9 }, dear, undefined],
    ]) {
      assert.deepEqual(plan({ ...CHAT, max_tokens: 50 }, listings).prices, dear);
    }
    assert.equal(plan(CHAT, [undefined]).prices, undefined);
  });

  it('leaves room for what the service keeps', () => {
    const body = { model: 'm', input: 'hi', previous_response_id: 'resp_1' };
    assert.ok(plan(body, [], 'responses').inputTokens > 32_000);
    assert.ok(plan({ model: 'm', input: 'hi' }, [], 'responses').inputTokens < 100);
  });

  it('is sized up by its bytes where it is not understood', () => {
    const { inputTokens } = plan({ model: 'm', messages: [{ role: 'stranger', content: 'x'.repeat(3000) }] });
    assert.ok(inputTokens > 1000 && inputTokens < 1100, String(inputTokens));
  });
});
