import assert from 'node:assert/strict';
import { ask, quickSandbox } from './ask.ts';

const MODEL = 'familya-sonnet-4.6';
const DOCUMENT = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } };
const CITED = { type: 'text', text: 'x', citations: [{ type: 'char_location', cited_text: 'x' }] };
const SEARCH = { type: 'search_result', title: 't', source: 's', content: [CITED] };
const user = (...content: object[]) => ({ role: 'user', content });
const answer = (...content: object[]) => ({ role: 'assistant', content });
const HI = user({ type: 'text', text: 'echo: Hi' });

/** What the newest version refuses, with the path that its error names. */
const REFUSED: readonly (readonly [path: string, members: object])[] = [
  ['temperature', { temperature: 1 }],
  ['top_p', { top_p: null }],
  ['top_k', { top_k: 5 }],
  ['messages.1.content.0', { messages: [HI, answer(DOCUMENT), HI] }],
  ['messages.0.content.1.citations', { messages: [user({ type: 'text', text: 'x' }, CITED)] }],
  ['messages.0.content.0.content.0.citations', { messages: [user(SEARCH)] }],
];

/** What it accepts in the same places. */
const ACCEPTED: readonly object[] = [
  { messages: [user({ ...DOCUMENT, citations: { enabled: true } })] },
  { messages: [HI, answer(CITED), HI] },
  { messages: [user({ type: 'text', text: 'x', citations: [] })] },
  { messages: [HI, answer({ type: 'web_fetch_tool_result', tool_use_id: 's', content: { content: DOCUMENT } }), HI] },
];

function send(members: object, version: string | undefined, endpoint: '/messages' | '/messages/count_tokens') {
  const limit = endpoint === '/messages' ? { max_tokens: 100 } : {};
  const headers = version === undefined ? {} : { 'anthropic-version': version };
  return ask(quickSandbox(), { endpoint, headers, body: { model: MODEL, ...limit, messages: [HI], ...members } });
}

for (const endpoint of ['/messages', '/messages/count_tokens'] as const) {
  describe(`The sandbox at ${endpoint}, by the version of the request`, () => {
    for (const [path, members] of REFUSED) {
      it(`refuses ${path} in 2026-10-21 only`, async () => {
        const { status, text } = await send(members, '2026-10-21', endpoint);
        assert.equal(status, 400, text);
        const { error } = JSON.parse(text) as { error: { type: string; message: string } };
        assert.equal(error.type, 'invalid_request_error');
        assert.ok(error.message.startsWith(`${path}: `), error.message);
        for (const earlier of [undefined, '2023-01-01', '2023-06-01']) {
          assert.equal((await send(members, earlier, endpoint)).status, 200);
        }
      });
    }

    it('accepts the rest in every version', async () => {
      for (const members of ACCEPTED) {
        for (const version of ['2023-06-01', '2026-10-21']) {
          const { status, text } = await send(members, version, endpoint);
          assert.equal(status, 200, text);
        }
      }
    });

    it('refuses a version that there is not', async () => {
      const { status, text } = await send({}, '2024-10-22', endpoint);
      assert.equal(status, 400);
      assert.match(text, /anthropic-version: \\"2024-10-22\\" is not a valid version/);
    });
  });
}

it('The sandbox explains nothing about a refusal, in the form of the service', async () => {
  const { text } = await send({ messages: [user({ type: 'text', text: 'refuse' })] }, '2026-10-21', '/messages');
  const { stop_reason, stop_details } = JSON.parse(text) as { stop_reason: string; stop_details: unknown };
  assert.equal(stop_reason, 'refusal');
  assert.deepEqual(stop_details, { type: 'refusal', category: null, explanation: null });
});
