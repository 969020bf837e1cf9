import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { AnswerProgress } from '../../../../src/gateway/usage/answerProgress.ts';
import { chatCompletionEvents } from '../../../support/modelServer/chatCompletions.ts';
import { messageEvents } from '../../../support/modelServer/messages.ts';
import { responseEvents } from '../../../support/modelServer/responses.ts';
import { split, splits } from '../../formats/streams.ts';
import { send } from '../support/client.ts';
import { closeAll, startPair } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const SAID = { parts: [{ text: 'The word "message_stop" and [DONE and "response.completed" as text.' }] };
const EVENTS: Readonly<Record<FormatName, readonly string[]>> = {
  'chat-completions': chatCompletionEvents(SAID, 'a'),
  messages: messageEvents(SAID, 'a'),
  responses: responseEvents(SAID, 'a'),
};
const ERRORS: Readonly<Record<FormatName, string>> = {
  'chat-completions': 'data: {"error": {"message":"no"}}\n\n',
  messages: 'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"no"}}\n\n',
  responses: 'event: error\ndata: {"type":"error","message":"no"}\n\n',
};
/** Number of final events that only state that the answer is complete. */
const CLOSING: Readonly<Record<FormatName, number>> = { 'chat-completions': 3, messages: 2, responses: 1 };

function isCut(format: FormatName, text: string, sizes: readonly number[] = []): boolean {
  const watch = new AnswerProgress(format);
  for (const piece of split(Buffer.from(text), sizes)) watch.push(piece);
  return watch.isCut;
}

for (const format of FORMAT_NAMES) {
  describe(`a stream of ${format} that is passed through`, () => {
    afterEach(closeAll);
    const events = EVENTS[format];

    it('is complete with its last events, however it is split into chunks', () => {
      fc.assert(fc.property(splits, (sizes) => !isCut(format, events.join(''), sizes)));
    });

    it('is incomplete without them, wherever it ends', () => {
      for (let end = 1; end <= events.length - CLOSING[format]; end += 1) {
        assert.ok(isCut(format, events.slice(0, end).join('')), `${end} events`);
      }
      assert.ok(isCut(format, ''));
    });

    it('ends with its own error, but not with an error of null', () => {
      assert.ok(!isCut(format, (events[0] ?? '') + ERRORS[format]));
      assert.ok(isCut(format, (events[0] ?? '').replace('"model"', '"error":null,"model"')));
    });

    it('is not treated as truncated if it has another format', () => {
      assert.ok(!isCut(format, 'data: 1\n\n'));
    });

    it('ends with an error event and is recorded as failed if it closes early without an error', async () => {
      const half = events.slice(0, 4).join('');
      const { port, nextRecord } = await startPair((response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(half),
      );
      const record = nextRecord();
      const answer = (await send({ port, path: `/api/v1${wireFormats[format].path}` })).body.toString();
      assert.ok(answer.startsWith(half));
      assert.match(answer.slice(half.length), /"error"/);
      assert.equal((await record).end, 'upstreamFailed');
    });
  });
}

describe('a stream of messages that is interrupted', () => {
  afterEach(closeAll);

  for (const upstream of FORMAT_NAMES) {
    it(`ends with an error with the answer's request id, on an upstream of ${upstream}`, async () => {
      const headers = { 'request-id': 'req_of_upstream' };
      const script = () => ({
        parts: [{ text: 'Half of what there was to say.' }],
        afterEvents: 6,
        ending: 'cut' as const,
        headers,
      });
      const { port } = await startRouter([{ formats: [upstream], script }]);
      const messages = [{ role: 'user', content: 'Hi' }];
      const body = JSON.stringify({ model: 'm', max_tokens: 5, stream: true, messages });
      const answer = await send({ port, path: '/api/v1/messages', body });
      assert.equal(answer.headers['request-id'], 'req_of_upstream');
      assert.match(answer.body.toString(), /event: error\ndata: .*"request_id":"req_of_upstream"\}\n\n$/);
    });
  }
});
