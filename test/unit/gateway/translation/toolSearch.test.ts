import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { json, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const SEARCH = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds tools.',
  parameters: { type: 'object' },
};
const LAMP = { type: 'function', name: 'state', parameters: { type: 'object' }, strict: false };
const LAMPS = { type: 'namespace', name: 'lamps', description: 'd', tools: [LAMP] };

/** Returns the request of a client that has searched, this number of times. */
function searched(times: number) {
  const rounds = Array.from({ length: times }, (_, nth) => [
    { type: 'tool_search_call', call_id: `c${nth}`, execution: 'client', arguments: { query: 'lamp' } },
    { type: 'tool_search_output', call_id: `c${nth}`, execution: 'client', status: 'completed', tools: [LAMPS] },
  ]);
  return [{ type: 'message', role: 'user', content: 'Is it on?' }, ...rounds.flat()];
}

for (const upstream of ['chat-completions', 'messages'] satisfies FormatName[]) {
  describe(`tool searches by the client, on ${upstream}`, () => {
    afterEach(closeAll);

    async function ask(call: string, input: readonly object[]) {
      const said = { parts: [{ call: 'c9', name: call, arguments: '{"query":"lamp"}' }] };
      const running = await startRouter([{ formats: [upstream], script: () => said }]);
      const body = JSON.stringify({ model: 'a', input, tools: [SEARCH, { type: 'web_search' }] });
      const answer = await send({ port: running.port, path: '/api/v1/responses', body });
      const { output } = json(answer) as { output: object[] };
      const asked = running.servers[0]?.requests[0]?.body;
      // biome-ignore lint/suspicious/noExplicitAny: tools of two formats
      const names = asked.tools.map((tool: any) => tool.function?.name ?? tool.name);
      return { answer, output, asked, names };
    }

    it('are a function for the upstream, and become a search again in the answer', async () => {
      const { answer, output, names } = await ask('tool_search', searched(0));
      assert.deepEqual(names, ['tool_search']);
      assert.equal(answer.headers['x-model-access-dropped'], 'web_search');
      const [item] = output as { id: string }[];
      assert.deepEqual(output, [
        {
          id: item?.id,
          type: 'tool_search_call',
          status: 'completed',
          call_id: 'c9',
          execution: 'client',
          arguments: { query: 'lamp' },
        },
      ]);
    });

    it('offer the tools that they find in all continuations, like tools in items', async () => {
      const parts = [{ call: 'c9', name: 'lamps__state', arguments: '{}' }];
      const running = await startRouter([{ formats: [upstream], script: () => ({ parts }) }]);
      const go = async (request: object) => {
        const body = JSON.stringify({ model: 'a', ...request });
        const answer = await send({ port: running.port, path: '/api/v1/responses', body });
        return json(answer) as { id: string; output: { name: string; namespace: string }[] };
      };
      const offered = (nth: number) =>
        // biome-ignore lint/suspicious/noExplicitAny: tools of two formats
        running.servers[0]?.requests[nth]?.body.tools.map((tool: any) => tool.function?.name ?? tool.name);
      const added = { type: 'additional_tools', role: 'developer', tools: [{ ...LAMP, name: 'dim' }] };
      const wait = { ...LAMP, name: 'wait' };
      const result = { type: 'function_call_output', call_id: 'c9', output: 'on' };

      const first = await go({ input: [added, ...searched(1)], tools: [SEARCH] });
      const second = await go({ input: [result], tools: [SEARCH, wait], previous_response_id: first.id });
      const third = await go({ input: [result, added], previous_response_id: second.id });

      assert.deepEqual(offered(0), ['tool_search', 'dim', 'lamps__state']);
      assert.deepEqual(offered(1), ['tool_search', 'wait', 'dim', 'lamps__state']);
      assert.deepEqual(offered(2), ['dim', 'lamps__state']);
      for (const { output } of [first, second, third]) {
        assert.deepEqual([output[0]?.name, output[0]?.namespace], ['state', 'lamps']);
      }
    });

    it('offer each tool that they find once, and restore the namespace in its call', async () => {
      const { output, names, asked } = await ask('lamps__state', searched(2));
      assert.deepEqual(names, ['tool_search', 'lamps__state']);
      assert.match(JSON.stringify(asked.messages), /state \(lamps\)/);
      const [item] = output as { name: string; namespace: string }[];
      assert.deepEqual([item?.name, item?.namespace], ['state', 'lamps']);
    });
  });
}
