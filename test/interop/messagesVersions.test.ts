import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import { ANTHROPIC_SDKS } from './support/anthropicSdks.ts';
import { SETUPS, type StartedGateway } from './support/gateways.ts';

const MODEL = 'familya-sonnet-4.6';
/** Upstreams that are asked in the messages format. */
const NATIVE = SETUPS.filter(({ countsTokens }) => countsTokens);

function question(content: string, more: object = {}): Anthropic.MessageCreateParamsNonStreaming {
  return { model: MODEL, max_tokens: 1000, messages: [{ role: 'user', content }], ...more };
}

for (const setup of SETUPS) {
  describe(`the versions of the messages format on ${setup.name}`, () => {
    let gateway: StartedGateway;

    before(async () => {
      gateway = await setup.start();
    });
    after(() => gateway.stop());

    for (const { name, Sdk, version } of ANTHROPIC_SDKS) {
      const create = () => new Sdk({ baseURL: gateway.root, apiKey: gateway.key, maxRetries: 0 });
      const isRefused = version === '2026-10-21' && NATIVE.includes(setup);
      const isDropped = version === '2026-10-21' && !isRefused;

      it(`${isRefused ? 'refuses' : isDropped ? 'drops and names' : 'accepts'} sampling parameters of ${name}`, async () => {
        const asked = create()
          .messages.create(question('echo: Hello', { temperature: 0.5, top_k: 5 }))
          .withResponse();
        if (isRefused) {
          await assert.rejects(asked, (error) => {
            assert.ok(error instanceof Sdk.BadRequestError);
            assert.match(error.message, /temperature: Extra inputs are not permitted/);
            return true;
          });
          return;
        }
        const { data, response } = await asked;
        assert.deepEqual(
          data.content.map((block) => block.type === 'text' && block.text),
          ['Hello'],
        );
        const dropped = response.headers.get('x-model-access-dropped')?.split(', ') ?? [];
        assert.deepEqual(
          [dropped.includes('temperature'), dropped.includes('top_k')],
          [isDropped, !NATIVE.includes(setup)],
        );
      });

      it(`tells ${name} why an answer was refused, streamed and whole`, async () => {
        const whole = await create().messages.create(question('refuse'));
        const streamed = await create().messages.stream(question('refuse')).finalMessage();
        for (const { stop_reason, stop_details } of [whole, streamed]) {
          if (stop_reason === 'refusal') assert.equal(stop_details?.type, 'refusal');
          else assert.equal(stop_details, null);
        }
        if (NATIVE.includes(setup)) assert.equal(whole.stop_reason, 'refusal');
      });
    }
  });
}
