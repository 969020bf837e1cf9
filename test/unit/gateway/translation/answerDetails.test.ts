import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { assembleResponse, type ChatEvent, type ChatResponse } from '../../../../src/formats/answer.ts';
import type { FormatName, TextPart } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Traffic } from '../../../../src/gateway/traffic/traffic.ts';
import type { Said } from '../../../support/modelServer/script.ts';
import { readEvents } from '../../formats/streams.ts';
import { json, open, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { PAIRS, startRouter } from '../support/routed.ts';

const PAGE = { url: 'https://example.com/tides', title: 'Tides' };
const DROPPED = 'x-model-access-dropped';
const BARE: Readonly<Record<FormatName, object>> = {
  'chat-completions': { messages: [{ role: 'user', content: 'Hi' }] },
  messages: { max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] },
  responses: { input: 'Hi' },
};
const TEXT = 'Grüße: the tide turns at noon.';

for (const { caller, upstream } of PAIRS) {
  describe(`a text of ${upstream} for ${caller} clients`, () => {
    afterEach(closeAll);

    const format = wireFormats[caller];
    const ask = async (said: Said, stream: boolean) => {
      const running = await startRouter([{ formats: [upstream], script: () => said }]);
      const next = running.nextRecord();
      const body = JSON.stringify({ model: 'a', ...BARE[caller], stream });
      const answer = await send({ port: running.port, path: `/api/v1${format.path}`, body });
      assert.equal(answer.status, 200);
      const events: readonly ChatEvent[] = stream ? readEvents(format, answer.body.toString()) : [];
      const response: ChatResponse = stream ? assembleResponse(events) : format.decodeResponse(json(answer));
      const texts = response.parts.filter((part): part is TextPart => part.type === 'text');
      return { answer, texts, record: await next };
    };

    for (const stream of [true, false]) {
      const how = stream ? 'streamed' : 'whole';

      it(`has the pages that it cites, at their places, ${how}`, async () => {
        const parts = [{ text: 'First. ' }, { reasoning: 'Hm.' }, { text: TEXT, cites: [PAGE] }];
        const { texts, record } = await ask(
          { parts: upstream === 'chat-completions' ? parts.slice(2) : parts },
          stream,
        );
        const [cited, ...others] = texts.flatMap(({ text, citations = [] }) =>
          citations.map(({ citation, span }) => ({ ...citation, words: text.slice(span?.start, span?.end) })),
        );
        assert.deepEqual([cited?.url, cited?.title, others.length], [PAGE.url, PAGE.title, 0]);
        assert.equal(cited?.words, TEXT);
        assert.equal(
          texts
            .map(({ text }) => text)
            .join('')
            .endsWith(TEXT),
          true,
        );
        assert.equal(record.dropped, undefined);
      });

      it(`has cited documents reported in the record${stream ? '' : ' and a header'}, ${how}`, async () => {
        const { answer, texts, record } = await ask(
          { parts: [{ text: TEXT, cites: [{ document: 'Almanac' }] }] },
          stream,
        );
        const [name] = record.dropped ?? [];
        assert.deepEqual(record.dropped, [upstream === 'chat-completions' ? 'annotations' : 'citations']);
        assert.equal(answer.headers[DROPPED], stream ? undefined : name);
        assert.deepEqual(
          texts.map(({ text, citations }) => [text, citations]),
          [[TEXT, undefined]],
        );
      });

      if (upstream === 'messages') continue;
      it(`${caller === 'messages' ? 'reports in the record' : 'has'} the probabilities of its tokens, ${how}`, async () => {
        const { answer, texts, record } = await ask({ parts: [{ text: TEXT, likely: -0.125 }] }, stream);
        const tokens = texts.flatMap(({ logProbs = [] }) => logProbs);
        if (caller === 'messages') {
          assert.deepEqual([tokens, record.dropped], [[], ['logprobs']]);
          assert.equal(answer.headers[DROPPED], stream ? undefined : 'logprobs');
          return;
        }
        assert.equal(tokens.map(({ token }) => token).join(''), TEXT);
        assert.ok(tokens.every(({ logProb, top, bytes }) => logProb === -0.125 && top.length === 1 && bytes?.length));
        assert.equal(record.dropped, undefined);
      });
    }
  });
}

describe('what is dropped from an answer', () => {
  afterEach(closeAll);

  const CITING = { parts: [{ text: TEXT, cites: [{ document: 'Almanac' }] }] };
  const QUESTION = JSON.stringify({ model: 'a', ...BARE['chat-completions'], stream: true });
  const PATH = '/api/v1/chat/completions';

  it('is in the record if bodies are kept, which are complete on both sides', async () => {
    const traffic = new Traffic();
    traffic.setCapturing(true);
    const running = await startRouter([{ formats: ['messages'], script: () => CITING }], {}, { traffic });
    const next = running.nextRecord();
    await send({ port: running.port, path: PATH, body: QUESTION });
    const { id, dropped } = await next;
    assert.deepEqual(dropped, ['citations']);
    const body = await traffic.body(id, 'upstreamAnswer');
    const text = body?.pieces.map(([, piece]) => piece).join('');
    assert.match(text ?? '', /char_location[\s\S]*message_stop/);
  });

  it('is in the record if a client disconnects before the end', async () => {
    const script = () => ({ ...CITING, afterEvents: 6, ending: 'stall' as const });
    const running = await startRouter([{ formats: ['messages'], script }]);
    const next = running.nextRecord();
    const request = open({ port: running.port, path: PATH }).end(QUESTION);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    for await (const chunk of response) if (String(chunk).includes('Gr')) break;
    const { end, dropped } = await next;
    assert.deepEqual([end, dropped], ['clientLeft', ['citations']]);
  });

  it('is in the record if the answer is interrupted', async () => {
    const script = () => ({ ...CITING, afterEvents: 6, ending: 'cut' as const });
    const running = await startRouter([{ formats: ['messages'], script }]);
    const next = running.nextRecord();
    await send({ port: running.port, path: PATH, body: QUESTION });
    const { end, dropped } = await next;
    assert.deepEqual([end, dropped], ['upstreamFailed', ['citations']]);
  });
});
