import assert from 'node:assert/strict';
import { AnswerRun } from '../../../../src/editor/chat/answerRun.ts';
import { conversationOf } from '../../../../src/editor/chat/conversation/conversation.ts';
import type { ConversationRecord } from '../../../../src/editor/chat/conversation/record.ts';
import { fromJson, toJson } from '../../../../src/editor/chat/history/jsonExport.ts';
import type { AnswerDelta, AnswerTurn } from '../../../../src/editor/chat/protocol.ts';
import { buildRequest } from '../../../../src/editor/chat/request.ts';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { streamChat } from '../../../../src/service/chat.ts';
import { answerStream, eventStreamOf, ScriptedService } from '../../../support/scriptedService.ts';
import * as wire from '../../service/wire.ts';
import { answer, question } from './records.ts';

const SETTINGS = { model: 'familya-sonnet-4.6', systemPrompt: '', maxTokens: 100 };
const PAGE = { url: 'https://example.com/tides', title: 'Tides' };

const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, change: object) => ({ type: 'content_block_delta', index, delta: change });

function messagesStream(stop_reason: string, ...events: readonly object[]): object[] {
  return [
    { type: 'message_start', message: { ...wire.message, content: [], stop_reason: null } },
    ...events,
    { type: 'message_delta', delta: { stop_reason }, usage: { input_tokens: 5, output_tokens: 3 } },
    { type: 'message_stop' },
  ];
}

/** Runs one answer to its end, as the conversation's records. */
async function answered(format: FormatName, stream: readonly (object | string)[]): Promise<ConversationRecord[]> {
  const service = await ScriptedService.start(answerStream(eventStreamOf(...stream)));
  try {
    const deltas: AnswerDelta[] = [];
    const request = buildRequest([], SETTINGS, () => undefined);
    const run = new AnswerRun(
      {
        ask: (options) => streamChat(wire.clientOf(service), format, request, options),
        model: undefined,
        forecast: undefined,
      },
      {
        onDelta: (change) => deltas.push(change),
        onRetry: () => assert.fail('it was sent again'),
        onMalformed: (problem) => assert.fail(problem),
      },
    );
    const end = await run.run();
    const id = 'a1';
    const grown = deltas.map((change): ConversationRecord => ({ type: 'delta', id, ...change }));
    return [question('q1'), answer(id, { parent: 'q1' }), ...grown, { type: 'answerEnd', id, ...end }];
  } finally {
    await service.close();
  }
}

function turnOf(records: readonly ConversationRecord[]): AnswerTurn {
  const turn = conversationOf('c', records).answer('a1');
  assert.ok(turn);
  return turn;
}

describe('an answer that holds more than text', () => {
  const CALLING = messagesStream(
    'tool_use',
    block(0, { type: 'text', text: '' }),
    delta(0, { type: 'text_delta', text: 'I look.' }),
    delta(0, { type: 'citations_delta', citation: PAGE }),
    delta(0, { type: 'citations_delta', citation: PAGE }),
    { type: 'content_block_stop', index: 0 },
    block(1, { type: 'tool_use', id: 'call_1', name: 'tides', input: {} }),
    delta(1, { type: 'input_json_delta', partial_json: '{"place":' }),
    delta(1, { type: 'input_json_delta', partial_json: '"Bremen"}' }),
    { type: 'content_block_stop', index: 1 },
  );

  it('keeps its calls of tools and its sources, each once', async () => {
    const turn = turnOf(await answered('messages', CALLING));
    assert.equal(turn.status, 'complete');
    assert.equal(turn.text, 'I look.');
    assert.deepEqual(turn.toolCalls, [{ id: 'call_1', name: 'tides', arguments: '{"place":"Bremen"}' }]);
    assert.deepEqual(turn.citations, [PAGE]);
  });

  it('is sent again with a result for each call, as every format demands', async () => {
    const { entries } = conversationOf('c', [...(await answered('messages', CALLING)), question('q2', 'And?')]);
    const request = buildRequest(entries, SETTINGS, () => undefined);
    assert.deepEqual(
      request.messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'user'],
    );
    const [call] = request.messages[1]?.parts.filter(({ type }) => type === 'toolCall') ?? [];
    const [result] = request.messages[2]?.parts ?? [];
    assert.ok(call?.type === 'toolCall' && result?.type === 'toolResult');
    assert.equal(result.toolCallId, call.id);
    for (const format of Object.values(wireFormats)) {
      const body = JSON.stringify(format.encodeRequest(request));
      assert.match(body, /call_1.*call_1/);
    }
  });

  it('keeps the words of a refusal apart from the text', async () => {
    const turn = turnOf(
      await answered('chat-completions', [
        wire.chunk({ role: 'assistant', content: '' }),
        wire.chunk({ refusal: 'I would ' }),
        wire.chunk({ refusal: 'rather not.' }),
        wire.chunk({}, 'stop'),
        '[DONE]',
      ]),
    );
    assert.equal(turn.text, '');
    assert.equal(turn.refusal, 'I would rather not.');
  });

  it('says who refused where the format tells no words', async () => {
    const refused = messagesStream('refusal', block(0, { type: 'text', text: 'No.' }));
    assert.equal(turnOf(await answered('messages', refused)).refusedBy, 'model');
    const filtered = [wire.chunk({ content: 'We' }), wire.chunk({}, 'content_filter'), '[DONE]'];
    assert.equal(turnOf(await answered('chat-completions', filtered)).refusedBy, 'filter');
  });

  it('comes back whole from an exported file', async () => {
    const conversation = conversationOf('c', await answered('messages', CALLING));
    const back = conversationOf(
      'new',
      fromJson(
        toJson(conversation, () => undefined),
        'new',
        5,
      ) ?? [],
    );
    assert.deepEqual(back.all, conversation.all);
  });
});
