import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { json, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const BARE: Readonly<Record<FormatName, object>> = {
  'chat-completions': { messages: [{ role: 'user', content: 'Hi' }] },
  messages: { max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] },
  responses: { input: 'Hi' },
};
const IMAGE = { type: 'base64', media_type: 'image/png', data: 'aW1hZ2U=' };
const PAGE = { type: 'url_citation', url: 'https://example.com', title: 't', start_index: 0, end_index: 1 };
const HINT = { type: 'ephemeral' };

async function ask(caller: FormatName, upstream: FormatName, members: object) {
  const running = await startRouter([{ formats: [upstream], script: () => ({ parts: [{ text: 'ok' }] }) }]);
  const record = running.nextRecord();
  const path = `/api/v1${wireFormats[caller].path}`;
  const body = JSON.stringify({ model: 'a', ...BARE[caller], ...members });
  const answer = await send({ port: running.port, path, body });
  return { answer, record: await record, server: running.servers[0] };
}

interface Loss {
  readonly caller: FormatName;
  readonly upstream: FormatName;
  readonly members: object;
  readonly named: readonly string[];
}

const LOSSES: readonly Loss[] = [
  { caller: 'messages', upstream: 'chat-completions', members: { top_k: 5 }, named: ['top_k'] },
  { caller: 'messages', upstream: 'responses', members: { thread: { type: 'create' } }, named: ['thread'] },
  {
    caller: 'messages',
    upstream: 'chat-completions',
    members: { context_management: { edits: [] }, container: 'c', thinking: { type: 'adaptive' } },
    named: ['context_management', 'container', 'thinking'],
  },
  {
    caller: 'messages',
    upstream: 'chat-completions',
    members: { system: [{ type: 'text', text: 'Be brief.', cache_control: HINT }] },
    named: ['cache_control'],
  },
  {
    caller: 'messages',
    upstream: 'responses',
    members: {
      tools: [{ name: 'f', input_schema: { type: 'object' }, allowed_callers: ['direct'], cache_control: HINT }],
      messages: [
        { role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] },
        { role: 'user', content: [{ type: 'document', source: IMAGE, citations: { enabled: true } }] },
      ],
    },
    named: ['container_upload', 'citations', 'allowed_callers', 'cache_control'],
  },
  {
    caller: 'chat-completions',
    upstream: 'messages',
    members: { seed: 1, frequency_penalty: 0.5, logit_bias: { 5: 1 }, n: 2, prompt_cache_key: 'k', store: true },
    named: ['logit_bias', 'n', 'frequency_penalty', 'seed', 'prompt_cache_key', 'store'],
  },
  {
    caller: 'chat-completions',
    upstream: 'messages',
    members: { verbosity: 'low', metadata: { a: 'b' } },
    named: ['verbosity', 'metadata'],
  },
  {
    caller: 'chat-completions',
    upstream: 'responses',
    members: { stop: ['END'], seed: 1, prediction: { type: 'content', content: 'x' } },
    named: ['prediction', 'seed'],
  },
  {
    caller: 'responses',
    upstream: 'messages',
    members: { truncation: 'auto', service_tier: 'priority', include: ['message.output_text.logprobs'] },
    named: ['logprobs', 'service_tier', 'truncation'],
  },
  {
    caller: 'responses',
    upstream: 'chat-completions',
    members: {
      reasoning: { context: 'all_turns' },
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: {} },
      ],
    },
    named: ['web_search_call', 'reasoning.context'],
  },
  {
    caller: 'responses',
    upstream: 'messages',
    members: {
      input: [
        { role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations: [PAGE], logprobs: [] }] },
        { role: 'user', content: 'Hi' },
      ],
    },
    named: ['annotations'],
  },
  {
    caller: 'chat-completions',
    upstream: 'messages',
    members: { reasoning: { effort: 'low', max_tokens: 2000, exclude: true } },
    named: ['reasoning.exclude'],
  },
  {
    caller: 'chat-completions',
    upstream: 'responses',
    members: {
      messages: [
        { role: 'assistant', content: 'a', annotations: [{ type: 'url_citation', url_citation: PAGE }] },
        { role: 'user', content: 'Hi' },
      ],
    },
    named: ['annotations'],
  },
  {
    caller: 'messages',
    upstream: 'responses',
    members: {
      messages: [
        { role: 'assistant', content: [{ type: 'text', text: 'a', citations: [{ ...PAGE, cited_text: 'b' }] }] },
        { role: 'user', content: 'Hi' },
      ],
    },
    named: ['citations'],
  },
];

