import assert from 'node:assert/strict';
import { readConversation } from '../support/modelServer/askedConversation.ts';
import type { Answer, AskedRequest } from '../support/modelServer/modelServer.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';
import { AI_SDK_CLIENTS } from './support/aiSdkClients.ts';
import { ANTHROPIC_CLIENTS } from './support/anthropicClient.ts';
import { OPENAI_CLIENTS } from './support/openaiClients.ts';

/** No rule knows it: only the name in the file shows that it is a secret. */
const PASSWORD = 'tR9wq2LmX8zV';
const TOKEN = 'ghp_Q7wR2t9KxLmN4vB8cZ1pD6sF3gH5jJ0aYeUi';
const FILE = `TOKEN=${TOKEN}\nDB_PASSWORD=${PASSWORD}\n`;

/** A model that reads a file, uses both values of it in a call, and repeats one of them. */
function readAndUse(request: AskedRequest): Answer {
  const { calls, results } = readConversation(request);
  const [, token, password] = /TOKEN=(\S+)\nDB_PASSWORD=(\S+)/.exec(results[0]?.text ?? '') ?? [];
  if (calls.length === 0) return { parts: [{ call: 'call_0', name: 'look', arguments: '{"city":".env"}' }] };
  if (calls.length > 1) return { parts: [{ text: `It is ${password}.` }] };
  const args = JSON.stringify({ city: `--token "${token}" --password '${password}'` });
  return { parts: [{ call: 'call_1', name: 'look', arguments: args }], pieceBytes: 11 };
}

describe('a file with secrets that a client reads', () => {
  afterEach(closeAll);

  for (const kind of [...OPENAI_CLIENTS, ...ANTHROPIC_CLIENTS, ...AI_SDK_CLIENTS]) {
    for (const stream of [false, true]) {
      it(`is used by ${kind.name}${stream ? ' in a stream' : ''}, and the service has not seen them`, async () => {
        const { port, servers } = await startRouter([
          { formats: ['messages'], script: readAndUse, secretPolicy: 'seal' },
        ]);
        const root = `http://127.0.0.1:${port}/api`;
        const client = kind.create({ root, address: `${root}/v1`, key: LOCAL_KEY });
        const { calls } = await client.ask({ text: 'Deploy it.', stream, offersTool: true });
        const used = await client.goOn(new Map([[calls[0]?.id ?? '', FILE]]));
        assert.deepEqual(used.calls[0]?.input, { city: `--token "${TOKEN}" --password '${PASSWORD}'` });
        const { text } = await client.goOn(new Map([[used.calls[0]?.id ?? '', 'done']]));
        assert.equal(text, `It is ${PASSWORD}.`);
        const sent = servers[0]?.requests.map((request) => request.text).join('\n') ?? '';
        assert.ok(servers[0]?.requests.length === 3 && /ghp_5EA1ED\w+/.test(sent));
        assert.ok(!sent.includes(TOKEN) && !sent.includes(PASSWORD), sent);
      });
    }
  }
});
