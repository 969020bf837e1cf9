import assert from 'node:assert/strict';
import { trialOf } from '../../../../src/pages/routes/routeTrial.ts';

const ROW = { model: 'coding', usage: { inputTokens: 5_000, outputTokens: 10 } };
const BODY = JSON.stringify({
  model: 'coding',
  messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://host/a.png' } }] }],
  tools: [{ name: 'shell', input_schema: {} }, { type: 'web_search_20250305', name: 'web_search' }, { type: 'bash' }],
});

/** The body as it was captured, in two pieces. */
function captured(keptBytes = BODY.length) {
  const pieces = [[0, BODY.slice(0, 40)] as const, [1, BODY.slice(40)] as const];
  return { part: 'request', bytes: BODY.length, keptBytes, pieces, isReadable: true } as const;
}

describe('the description of a request of Traffic', () => {
  it('has its tools, images, and tokens as the rules of routes count them', () => {
    const { form, isComplete } = trialOf({ ...ROW, agentType: 'Explore' }, undefined, captured());
    assert.ok(isComplete);
    assert.deepEqual(
      { ...form, tokens: Number(form.tokens) > 1_600 },
      {
        model: 'coding',
        requestClass: '',
        agent: 'Explore',
        tools: 'shell, web_search, bash',
        tokens: true,
        hasImage: true,
      },
    );
  });

  it('has the class that the headers name', () => {
    const headers = [['X-Claude-Code-Request-Class', 'auxiliary']] as const;
    assert.equal(trialOf(ROW, { requestHeaders: headers }, captured()).form.requestClass, 'auxiliary');
  });

  it('has the counted tokens, and says that it is incomplete, if its body was not captured as a whole', () => {
    for (const body of [undefined, captured(10), { ...captured(), isReadable: false }]) {
      const { form, isComplete } = trialOf(ROW, undefined, body);
      assert.deepEqual([isComplete, form.tokens, form.tools, form.hasImage], [false, '5000', '', false]);
    }
  });
});
