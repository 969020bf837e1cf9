import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Endpoint } from '../../../../../src/gateway/core/upstream.ts';
import { type Carried, chatRequest, members } from '../../../../support/conversations.ts';
import { runs } from '../../../../support/randomRuns.ts';
import { ask, eventsOf, formatNamed, formatNames, quickSandbox } from './ask.ts';

const everything: Carried = {
  members: { ...members, stream: members.stream, maxTokens: fc.integer({ min: 1, max: 2_000 }) },
  systemMessages: true,
  cacheHints: true,
  images: ['base64', 'url', 'file'],
  imageDetail: true,
  documents: ['base64', 'url', 'file', 'text'],
  documentNames: true,
  resultParts: ['text', 'image', 'document'],
  resultErrors: true,
  reasoning: ['text', 'signed', 'encrypted', 'both'],
  refusals: true,
  anyPartOrder: true,
  strictTools: true,
  freeFormTools: true,
  namespaces: true,
  itemIds: true,
  toolChoices: ['auto', 'none', 'required', 'tool', 'allowed'],
  finishReasons: ['stop', 'length', 'toolCalls'],
  namedStopSequence: true,
  createdAt: true,
  usage: [],
  idPrefix: '',
};

describe('The sandbox handles', () => {
  for (const name of formatNames) {
    const format = formatNamed(name);
    const endpoint = format.path as Endpoint;

    it(`any request that the format supports, with a complete answer in the same format: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(chatRequest(everything), async ({ previousResponseId: _, ...request }) => {
          const body = format.encodeRequest({ ...request, model: 'familyb-3.1-pro' });
          const { status, text, failure } = await ask(quickSandbox(), { endpoint, body });
          assert.equal(status, 200, text);
          assert.equal(failure, undefined);
          if (request.stream === true) {
            const types = eventsOf(format, text).map(({ type }) => type);
            assert.ok(types.includes('finish') && !types.includes('error') && !types.includes('malformed'));
          } else {
            format.decodeResponse(JSON.parse(text));
          }
        }),
      );
    });

    it(`any JSON, with an answer or a refusal: ${name}`, async () => {
      const model = fc.constantFrom('familyc-5.4', 'familyc-5.4+rate-limit-once', 'nobody');
      const body = fc.oneof(
        fc.jsonValue(),
        fc.record({ model, messages: fc.jsonValue(), input: fc.jsonValue(), tools: fc.jsonValue() }),
      );
      const sandbox = quickSandbox();
      await fc.assert(
        fc.asyncProperty(body, async (value) => {
          const { status, text, failure } = await ask(sandbox, { endpoint, body: JSON.stringify(value) });
          assert.equal(failure, undefined);
          assert.ok([200, 400, 404, 429].includes(status), text);
        }),
        { numRuns: runs(60) },
      );
    });
  }
});
