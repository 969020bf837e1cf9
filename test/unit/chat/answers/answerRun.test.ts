import assert from 'node:assert/strict';
import { AnswerRun } from '../../../../src/chat/answers/answerRun.ts';
import { CitedText } from '../../../../src/chat/answers/citedText.ts';
import { conversationOf } from '../../../../src/chat/conversation/conversation.ts';
import type { ConversationRecord } from '../../../../src/chat/conversation/record.ts';
import { fromJson, toJson } from '../../../../src/chat/history/jsonExport.ts';
import { buildRequest } from '../../../../src/chat/request.ts';
import { CallWatch } from '../../../../src/editor/calls/callWatch.ts';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { AnswerDelta, AnswerTurn } from '../../../../src/pages/chat/protocol.ts';
import type { Model } from '../../../../src/service/modelCatalog.ts';
import { pricesOf } from '../../../../src/service/modelPrices.ts';
import { priceOf } from '../../../../src/tokens/price.ts';
import { answerStream, eventStreamOf, ScriptedService } from '../../../support/scriptedService.ts';
import * as wire from '../../service/wire.ts';
import { answer, question } from '../conversation/records.ts';

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

/** Runs one answer to its end, and returns the records of its conversation. */
async function answered(format: FormatName, stream: readonly (object | string)[]): Promise<ConversationRecord[]> {
  const service = await ScriptedService.start(answerStream(eventStreamOf(...stream)));
  try {
    const deltas: AnswerDelta[] = [];
    const request = buildRequest([], SETTINGS, () => undefined);
    const run = new AnswerRun(
      {
        ask: (options, measures) => {
          const client = wire.clientOf(service);
          const call = { client, upstream: 'hosted', format, request, source: 'chatPanel', options } as const;
          return new CallWatch({ ...call, ...measures }).events(call);
        },
        countInput: () => 7,
        model: undefined,
        findModel: () => undefined,
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

describe('the figures of an answer', () => {
  const PRICED: Model = { id: 'familya-sonnet-4.6', inputPrice: 3, outputPrice: 15, raw: {} };
  const OTHER: Model = { id: 'familya-haiku-4.5', inputPrice: 1, outputPrice: 5, raw: {} };
  const begun = (model: string) => [
    {
      type: 'message_start',
      message: { ...wire.message, model, content: [], usage: { input_tokens: 50, output_tokens: 1 } },
    },
    block(0, { type: 'text', text: '' }),
    delta(0, { type: 'text_delta', text: 'The tide comes in twice a day, and twice a day it goes out.' }),
  ];

  /** Runs an answer until its first text, and then stops it or lets its connection break. */
  async function ended(ending: 'cut' | 'stall', model = PRICED.id) {
    const service = await ScriptedService.start(answerStream(eventStreamOf(...begun(model)), { ending }));
    try {
      const request = buildRequest([], SETTINGS, () => undefined);
      const call = { client: wire.clientOf(service), upstream: 'hosted', format: 'messages', request } as const;
      let watch: CallWatch | undefined;
      const run = new AnswerRun(
        {
          ask: (options, measures) => {
            const asked = { ...call, ...measures, source: 'chatPanel', options } as const;
            watch = new CallWatch(asked);
            return watch.events(asked);
          },
          countInput: () => 7,
          model: PRICED,
          findModel: (id) => [PRICED, OTHER].find((model) => model.id === id),
          forecast: { inputTokens: 7, cost: 1 },
        },
        {
          onDelta: () => ending === 'stall' && run.stop(),
          onRetry: () => assert.fail('it was sent again'),
          onMalformed: (problem) => assert.fail(problem),
        },
      );
      const end = await run.run();
      assert.ok(watch);
      return { end, entry: watch.entry((model) => [PRICED, OTHER].find(({ id }) => id === model)) };
    } finally {
      await service.close();
    }
  }

  for (const [ending, status] of [
    ['stall', 'stopped'],
    ['cut', 'failed'],
  ] as const) {
    it(`match its row in the ledger if it was ${status}, and are marked as an estimate`, async () => {
      const { end, entry } = await ended(ending);
      assert.equal(end.status, status);
      const { figures } = end;
      assert.ok(figures && entry.usage && entry.prices);
      assert.deepEqual(
        [figures.inputTokens, figures.outputTokens],
        [entry.usage.inputTokens, entry.usage.outputTokens],
      );
      assert.deepEqual([figures.inputTokens, figures.outputTokens > 10], [50, true]);
      assert.deepEqual([figures.estimated, entry.usageIsEstimated], [true, true]);
      assert.equal(figures.cost, priceOf(entry.usage, entry.prices));
    });
  }

  it('cost what the model costs that answered, in the row as well, if the catalog has it', async () => {
    for (const [answered, prices, name] of [
      [OTHER.id, OTHER, OTHER.id],
      [`${PRICED.id}-20261101`, PRICED, undefined],
      ['', PRICED, undefined],
    ] as const) {
      const { end, entry } = await ended('cut', answered);
      assert.ok(end.figures && entry.usage && entry.prices);
      assert.deepEqual([entry.prices, entry.answeredModel], [pricesOf(prices), name]);
      assert.equal(end.figures.cost, priceOf(entry.usage, prices));
    }
  });
});

describe('an answer with more than text', () => {
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

  it('keeps its tool calls and its sources, each once', async () => {
    const turn = turnOf(await answered('messages', CALLING));
    assert.equal(turn.status, 'complete');
    assert.equal(turn.text, 'I look.');
    assert.deepEqual(turn.toolCalls, [{ id: 'call_1', name: 'tides', arguments: '{"place":"Bremen"}' }]);
    assert.deepEqual(turn.citations, [{ ...PAGE, span: { start: 0, end: 7 } }]);
  });

  it('is sent again with a result for each call, as every format requires', async () => {
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

  it('keeps the refusal text separate from the answer text', async () => {
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

  it('states who refused if the format has no refusal text', async () => {
    const refused = messagesStream('refusal', block(0, { type: 'text', text: 'No.' }));
    assert.equal(turnOf(await answered('messages', refused)).refusedBy, 'model');
    const filtered = [wire.chunk({ content: 'We' }), wire.chunk({}, 'content_filter'), '[DONE]'];
    assert.equal(turnOf(await answered('chat-completions', filtered)).refusedBy, 'filter');
  });

  describe('with sources', () => {
    const FOUND = {
      type: 'web_search_result_location',
      ...PAGE,
      cited_text: 'Twice a day.',
      encrypted_index: 'sealed',
    };
    const text = (index: number, said: string, ...cited: readonly object[]) => [
      block(index, { type: 'text', text: '' }),
      ...cited.map((citation) => delta(index, { type: 'citations_delta', citation })),
      delta(index, { type: 'text_delta', text: said }),
      { type: 'content_block_stop', index },
    ];
    const CITING = messagesStream(
      'end_turn',
      ...text(0, 'As far as I know, '),
      ...text(1, 'tides come twice', FOUND),
      ...text(2, ' a day.', { ...FOUND, encrypted_index: 'other' }, { type: 'char_location', document_title: 'Notes' }),
      ...text(3, ' That is all.'),
    );

    /** Returns what is sent of the answer with the next question. */
    async function sentBack(answeredIn: FormatName, stream: readonly (object | string)[], format: FormatName) {
      const records = [...(await answered(answeredIn, stream)), question('q2', 'And?')];
      const request = buildRequest(conversationOf('c', records).entries, SETTINGS, () => undefined);
      return JSON.parse(JSON.stringify(wireFormats[format].encodeRequest(request)));
    }

    it('sends them again with the cited text and the service’s encrypted index', async () => {
      const { messages } = await sentBack('messages', CITING, 'messages');
      assert.deepEqual(messages[1].content, [
        { type: 'text', text: 'As far as I know, ' },
        { type: 'text', text: 'tides come twice', citations: [FOUND] },
        { type: 'text', text: ' a day.', citations: [{ ...FOUND, encrypted_index: 'other' }] },
        { type: 'text', text: ' That is all.' },
      ]);
    });

    it('sends them as annotations if the next question uses the responses format', async () => {
      const { input } = await sentBack('messages', CITING, 'responses');
      const [said] = input.find(({ role }: { role?: string }) => role === 'assistant').content;
      assert.equal(said.text, 'As far as I know, tides come twice a day. That is all.');
      assert.deepEqual(
        said.annotations.map(({ type, url, title, start_index, end_index }: Record<string, unknown>) => [
          type,
          url,
          title,
          said.text.slice(start_index, end_index),
        ]),
        [
          ['url_citation', PAGE.url, PAGE.title, 'tides come twice'],
          ['url_citation', PAGE.url, PAGE.title, ' a day.'],
        ],
      );
    });

    it('omits what the format cannot carry and citations without the service’s encrypted index', async () => {
      const { messages } = await sentBack('messages', CITING, 'chat-completions');
      assert.deepEqual(messages.at(-2), {
        role: 'assistant',
        content: 'As far as I know, tides come twice a day. That is all.',
      });
      const annotation = { type: 'url_citation', url_citation: { ...PAGE, start_index: 0, end_index: 5 } };
      const chunks = [
        wire.chunk({ content: 'Tides ' }),
        wire.chunk({ content: 'rise.', annotations: [annotation] }),
        wire.chunk({}, 'stop'),
        '[DONE]',
      ];
      const onMessages = await sentBack('chat-completions', chunks, 'messages');
      assert.equal(onMessages.messages[1].content, 'Tides rise.');
      const { input } = await sentBack('chat-completions', chunks, 'responses');
      const [said] = input.find(({ role }: { role?: string }) => role === 'assistant').content;
      assert.deepEqual(said.annotations, [{ type: 'url_citation', ...PAGE, start_index: 0, end_index: 5 }]);
    });

    it('places those of a continued answer after the earlier text', async () => {
      const first = turnOf(await answered('messages', CITING));
      const cited = new CitedText(first.text.length);
      assert.deepEqual(cited.cite({ type: 'citation', index: 0, citation: PAGE }), []);
      assert.deepEqual(cited.add(0, ' More.'), []);
      assert.deepEqual(cited.end(), [
        { ...PAGE, span: { start: first.text.length, end: first.text.length + ' More.'.length } },
      ]);
    });
  });

  it('fails at the first call beyond a thousand, and keeps the thousand', async () => {
    const calls = Array.from({ length: 3_000 }, (_, index) => [
      block(index, { type: 'tool_use', id: `call_${index}`, name: 'tides', input: {} }),
      { type: 'content_block_stop', index },
    ]).flat();
    const records = await answered('messages', messagesStream('tool_use', ...calls));
    const { status, toolCalls, failure } = turnOf(records);
    assert.deepEqual([status, toolCalls?.length], ['failed', 1_000]);
    assert.match(failure?.detail ?? '', /^The answer has more than 1,000 tool calls\. /);
    assert.ok(records.length < 2_010, `${records.length} records are written`);
  });

  it('writes each source once, and a thousand at most', async () => {
    const citations = Array.from({ length: 3_000 }, (_, nth) =>
      delta(0, { type: 'citations_delta', citation: { ...PAGE, title: `Tides ${nth % 1_500}` } }),
    );
    const text = block(0, { type: 'text', text: 'Tides' });
    const records = await answered('messages', messagesStream('end_turn', text, ...citations));
    const cited = records.flatMap((record) => (record.type === 'delta' ? (record.citation ?? []) : []));
    assert.equal(cited.length, 1_000);
    assert.equal(turnOf(records).citations?.length, 1_000);
  });

  it('is restored completely from an exported file', async () => {
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
