import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { assembleResponse, type ChatResponse } from '../../../../src/formats/answer.ts';
import { FORMAT_NAMES, type FormatName, type Message } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { ServerSentEventDecoder } from '../../../../src/formats/serverSentEvents.ts';
import type { WireFormat } from '../../../../src/formats/wireFormat.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { readConversation } from '../../../support/modelServer/askedConversation.ts';
import type { ModelServer } from '../../../support/modelServer/modelServer.ts';
import { json, send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { PAIRS, startRouter } from '../support/routed.ts';
import { startService } from '../support/scriptedService.ts';

const FUNCTION = { name: 'f', arguments: '{}' };

/** Two calls in one answer, without any ID or model. */
const NAMELESS: Readonly<Record<FormatName, object>> = {
  'chat-completions': {
    choices: [{ index: 0, message: { tool_calls: [{ function: FUNCTION }, { function: FUNCTION }] } }],
  },
  messages: {
    type: 'message',
    role: 'assistant',
    content: [
      { type: 'tool_use', name: 'f', input: {} },
      { type: 'tool_use', name: 'f', input: {} },
    ],
  },
  responses: {
    object: 'response',
    status: 'completed',
    output: [
      { type: 'function_call', ...FUNCTION },
      { type: 'function_call', ...FUNCTION },
    ],
  },
};

const sse = (events: readonly object[]) =>
  events.map((event) => `event: ${'type' in event ? event.type : 'x'}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const NAMELESS_STREAMS: Readonly<Record<FormatName, string>> = {
  'chat-completions': [
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: FUNCTION }] } }] },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 1, function: FUNCTION }] }, finish_reason: 'stop' }] },
  ]
    .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    .join(''),
  messages: sse([
    { type: 'message_start', message: { usage: {} } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', name: 'f', input: {} } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'f', input: {} } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]),
  responses: sse([
    { type: 'response.created', response: {} },
    ...[0, 1].map((output_index) => ({
      type: 'response.output_item.done',
      output_index,
      item: { type: 'function_call', ...FUNCTION },
    })),
    { type: 'response.completed', response: { status: 'completed' } },
  ]),
};

async function startNameless(upstream: FormatName) {
  const script = (response: ServerResponse, { body }: { body: Buffer }) => {
    const isStream = JSON.parse(body.toString()).stream === true;
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
    response.end(isStream ? NAMELESS_STREAMS[upstream] : JSON.stringify(NAMELESS[upstream]));
  };
  const service = await startService(script);
  closeLater(() => service.close());
  return startCompatible(upstream, service.baseAddress);
}

function startCompatible(upstream: FormatName, baseUrl: string) {
  const settings = { id: 's', baseUrl, formats: [upstream], models: ['*'] };
  const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
  closeLater(() => router.close());
  return startGateway({ upstream: router });
}

/** Returns all IDs in a JSON value or a stream that are in this member. */
function idsIn(text: string, member: string): string[] {
  return [...text.matchAll(new RegExp(`"${member}":"([^"]*)"`, 'g'))].map(([, id = '']) => id);
}

const ID_OF_CALL: Readonly<Record<FormatName, string>> = {
  'chat-completions': 'id',
  messages: 'id',
  responses: 'call_id',
};

