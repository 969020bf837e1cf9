import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/formats/answer.ts';
import { type Citation, FORMAT_NAMES } from '../../../src/formats/conversation.ts';
import { wireFormats } from '../../../src/formats/index.ts';
import { formatServerSentEvent } from '../../../src/formats/serverSentEvents.ts';
import { readEvents } from './streams.ts';

const PAGE = 'https://example.com/tides';

function wire(...events: readonly { readonly type?: string; readonly [key: string]: unknown }[]): string {
  return events
    .map((event) => `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`)
    .join('');
}

function messagesAnswer(...citations: readonly object[]): string {
  return wire(
    { type: 'message_start', message: { id: 'msg_1', model: 'm', usage: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'It turns.' } },
    ...citations.map((citation) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'citations_delta', citation },
    })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_stop' },
  );
}

function responsesAnswer(...annotations: readonly object[]): string {
  const place = { output_index: 0, content_index: 0, item_id: 'msg_1' };
  return wire(
    { type: 'response.created', response: { id: 'r', model: 'm' } },
    { type: 'response.output_text.delta', ...place, delta: 'It turns.' },
    ...annotations.map((annotation) => ({ type: 'response.output_text.annotation.added', ...place, annotation })),
    { type: 'response.completed', response: { id: 'r', model: 'm', output: [] } },
  );
}

function chatCompletionsAnswer(...annotations: readonly object[]): string {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: 'c',
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
  return wire(chunk({ content: 'It turns.' }), chunk({ annotations }), chunk({}, 'stop'));
}

function citationsOf(format: keyof typeof wireFormats, stream: string): Citation[] {
  return readEvents(wireFormats[format], stream).flatMap((event) =>
    event.type === 'citation' ? [event.citation] : [],
  );
}

describe('citations of a streamed answer', () => {
  it('are read from the messages format for pages, documents and search results', () => {
    const stream = messagesAnswer(
      { type: 'web_search_result_location', url: PAGE, title: 'Tides', cited_text: 'The tide turns.' },
      { type: 'page_location', document_index: 0, document_title: 'Almanac', cited_text: 'At noon.' },
      { type: 'search_result_location', source: PAGE, title: null, cited_text: '' },
    );
    assert.deepEqual(citationsOf('messages', stream), [
      { url: PAGE, title: 'Tides', quote: 'The tide turns.' },
      { title: 'Almanac', quote: 'At noon.' },
      { url: PAGE },
    ]);
  });

  it('are read from the responses format for pages and files', () => {
    const stream = responsesAnswer(
      { type: 'url_citation', url: PAGE, title: 'Tides', start_index: 0, end_index: 8 },
      { type: 'file_citation', file_id: 'f', filename: 'almanac.pdf', index: 8 },
    );
    assert.deepEqual(citationsOf('responses', stream), [{ url: PAGE, title: 'Tides' }, { title: 'almanac.pdf' }]);
  });

  it('are read from the chat-completions format', () => {
    const stream = chatCompletionsAnswer(
      { type: 'url_citation', url_citation: { url: PAGE, title: 'Tides', start_index: 0, end_index: 8 } },
      { type: 'file', file: { file_id: 'f' } },
    );
    assert.deepEqual(citationsOf('chat-completions', stream), [{ url: PAGE, title: 'Tides' }]);
  });

  it('are skipped if they are empty', () => {
    assert.deepEqual(citationsOf('messages', messagesAnswer({ type: 'char_location', document_index: 0 })), []);
    assert.deepEqual(citationsOf('responses', responsesAnswer({ type: 'file_path' })), []);
    assert.deepEqual(citationsOf('chat-completions', chatCompletionsAnswer({ url_citation: {} })), []);
  });

  it('do not change the text or its end', () => {
    for (const [name, stream] of [
      ['messages', messagesAnswer({ url: PAGE })],
      ['responses', responsesAnswer({ url: PAGE })],
      ['chat-completions', chatCompletionsAnswer({ url_citation: { url: PAGE } })],
    ] as const) {
      const events = readEvents(wireFormats[name], stream).filter(({ type }) => type !== 'start' && type !== 'usage');
      assert.deepEqual(events, [
        { type: 'textDelta', index: 0, text: 'It turns.' },
        { type: 'citation', index: 0, citation: { url: PAGE } },
        { type: 'finish', reason: 'stop' },
      ]);
    }
  });
});

describe('encoded citations of a streamed answer', () => {
  const start: ChatEvent = { type: 'start', id: 'a', model: 'm' };
  const text: ChatEvent = { type: 'textDelta', index: 0, text: 'It turns.' };
  const page: ChatEvent = { type: 'citation', index: 0, citation: { url: PAGE, title: 'Tides' } };
  const end: ChatEvent = { type: 'finish', reason: 'stop' };
  const call: readonly ChatEvent[] = [
    { type: 'toolCallStart', index: 1, id: 'c', name: 'f' },
    { type: 'toolCallEnd', index: 1 },
  ];

  function written(format: keyof typeof wireFormats, ...events: readonly ChatEvent[]) {
    const encoder = wireFormats[format].createStreamEncoder({
      request: { model: 'm', system: [], messages: [] },
      now: 0,
    });
    const encoded = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
    return {
      cited: citationsOf(format, encoded.map(formatServerSentEvent).join('')),
      dropped: [...(encoder.dropped ?? [])],
    };
  }

  for (const format of FORMAT_NAMES) {
    it(`wait for their text in ${format}`, () => {
      assert.deepEqual(written(format, start, page, text, end), {
        cited: [{ url: PAGE, title: 'Tides' }],
        dropped: [],
      });
    });

    it(`are reported as dropped in ${format} if the format has no place for them`, () => {
      const file: ChatEvent = { type: 'citation', index: 0, citation: { title: 'Almanac' } };
      assert.deepEqual(written(format, start, text, file, end), { cited: [], dropped: ['citations'] });
    });

    it(`for closed text are ${format === 'chat-completions' ? 'sent' : 'reported as dropped'} in ${format}`, () => {
      const { cited, dropped } = written(format, start, text, ...call, page, end);
      assert.deepEqual([cited.length, dropped], format === 'chat-completions' ? [1, []] : [0, ['citations']]);
    });
  }
});
