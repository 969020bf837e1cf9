import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatEvent, ChatResponse } from '../../../../src/formats/answer.ts';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { StopSequences } from '../../../../src/gateway/translation/stopSequences.ts';
import { runs } from '../../../support/randomRuns.ts';
import { readEvents } from '../../formats/streams.ts';
import { json, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const ENDS = ['END', 'ENOUGH', '\n\n'];

function streamed(pieces: readonly string[], sequences = ENDS) {
  const stops = new StopSequences(sequences);
  const shown = pieces.flatMap((text) => stops.event({ type: 'textDelta', index: 0, text }));
  const events = [...shown, ...stops.event({ type: 'finish', reason: 'stop' })];
  return { text: events.map((event) => (event.type === 'textDelta' ? event.text : '')).join(''), events };
}

/** Returns what a model that knows the sequences would have written. */
function expected(text: string): { readonly text: string; readonly sequence: string | undefined } {
  const found = ENDS.map((sequence) => ({ sequence, at: text.indexOf(sequence) })).filter(({ at }) => at !== -1);
  const [first] = found.sort((a, b) => a.at - b.at);
  return first === undefined
    ? { text, sequence: undefined }
    : { text: text.slice(0, first.at), sequence: first.sequence };
}

describe('stop sequences that an upstream does not support', () => {
  afterEach(closeAll);

  it('end the text before the first match, however it is split', () => {
    const piece = fc.constantFrom('E', 'EN', 'ND', 'D', 'ENOUGH', '\n', 'OUGH', 'a', 'ü', '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        const { text, events } = streamed(pieces);
        const wanted = expected(pieces.join(''));
        assert.equal(text, wanted.text);
        const finishes = events.filter((event) => event.type === 'finish');
        assert.deepEqual(finishes, [
          wanted.sequence === undefined
            ? { type: 'finish', reason: 'stop' }
            : { type: 'finish', reason: 'stopSequence', stopSequence: wanted.sequence },
        ]);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('hold back no more than a possible beginning of a match', () => {
    const stops = new StopSequences(ENDS);
    const texts = (event: ChatEvent) => stops.event(event).map((shown) => ('text' in shown ? shown.text : shown.type));
    assert.deepEqual(texts({ type: 'textDelta', index: 0, text: 'The EN' }), ['The ']);
    assert.deepEqual(texts({ type: 'toolCallEnd', index: 1 }), ['EN', 'toolCallEnd']);
  });

  it('end a complete answer, and drop what follows', () => {
    const response: ChatResponse = {
      id: 'a',
      model: 'm',
      parts: [
        { type: 'reasoning', text: 'END?' },
        { type: 'text', text: 'One END two' },
        { type: 'toolCall', id: 'c', name: 'f', arguments: '{}' },
      ],
      finishReason: 'toolCalls',
    };
    const { parts, finishReason, stopSequence } = new StopSequences(ENDS).response(response);
    assert.deepEqual(parts, [
      { type: 'reasoning', text: 'END?' },
      { type: 'text', text: 'One ' },
    ]);
    assert.deepEqual([finishReason, stopSequence], ['stopSequence', 'END']);
  });

  for (const [caller, member] of [
    ['messages', 'stop_sequences'],
    ['chat-completions', 'stop'],
  ] as const satisfies readonly (readonly [FormatName, string])[]) {
    for (const stream of [true, false]) {
      it(`end an answer of responses for ${caller}${stream ? ', streamed' : ''}, and are not reported as dropped`, async () => {
        const said = { parts: [{ text: 'One, two, STOP, three' }] };
        const running = await startRouter([{ formats: ['responses'], script: () => said }]);
        const body = {
          model: 'a',
          max_tokens: 9,
          stream,
          messages: [{ role: 'user', content: 'Hi' }],
          [member]: ['STOP'],
        };
        const format = wireFormats[caller];
        const answer = await send({ port: running.port, path: `/api/v1${format.path}`, body: JSON.stringify(body) });
        assert.equal(answer.headers['x-model-access-dropped'], undefined);
        assert.doesNotMatch(answer.body.toString(), /STOP,|three/);
        if (stream) {
          const events = readEvents(format, answer.body.toString());
          const text = events.map((event) => (event.type === 'textDelta' ? event.text : '')).join('');
          assert.equal(text, 'One, two, ');
          const finish = events.find((event) => event.type === 'finish');
          assert.equal(finish?.reason, caller === 'messages' ? 'stopSequence' : 'stop');
          assert.ok(events.some((event) => event.type === 'finish'));
        } else {
          const response = format.decodeResponse(json(answer));
          assert.deepEqual(response.parts, [{ type: 'text', text: 'One, two, ' }]);
          assert.equal(response.stopSequence, caller === 'messages' ? 'STOP' : undefined);
        }
      });
    }
  }
});
