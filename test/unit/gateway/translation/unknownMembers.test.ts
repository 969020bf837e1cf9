/** What a vendor may add tomorrow: members, items, blocks, parts, and events that nobody knows yet. */
import assert from 'node:assert/strict';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { AUTHORIZED, send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { PAIRS } from '../support/routed.ts';
import { startService } from '../support/scriptedService.ts';
import { BARE_ANSWERS } from './matrix/bare.ts';
import type { Wire } from './matrix/feature.ts';

const FUTURE = { is: 'new' };

interface Future {
  /** A request and its names in the record. */
  readonly request: Wire;
  readonly asked: readonly string[];
  readonly answer: Wire;
  /** A whole stream. */
  readonly events: readonly (readonly [name: string, data: Wire])[];
  /** The names of both, in an answer and in a stream. */
  readonly answered: readonly string[];
  readonly streamed: readonly string[];
}

const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'a' };
const MESSAGE_ITEM = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
const SAID = { type: 'output_text', text: 'a', annotations: [] };

const FUTURES: Readonly<Record<FormatName, Future>> = {
  'chat-completions': {
    request: {
      model: 'a',
      future_option: FUTURE,
      messages: [
        { role: 'user', content: 'Hi', future_member: FUTURE },
        { role: 'assistant', content: 'a', tool_calls: [{ id: 'x', type: 'future_call', future_call: FUTURE }] },
        { role: 'user', content: 'Go on' },
      ],
    },
    asked: ['future_option', 'future_member', 'future_call'],
    answer: {
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'a',
            future_member: FUTURE,
            tool_calls: [{ id: 'x', type: 'future_call', future_call: FUTURE }],
          },
          finish_reason: 'stop',
        },
      ],
    },
    events: [
      ['', { ...CHUNK, choices: [{ index: 0, delta: { role: 'assistant', content: 'a', future_member: FUTURE } }] }],
      ['', { ...CHUNK, choices: [{ index: 0, delta: { tool_calls: [{ index: 0, type: 'future_call', id: 'x' }] } }] }],
      ['future', { object: 'chat.completion.future', future: FUTURE }],
      ['', { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }],
    ],
    answered: ['future_member', 'future_call'],
    streamed: ['future_member', 'future_call', 'chat.completion.future'],
  },
  messages: {
    request: {
      model: 'a',
      max_tokens: 5,
      safeguards: FUTURE,
      speed: 'fast',
      fallback: FUTURE,
      context_management: { edits: [] },
      output_config: { effort: 'low', future_output: FUTURE },
      metadata: { user_id: 'u', future_note: FUTURE },
      system: [{ type: 'text', text: 'Be brief.', future_system: FUTURE }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi', future_text: FUTURE }], future_message: FUTURE },
        {
          role: 'assistant',
          content: [
            { type: 'future_block', future: FUTURE },
            { type: 'text', text: 'a' },
          ],
        },
        { role: 'user', content: 'Go on' },
      ],
    },
    asked: [
      ...['safeguards', 'speed', 'fallback', 'context_management', 'output_config.future_output'],
      ...['metadata.future_note', 'future_system', 'future_text', 'future_message', 'future_block'],
    ],
    answer: {
      safeguard_results: [FUTURE],
      content: [
        { type: 'future_block', future: FUTURE },
        { type: 'text', text: 'a' },
      ],
    },
    events: [
      [
        'message_start',
        { message: { ...BARE_ANSWERS.messages, content: [], stop_reason: null, future_start: FUTURE } },
      ],
      ['future_event', { future: FUTURE }],
      ['content_block_start', { index: 0, content_block: { type: 'future_block', future: FUTURE } }],
      ['content_block_delta', { index: 0, delta: { type: 'future_delta_of_it', future: FUTURE } }],
      ['content_block_stop', { index: 0 }],
      ['content_block_start', { index: 1, content_block: { type: 'text', text: '' } }],
      ['content_block_delta', { index: 1, delta: { type: 'text_delta', text: 'a' } }],
      ['content_block_delta', { index: 1, delta: { type: 'future_delta', future: FUTURE } }],
      ['content_block_stop', { index: 1 }],
      [
        'message_delta',
        { delta: { stop_reason: 'end_turn', safeguard_results: [FUTURE] }, usage: { output_tokens: 3 } },
      ],
      ['message_stop', {}],
    ],
    answered: ['safeguard_results', 'future_block'],
    streamed: ['future_start', 'future_event', 'future_block', 'future_delta', 'safeguard_results'],
  },
  responses: {
    request: {
      model: 'a',
      future_option: FUTURE,
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hi', future_part: FUTURE }] },
        { type: 'future_item', id: 'fi_1', future: FUTURE },
        { type: 'mcp_call', id: 'mcp_1', name: 'f', arguments: '{}', server_label: 's' },
        { type: 'shell_call', id: 'sh_1', call_id: 'c1', action: { commands: ['ls'] } },
        { type: 'apply_patch_call', id: 'ap_1', call_id: 'c2', operation: FUTURE },
        { ...MESSAGE_ITEM, phase: 'commentary', content: [SAID] },
        { role: 'user', content: 'Go on' },
      ],
    },
    asked: ['future_option', 'future_part', 'future_item', 'mcp_call', 'shell_call', 'apply_patch_call', 'phase'],
    answer: {
      output: [
        { type: 'future_item', id: 'fi_1', future: FUTURE },
        { ...MESSAGE_ITEM, phase: 'final_answer', content: [{ ...SAID, future_part: FUTURE }] },
      ],
    },
    events: [
      ['response.created', { response: { ...BARE_ANSWERS.responses, status: 'in_progress', output: [] } }],
      ['response.future', { future: FUTURE }],
      ['response.compaction.in_progress', { future: FUTURE }],
      ['response.output_item.added', { output_index: 0, item: { type: 'future_item', id: 'fi_1' } }],
      ['response.future_item.progress', { output_index: 0, item_id: 'fi_1' }],
      ['response.output_item.done', { output_index: 0, item: { type: 'future_item', id: 'fi_1', future: FUTURE } }],
      ['response.output_item.added', { output_index: 1, item: { ...MESSAGE_ITEM, content: [] } }],
      ['response.output_text.delta', { output_index: 1, item_id: 'msg_1', content_index: 0, delta: 'a' }],
      ['response.output_text.future', { output_index: 1, item_id: 'msg_1', future: FUTURE }],
      [
        'response.output_item.done',
        { output_index: 1, item: { ...MESSAGE_ITEM, phase: 'final_answer', content: [SAID] } },
      ],
      ['response.completed', { response: BARE_ANSWERS.responses }],
    ],
    answered: ['future_item', 'phase', 'future_part'],
    streamed: [
      ...['response.future', 'response.compaction.in_progress', 'future_item', 'response.output_text.future', 'phase'],
    ],
  },
};