describe('ids that the upstream omits', () => {
  afterEach(closeAll);

  for (const { caller, upstream } of PAIRS) {
    for (const stream of [false, true]) {
      const how = stream ? 'streamed' : 'whole';
      it(`are generated, and never repeated (${caller} on ${upstream}, ${how})`, async () => {
        const { port } = await startNameless(upstream);
        const format = wireFormats[caller];
        const body = JSON.stringify(format.encodeRequest({ model: 'asked', system: [], messages: [], stream }));
        const call = { port, path: `/api/v1${format.path}`, body };
        const answers = [await send(call), await send(call)].map((answer) => answer.body.toString());
        const [first, second] = answers.map((text) => new Set(idsIn(text, 'id')));
        assert.ok(first !== undefined && second !== undefined && first.size > 0);
        assert.deepEqual(
          [...first].filter((id) => id === '' || second.has(id)),
          [],
        );
        const calls = new Set(answers.flatMap((text) => idsIn(text, ID_OF_CALL[caller])));
        assert.ok([...calls].filter((id) => id.startsWith('call_')).length === 4, [...calls].join());
        assert.ok(answers.every((text) => idsIn(text, 'model').every((model) => model === 'asked')));
      });
    }
  }

  it('are not required in a valid answer', async () => {
    for (const upstream of FORMAT_NAMES) {
      const { port } = await startNameless(upstream);
      const caller = upstream === 'messages' ? 'responses' : 'messages';
      const format = wireFormats[caller];
      const body = JSON.stringify(format.encodeRequest({ model: 'asked', system: [], messages: [] }));
      const response = format.decodeResponse(json(await send({ port, path: `/api/v1${format.path}`, body })));
      assert.equal(response.parts.length, 2);
    }
  });
});

describe('ids that the upstream repeats in every answer', () => {
  afterEach(closeAll);

  for (const { caller, upstream } of PAIRS) {
    for (const stream of [false, true]) {
      it(`are made unique (${caller} on ${upstream}, ${stream ? 'streamed' : 'whole'})`, async () => {
        const said = { parts: [{ text: 'I look.' }, { call: 'call_0', name: 'look', arguments: '{}' }] };
        const { port, servers } = await startRouter([{ formats: [upstream], script: () => said }]);
        const format = wireFormats[caller];
        const ask = async (messages: readonly Message[]) => {
          const body = JSON.stringify(format.encodeRequest({ model: 'asked', system: [], messages, stream }));
          return send({ port, path: `/api/v1${format.path}`, body });
        };
        const answers: ChatResponse[] = [];
        const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Look twice.' }] }];
        for (let turn = 0; turn < 2; turn += 1) {
          const { body } = await ask(messages);
          const answer = stream ? streamed(format, body) : format.decodeResponse(JSON.parse(body.toString()));
          answers.push(answer);
          const calls = answer.parts.filter((part) => part.type === 'toolCall');
          const results = calls.map(({ id }) => ({ type: 'toolResult' as const, toolCallId: id, content: [] }));
          messages.push({ role: 'assistant', parts: answer.parts }, { role: 'tool', parts: results });
        }
        const ids = answers.map(({ id }) => id);
        assert.notEqual(ids[0], ids[1]);
        const calls = answers.flatMap(({ parts }) =>
          parts.flatMap((part) => (part.type === 'toolCall' ? part.id : [])),
        );
        assert.equal(calls[0], 'call_0');
        assert.match(calls[1] ?? '', /^call_\w{32}$/);
        await ask(messages);
        const asked = readConversation(await (servers[0] as ModelServer).request(2));
        assert.deepEqual(
          asked.calls.map(({ id }) => id),
          calls,
        );
      });
    }
  }

  it('are kept if they are long enough to be unique', async () => {
    const id = 'chatcmpl-9f8e7d6c5b4a39281706';
    const service = await startService((response) => {
      response.setHeader('content-type', 'application/json');
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
      response.end(JSON.stringify({ id, object: 'chat.completion', model: 'm', choices }));
    });
    closeLater(() => service.close());
    const { port } = await startCompatible('chat-completions', service.baseAddress);
    const body = JSON.stringify(wireFormats.messages.encodeRequest({ model: 'asked', system: [], messages: [] }));
    assert.equal(
      (json(await send({ port, path: '/api/v1/messages', body })) as { id: string }).id,
      'msg_9f8e7d6c5b4a39281706',
    );
  });
});

function streamed(format: WireFormat, body: Buffer): ChatResponse {
  const events = new ServerSentEventDecoder().push(body);
  const decoder = format.createStreamDecoder();
  return assembleResponse([...events.flatMap((event) => decoder.push(format.parseEvent(event))), ...decoder.end()]);
}