/** Members without an effect, so that they need not be reported. */
const HARMLESS: readonly Omit<Loss, 'named'>[] = [
  { caller: 'chat-completions', upstream: 'messages', members: { frequency_penalty: 0, presence_penalty: 0 } },
  { caller: 'chat-completions', upstream: 'messages', members: { n: 1, logprobs: false, user: 'u', store: false } },
  {
    caller: 'responses',
    upstream: 'chat-completions',
    members: { include: ['reasoning.encrypted_content'], background: false, store: true, truncation: 'disabled' },
  },
  { caller: 'messages', upstream: 'responses', members: { metadata: { user_id: 'u' }, service_tier: 'auto' } },
  {
    caller: 'responses',
    upstream: 'chat-completions',
    members: { client_metadata: { session: 'a' }, reasoning: { effort: 'low', summary: 'auto' } },
  },
  {
    caller: 'messages',
    upstream: 'chat-completions',
    members: {
      tools: [{ name: 'f', input_schema: { type: 'object' }, defer_loading: true, eager_input_streaming: true }],
    },
  },
  {
    caller: 'chat-completions',
    upstream: 'messages',
    members: {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', name: 'f', content: 'ok' },
      ],
    },
  },
];

const ESSENTIALS: readonly { readonly caller: FormatName; readonly name: string; readonly members: object }[] = [
  { caller: 'responses', name: 'conversation', members: { conversation: 'conv_1' } },
  { caller: 'responses', name: 'prompt', members: { prompt: { id: 'pmpt_1' } } },
  { caller: 'responses', name: 'background', members: { background: true } },
  { caller: 'responses', name: 'item_reference', members: { input: [{ type: 'item_reference', id: 'msg_1' }] } },
  {
    caller: 'chat-completions',
    name: 'input_audio',
    members: { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: '' } }] }] },
  },
];

describe('a request with members that the upstream’s format does not support', () => {
  afterEach(closeAll);

  for (const { caller, upstream, members, named } of LOSSES) {
    it(`reports them in a header and the record: ${named.join(', ')} (${caller} on ${upstream})`, async () => {
      const { answer, record } = await ask(caller, upstream, members);
      assert.equal(answer.status, 200);
      assert.deepEqual(String(answer.headers['x-model-access-dropped']).split(', ').sort(), [...named].sort());
      assert.deepEqual([...(record.dropped ?? [])].sort(), [...named].sort());
    });
  }

  for (const { caller, upstream, members } of HARMLESS) {
    it(`reports none if ${Object.keys(members).join(', ')} have no effect (${caller} on ${upstream})`, async () => {
      const { answer, record } = await ask(caller, upstream, members);
      assert.equal(answer.status, 200);
      assert.deepEqual([answer.headers['x-model-access-dropped'], record.dropped], [undefined, undefined]);
    });
  }

  for (const { caller, name, members } of ESSENTIALS) {
    it(`is refused if it would have another meaning without them: ${name}`, async () => {
      const { answer, server } = await ask(caller, 'messages', members);
      assert.equal(answer.status, 400);
      const { error } = json(answer) as { error: { param: string; code: string } };
      assert.deepEqual([error.param, error.code], [name, 'unsupported_parameter']);
      assert.equal(server?.requests.length, 0);
    });
  }

  it('goes to an upstream that supports them, if one is configured', async () => {
    const running = await startRouter([
      { formats: ['messages'], script: () => ({ parts: [{ text: 'translated' }] }) },
      { formats: ['responses'], script: () => ({ parts: [{ text: 'native' }] }) },
    ]);
    const body = JSON.stringify({ model: 'a', input: 'Hi', conversation: 'conv_1' });
    const answer = await send({ port: running.port, path: '/api/v1/responses', body });
    assert.match(answer.body.toString(), /native/);
    assert.equal(running.servers[0]?.requests.length, 0);
  });
});
