import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import type { Said } from '../../../support/modelServer/script.ts';
import { json, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const FUNCTIONS = [{ name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }];
const CALL = { call: 'call_a', name: 'weather', arguments: '{"city":"Oslo"}' };
const OTHER = { call: 'call_b', name: 'weather', arguments: '{"city":"Rome"}' };
const QUESTION = { role: 'user', content: 'Weather?' };

for (const upstream of ['messages', 'responses'] satisfies FormatName[]) {
  describe(`legacy functions of chat-completions, on ${upstream}`, () => {
    afterEach(closeAll);

    const ask = async (said: Said, request: object = {}) => {
      const { port, servers } = await startRouter([
        { formats: [upstream], script: () => ({ ...said, pieceBytes: 5 }) },
      ]);
      const body = JSON.stringify({ model: 'a', messages: [QUESTION], functions: FUNCTIONS, ...request });
      const answer = await send({ port, path: '/api/v1/chat/completions', body });
      return { answer, asked: servers[0]?.requests[0]?.body };
    };

    it('are called in the legacy form', async () => {
      const { answer } = await ask({ parts: [{ text: 'I look.' }, CALL] });
      const [choice] = (json(answer) as { choices: { message: object; finish_reason: string }[] }).choices;
      const { name, arguments: written } = CALL;
      const message = {
        role: 'assistant',
        content: 'I look.',
        refusal: null,
        function_call: { name, arguments: written },
      };
      assert.deepEqual([choice?.message, choice?.finish_reason], [message, 'function_call']);
    });

    it('are called in the legacy form in a stream', async () => {
      const { answer } = await ask({ parts: [CALL] }, { stream: true });
      const lines = answer.body.toString().match(/(?<=^data: )\{.*/gm) ?? [];
      const choices = lines.flatMap((line) => JSON.parse(line).choices);
      const calls = choices.flatMap(({ delta }) => delta.function_call ?? []);
      assert.deepEqual(calls[0], { name: 'weather', arguments: '' });
      assert.equal(calls.map((call) => call.arguments).join(''), CALL.arguments);
      assert.equal(choices.at(-1)?.finish_reason, 'function_call');
      assert.doesNotMatch(answer.body.toString(), /tool_calls/);
    });

    it('are called once per answer: the upstream is asked for one call, and others are reported as dropped', async () => {
      const { answer, asked } = await ask({ parts: [CALL, OTHER] });
      assert.equal(asked.parallel_tool_calls ?? !asked.tool_choice.disable_parallel_tool_use, false);
      assert.match(answer.body.toString(), /Oslo/);
      assert.doesNotMatch(answer.body.toString(), /Rome/);
      assert.equal(answer.headers['x-model-access-dropped'], 'tool_calls');
    });

    it('drop a second call in a stream', async () => {
      const { answer } = await ask({ parts: [CALL, OTHER] }, { stream: true });
      assert.doesNotMatch(answer.body.toString(), /tool_calls|Rome/);
    });

    it('include their results in the next request', async () => {
      const { name, arguments: written } = CALL;
      const called = { role: 'assistant', content: null, function_call: { name, arguments: written } };
      const result = { role: 'function', name, content: 'It snows.' };
      const { answer, asked } = await ask({ parts: [{ text: 'Snow.' }] }, { messages: [QUESTION, called, result] });
      assert.match(JSON.stringify(asked), /It snows\./);
      assert.match(answer.body.toString(), /Snow\./);
    });
  });
}
