import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import type { Said } from '../../../support/modelServer/script.ts';
import { jsonOf } from '../../formats/responses/wellFormed.ts';
import { json, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const FUNCTION = { type: 'function', name: 'wait', parameters: { type: 'object' }, strict: false };
const EXEC = {
  type: 'custom',
  name: 'exec',
  description: 'Runs code.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' },
};
const NAMESPACES = [
  { type: 'namespace', name: 'functions', description: 'd', tools: [EXEC, FUNCTION] },
  { type: 'namespace', name: 'clock', description: 'd', tools: [FUNCTION] },
];
const MCP = { type: 'mcp', server_label: 's', server_url: 'https://tools.example.com' };
const CODE = 'print("ä\\n")\n// 🙂';

interface Item {
  readonly type: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly input?: string;
  readonly arguments?: string;
}

for (const upstream of ['chat-completions', 'messages'] satisfies FormatName[]) {
  describe(`the translation of responses tools, on ${upstream}`, () => {
    afterEach(closeAll);

    const ask = async (said: Said, request: object) => {
      const running = await startRouter([{ formats: [upstream], script: () => ({ ...said, pieceBytes: 5 }) }]);
      const body = JSON.stringify({ model: 'a', input: 'Go.', ...request });
      const answer = await send({ port: running.port, path: '/api/v1/responses', body });
      return { ...running, answer, asked: running.servers[0]?.requests[0]?.body };
    };
    const namesIn = (body: { tools: { name?: string; function?: { name: string } }[] }) =>
      body.tools.map((tool) => tool.function?.name ?? tool.name);

    it('flattens namespaces and restores them in the answer', async () => {
      const said = { parts: [{ call: 'c1', name: 'clock__wait', arguments: '{"s":1}' }] };
      const { answer, asked } = await ask(said, { tools: NAMESPACES });
      assert.deepEqual(namesIn(asked), ['functions__exec', 'functions__wait', 'clock__wait']);
      const [item] = (json(answer) as { output: Item[] }).output;
      assert.deepEqual([item?.type, item?.name, item?.namespace], ['function_call', 'wait', 'clock']);
    });

    it('distinguishes tools of one name by their namespaces', async () => {
      const chosen = async (tool_choice: object) => {
        const { asked } = await ask({ parts: [{ text: 'ok' }] }, { tools: NAMESPACES, tool_choice });
        return asked;
      };
      const one = await chosen({ type: 'function', name: 'wait', namespace: 'clock' });
      assert.equal(one.tool_choice.name ?? one.tool_choice.function.name, 'clock__wait');
      const allowed = await chosen({
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'wait' }],
      });
      const names = JSON.stringify(upstream === 'messages' ? allowed.tools : allowed.tool_choice);
      assert.match(names, /functions__wait.*clock__wait/);
      assert.ok(!names.includes('exec'));
    });

    it('accepts tools in items of the input', async () => {
      const input = [
        { type: 'additional_tools', role: 'developer', tools: NAMESPACES },
        { type: 'message', role: 'user', content: 'Go.' },
      ];
      const { asked } = await ask({ parts: [{ text: 'ok' }] }, { input });
      assert.equal(namesIn(asked).length, 3);
    });

    for (const stream of [false, true]) {
      it(`defines a free-form tool with one string, and returns its call as a custom one, ${stream ? 'streamed' : 'whole'}`, async () => {
        const written = JSON.stringify({ input: CODE }).replace('🙂', '\\ud83d\\ude42');
        const said = { parts: [{ call: 'c1', name: 'functions__exec', arguments: written }] };
        const { answer } = await ask(said, { tools: NAMESPACES, stream });
        const text = answer.body.toString();
        const output: Item[] = stream
          ? jsonOf(text).at(-1)?.response.output
          : (json(answer) as { output: Item[] }).output;
        assert.deepEqual([output[0]?.type, output[0]?.name, output[0]?.input], ['custom_tool_call', 'exec', CODE]);
        if (!stream) return;
        const deltas = jsonOf(text).filter(({ type }) => type === 'response.custom_tool_call_input.delta');
        assert.ok(deltas.length > 1, 'the input is streamed');
        assert.equal(deltas.map(({ delta }) => delta).join(''), CODE);
      });
    }

    it('sends earlier calls of such tools under the same names', async () => {
      const input = [
        { type: 'message', role: 'user', content: 'Go.' },
        { type: 'custom_tool_call', call_id: 'c1', name: 'exec', namespace: 'functions', input: CODE },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
      ];
      const { asked } = await ask({ parts: [{ text: 'ok' }] }, { input, tools: NAMESPACES });
      const text = JSON.stringify(asked.messages);
      assert.match(text, /functions__exec/);
      assert.ok(
        text.includes(
          upstream === 'messages' ? JSON.stringify({ input: CODE }) : JSON.stringify(JSON.stringify({ input: CODE })),
        ),
      );
    });

    it('shortens names and restores them', async () => {
      const name = `mcp__${'long'.repeat(20)}.tool`;
      const running = await startRouter([
        {
          formats: [upstream],
          script: ({ body }) => ({ parts: [{ call: 'c', name: namesIn(body)[0] ?? '', arguments: '{}' }] }),
        },
      ]);
      const tools = [name, `${name}2`].map((each) => ({ ...FUNCTION, name: each }));
      const body = JSON.stringify({ model: 'a', input: 'Go.', tools, tool_choice: { type: 'function', name } });
      const answer = await send({ port: running.port, path: '/api/v1/responses', body });
      const asked = running.servers[0]?.requests[0]?.body;
      const sent = namesIn(asked);
      for (const each of sent) assert.match(each ?? '', /^[\w-]{1,64}$/);
      assert.notEqual(sent[0], sent[1]);
      assert.equal(asked.tool_choice.name ?? asked.tool_choice.function.name, sent[0]);
      assert.equal((json(answer) as { output: Item[] }).output[0]?.name, name);
    });

    it('drops a hosted tool, and reports it in a header and the record', async () => {
      const tools = [FUNCTION, { type: 'web_search', external_web_access: true }, { type: 'tool_search' }];
      const { answer, asked, records } = await ask({ parts: [{ text: 'ok' }] }, { tools });
      assert.deepEqual(namesIn(asked), ['wait']);
      assert.equal(answer.headers['x-model-access-dropped'], 'web_search, tool_search');
      assert.deepEqual(records[0]?.dropped, ['web_search', 'tool_search']);
    });

    for (const [name, tool_choice, tools] of [
      ['by its type', { type: 'web_search' }, [FUNCTION, { type: 'web_search' }]],
      ['for want of others', 'required', [{ type: 'web_search' }]],
      ['by the name of its server', { type: 'mcp', server_label: 's', name: 'wait' }, [FUNCTION, MCP]],
      [
        'as the only allowed one',
        { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] },
        [FUNCTION, { type: 'web_search' }],
      ],
    ] as const) {
      it(`refuses a request that requires a hosted tool ${name}`, async () => {
        const { answer, servers } = await ask({ parts: [] }, { tools, tool_choice });
        assert.equal(answer.status, 400);
        assert.match(answer.body.toString(), /web_search|mcp/);
        assert.equal(servers[0]?.requests.length, 0);
      });
    }
  });

  describe(`previous answers on ${upstream}`, () => {
    afterEach(closeAll);

    it('can be continued by their id', async () => {
      const running = await startRouter([{ formats: [upstream], script: () => ({ parts: [{ text: 'Four.' }] }) }]);
      const ask = (request: object) =>
        send({ port: running.port, path: '/api/v1/responses', body: JSON.stringify({ model: 'a', ...request }) });
      const first = json(await ask({ input: 'Two and two?', instructions: 'Count.' })) as { id: string };
      const second = await ask({ input: 'And one?', previous_response_id: first.id, stream: true });
      assert.equal(second.status, 200);
      const asked = running.servers[0]?.requests[1]?.body;
      const text = JSON.stringify(asked.messages);
      assert.match(text, /Two and two\?.*Four\..*And one\?/);
      assert.ok(!JSON.stringify(asked).includes('Count.'), 'instructions hold for one answer');
    });

    it('can be referenced item by item', async () => {
      const said: Said = { parts: [{ text: 'I look.' }, { call: 'c1', name: 'wait', arguments: '{"s":1}' }] };
      for (const stream of [false, true]) {
        const running = await startRouter([{ formats: [upstream], script: () => said }]);
        const ask = (request: object) =>
          send({ port: running.port, path: '/api/v1/responses', body: JSON.stringify({ model: 'a', ...request }) });
        const first = await ask({ input: 'Go.', tools: [FUNCTION], stream });
        const whole = stream ? jsonOf(first.body.toString()).at(-1)?.response : json(first);
        const { output } = whole as { output: { id: string }[] };
        const references = output.map(({ id }) => ({ type: 'item_reference', id }));
        const result = { type: 'function_call_output', call_id: 'c1', output: 'done' };
        const input = [{ role: 'user', content: 'Go.' }, ...references, result];
        assert.equal((await ask({ input, tools: [FUNCTION] })).status, 200);
        const asked = JSON.stringify(running.servers[0]?.requests[1]?.body.messages);
        assert.match(asked, /Go\..*I look\..*wait.*done/);
        const stranger = { input: [{ type: 'item_reference', id: 'msg_other' }] };
        assert.equal((await ask(stranger)).status, 400);
      }
    });

    it('are not stored if the caller disables it, and an unknown one is refused', async () => {
      const running = await startRouter([{ formats: [upstream], script: () => ({ parts: [{ text: 'Four.' }] }) }]);
      const ask = (request: object) =>
        send({ port: running.port, path: '/api/v1/responses', body: JSON.stringify({ model: 'a', ...request }) });
      const first = json(await ask({ input: 'Two and two?', store: false })) as { id: string };
      const second = await ask({ input: 'And one?', previous_response_id: first.id });
      assert.equal(second.status, 400);
      assert.match(second.body.toString(), /previous_response_not_found/);
    });
  });
}
