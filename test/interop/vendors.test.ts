import assert from 'node:assert/strict';
import type { Answer, AskedRequest } from '../support/modelServer/modelServer.ts';
import { type Asked, VENDORS, type Vendor, vendorAnswer } from '../support/vendors.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';
import { ANTHROPIC_CLIENTS } from './support/anthropicClient.ts';
import { OPENAI_CLIENTS } from './support/openaiClients.ts';
import type { SdkClient, SdkKind } from './support/sdkClient.ts';

const CITIES = ['Bern', 'Oslo'];
const CALLS = CITIES.map((city, nth) => ({
  id: `call_number_${nth}`,
  name: 'look',
  arguments: JSON.stringify({ city }),
}));

/** Calls a tool for both cities after the first question, and then answers. */
function script(vendor: Vendor): (request: AskedRequest) => Answer | undefined {
  return ({ body, format }) => {
    if (format === undefined) return undefined;
    const asked = body as Asked;
    const roles = asked.messages.map(({ role }) => role);
    const isFirst = roles.filter((role) => role === 'user').length === 1 && roles.at(-1) === 'user';
    return vendorAnswer(vendor, asked, isFirst ? { calls: CALLS } : { text: 'Both are cold.' });
  };
}

async function start(vendor: Vendor, kind: SdkKind): Promise<SdkClient> {
  const { port } = await startRouter([{ formats: ['chat-completions'], script: script(vendor) }]);
  const root = `http://127.0.0.1:${port}/api`;
  return kind.create({ root, address: `${root}/v1`, key: LOCAL_KEY });
}

for (const kind of [...OPENAI_CLIENTS, ...ANTHROPIC_CLIENTS].filter(({ format }) => format !== 'chat-completions')) {
  for (const vendor of VENDORS) {
    describe(`${kind.name} on ${vendor.name}`, () => {
      afterEach(closeAll);

      for (const stream of [true, false]) {
        it(`has three turns with calls in parallel, ${stream ? 'streamed' : 'whole'}`, async () => {
          const client = await start(vendor, kind);
          const first = await client.ask({ text: 'Look at both.', stream, offersTool: true });
          assert.deepEqual(
            first.calls.map(({ name, input }) => [name, input]),
            CITIES.map((city) => ['look', { city }]),
          );
          const second = await client.goOn(new Map(first.calls.map(({ id }) => [id, 'Cold.'])));
          assert.equal(second.text, 'Both are cold.');
          const third = await client.ask({ text: 'Thanks.', stream, offersTool: true });
          assert.equal(third.text, 'Both are cold.');
        });
      }
    });
  }
}