function streamOf(format: FormatName): string {
  const isTyped = format !== 'chat-completions';
  const lines = FUTURES[format].events.map(([name, data]) => {
    const event = name === '' ? '' : `event: ${name}\n`;
    return `${event}data: ${JSON.stringify(isTyped ? { type: name, ...data } : data)}\n\n`;
  });
  return `${lines.join('')}${isTyped ? '' : 'data: [DONE]\n\n'}`;
}

/** A gateway with one upstream, which answers with this text. */
async function start(upstream: FormatName, type: string, answer: string) {
  const service = await startService((response) => response.writeHead(200, { 'content-type': type }).end(answer));
  closeLater(() => service.close());
  const settings = { id: 'up', baseUrl: service.baseAddress, formats: [upstream], models: ['*'] };
  const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
  closeLater(() => router.close());
  return { running: await startGateway({ upstream: router }), service };
}

async function exchange(caller: FormatName, upstream: FormatName, answer: string, type: string, more: object = {}) {
  const { running, service } = await start(upstream, type, answer);
  const recorded = running.nextRecord();
  const body = JSON.stringify({ ...FUTURES[caller].request, ...more });
  const received = await send({ port: running.port, path: `/api/v1${wireFormats[caller].path}`, body });
  const [asked] = service.requests;
  return { received, record: await recorded, sent: body, asked: asked?.body.toString() };
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

describe('what a format will have in the future', () => {
  afterEach(closeAll);

  for (const format of FORMAT_NAMES) {
    it(`passes unchanged between a client and an upstream of ${format}, whole and streamed`, async () => {
      const whole = JSON.stringify({ ...BARE_ANSWERS[format], ...FUTURES[format].answer });
      const first = await exchange(format, format, whole, JSON_TYPE);
      assert.deepEqual([first.received.status, first.asked], [200, first.sent]);
      assert.equal(first.received.body.toString(), whole);
      assert.equal(first.record.dropped, undefined);
      const streamed = await exchange(format, format, streamOf(format), STREAM_TYPE, { stream: true });
      assert.equal(streamed.received.body.toString(), streamOf(format));
      assert.equal(streamed.record.dropped, undefined);
    });
  }

  for (const { caller, upstream } of PAIRS) {
    it(`is dropped and named in translation from ${caller} to ${upstream}, and in the answer`, async () => {
      const whole = JSON.stringify({ ...BARE_ANSWERS[upstream], ...FUTURES[upstream].answer });
      const { received, record, asked = '' } = await exchange(caller, upstream, whole, JSON_TYPE);
      assert.equal(received.status, 200, received.body.toString());
      assert.doesNotMatch(asked, /future|safeguards/);
      assert.doesNotMatch(received.body.toString(), /future|safeguard/);
      assertNamed(record, [...FUTURES[caller].asked, ...FUTURES[upstream].answered]);
      assertNamed({ dropped: String(received.headers['x-model-access-dropped']).split(', ') }, record.dropped ?? []);
    });

    it(`is dropped and named in a stream from ${upstream} to ${caller}, whose text arrives`, async () => {
      const more = { stream: true };
      const { received, record } = await exchange(caller, upstream, streamOf(upstream), STREAM_TYPE, more);
      const text = received.body.toString();
      assert.doesNotMatch(text, /future|safeguard|event: error|"error":\{/);
      assert.match(text, /"(?:content|text|delta)":"a"/);
      assertNamed(record, [...FUTURES[caller].asked, ...FUTURES[upstream].streamed]);
    });
  }
});

function assertNamed({ dropped = [] }: { readonly dropped?: readonly string[] }, names: readonly string[]): void {
  for (const name of names) assert.ok(dropped.includes(name), `${name} is not among ${dropped.join(', ')}`);
}

describe('the version of a messages request in translation', () => {
  afterEach(closeAll);

  const SAMPLED = {
    model: 'a',
    max_tokens: 5,
    messages: [{ role: 'user', content: 'Hi' }],
    temperature: 0.5,
    top_p: 0.9,
  };

  async function ask(headers: Readonly<Record<string, string>>) {
    const { running, service } = await start(
      'chat-completions',
      JSON_TYPE,
      JSON.stringify(BARE_ANSWERS['chat-completions']),
    );
    const sent = { ...AUTHORIZED, ...headers };
    const answer = await send({
      port: running.port,
      path: '/api/v1/messages',
      headers: sent,
      body: JSON.stringify(SAMPLED),
    });
    const asked = JSON.parse(service.requests[0]?.body.toString() ?? '{}') as Wire;
    return { answer, asked, dropped: answer.headers['x-model-access-dropped'] };
  }

  for (const headers of [{}, { 'anthropic-version': '2023-06-01' }, { 'vendorb-version': '2023-01-01' }]) {
    it(`keeps sampling parameters in ${Object.values(headers)[0] ?? 'the default version'}`, async () => {
      const { answer, asked, dropped } = await ask(headers);
      assert.deepEqual([answer.status, asked.temperature, asked.top_p, dropped], [200, 0.5, 0.9, undefined]);
    });
  }

  for (const name of ['anthropic-version', 'vendorb-version']) {
    it(`drops and names them in 2026-10-21, named in ${name}`, async () => {
      const { answer, asked, dropped } = await ask({ [name]: '2026-10-21' });
      assert.deepEqual([answer.status, asked.temperature, asked.top_p], [200, undefined, undefined]);
      assert.equal(dropped, 'temperature, top_p');
    });
  }

  it('reads an unknown version as the newest one, and names it', async () => {
    const { answer, asked, dropped } = await ask({ 'anthropic-version': '2031-01-01' });
    assert.deepEqual([answer.status, asked.temperature], [200, undefined]);
    assert.equal(dropped, 'temperature, top_p, anthropic-version');
  });

  it('names what a message of the assistant cannot have', async () => {
    const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } };
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [document, { type: 'text', text: 'a' }] },
      { role: 'user', content: 'Go on' },
    ];
    const { running } = await start('responses', JSON_TYPE, JSON.stringify(BARE_ANSWERS.responses));
    const body = JSON.stringify({ model: 'a', max_tokens: 5, messages });
    const answer = await send({ port: running.port, path: '/api/v1/messages', body });
    assert.deepEqual([answer.status, answer.headers['x-model-access-dropped']], [200, 'assistant.document']);
  });
});

describe('the details of a refusal in the messages format', () => {
  afterEach(closeAll);

  const DETAILS = { type: 'refusal', category: 'cyber', explanation: 'It could harm others.' };
  const REFUSED = { ...BARE_ANSWERS.messages, content: [], stop_reason: 'refusal', stop_details: DETAILS };
  const EVENTS = [
    { type: 'message_start', message: { ...REFUSED, stop_reason: null, stop_details: null } },
    { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details: DETAILS }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ];
  const STREAM = EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

  for (const caller of ['chat-completions', 'responses'] as const) {
    it(`become a refusal with the explanation for a ${caller} client, whole and streamed`, async () => {
      const whole = await exchange(caller, 'messages', JSON.stringify(REFUSED), JSON_TYPE);
      assert.match(whole.received.body.toString(), /"refusal":"It could harm others\."/);
      assertNamed(whole.record, ['stop_details']);
      const streamed = await exchange(caller, 'messages', STREAM, STREAM_TYPE, { stream: true });
      assert.match(streamed.received.body.toString(), /It could harm others\./);
      assertNamed(streamed.record, ['stop_details']);
    });
  }
});
