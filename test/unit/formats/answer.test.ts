import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assembleResponse, type ChatEvent, responseEvents } from '../../../src/formats/answer.ts';
import { FormatError } from '../../../src/formats/apiError.ts';
import { type Carried, chatEvents, chatResponse } from '../../support/conversations.ts';

const everything: Carried = {
  members: {},
  systemMessages: true,
  cacheHints: true,
  images: ['base64'],
  imageDetail: true,
  documents: ['text'],
  documentNames: true,
  resultParts: ['text'],
  resultErrors: true,
  reasoning: ['text', 'signed', 'encrypted', 'both'],
  refusals: true,
  anyPartOrder: true,
  strictTools: true,
  freeFormTools: true,
  namespaces: true,
  itemIds: true,
  toolChoices: ['auto'],
  finishReasons: ['stop', 'stopSequence', 'length', 'toolCalls', 'refusal', 'contentFilter', 'pause', 'contextWindow'],
  namedStopSequence: true,
  createdAt: true,
  usage: ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'],
  idPrefix: '',
};

const start: ChatEvent = { type: 'start', id: 'a', model: 'm' };
const finish: ChatEvent = { type: 'finish', reason: 'stop' };

describe('Complete answers and streams', () => {
  it('are converted into each other without loss', () => {
    fc.assert(
      fc.property(chatResponse(everything), (response) => {
        assert.deepEqual(assembleResponse(responseEvents(response)), response);
      }),
    );
  });

  it('give the same answer however the deltas are split and the calls interleaved', () => {
    fc.assert(
      fc.property(chatEvents(everything), (events) => {
        const response = assembleResponse(events);
        assert.deepEqual(assembleResponse(responseEvents(response)), response);
      }),
    );
  });

  it('keep the last usage, even if it follows the finish event', () => {
    const usage = (outputTokens: number): ChatEvent => ({ type: 'usage', usage: { inputTokens: 1, outputTokens } });
    assert.equal(assembleResponse([start, usage(0), finish, usage(9)]).usage?.outputTokens, 9);
  });

  it('have no gaps if the stream skipped an index', () => {
    const text: ChatEvent = { type: 'textDelta', index: 2, text: 'Hi' };
    assert.deepEqual(assembleResponse([start, text, finish]).parts, [{ type: 'text', text: 'Hi' }]);
  });

  it('skip malformed events', () => {
    const malformed: ChatEvent = { type: 'malformed', problem: 'p', data: 'd' };
    assert.deepEqual(assembleResponse([start, malformed, finish]).parts, []);
  });

  it('are rejected without a start, without a finish, and with an error, whose message is kept', () => {
    const refused = (...events: ChatEvent[]) => {
      try {
        assembleResponse(events);
      } catch (error) {
        if (error instanceof FormatError) return error.message;
        throw error;
      }
      return assert.fail('The stream was taken.');
    };
    assert.match(refused(finish), /start/);
    assert.match(refused(start), /ended before/);
    assert.equal(refused(start, { type: 'error', error: { kind: 'server', message: 'Boom' } }, finish), 'Boom');
  });
});
