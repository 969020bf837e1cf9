/** Bugs that were reported for other gateways with reasoning and caching, over several turns of a conversation. */
import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { Said } from '../../../support/modelServer/script.ts';
import { jsonOf } from '../../formats/responses/wellFormed.ts';
import { readEvents } from '../../formats/streams.ts';
import { json, open, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { PAIRS, startRouter } from '../support/routed.ts';

/** As services write them: base64 with all of its characters, and long. */
const SIGNATURE = `EqQBCkgIARABGAIiQL8+/${'aZ09+/'.repeat(700)}==`;
const SEALED: Said = {
  parts: [
    { reasoning: 'Wind from the west.', signature: SIGNATURE },
    { call: 'call_1', name: 'look', arguments: '{"city":"Oslo"}' },
  ],
};
const QUESTION = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Weather?' }] };
const TOOLS = [{ name: 'look', parameters: { type: 'object' } }];
const RESULT = {
  role: 'tool' as const,
  parts: [{ type: 'toolResult' as const, toolCallId: 'call_1', content: [{ type: 'text' as const, text: 'cold' }] }],
};

/** Asks a question, and sends the answer back with the result of the call. */
async function twoTurns(caller: FormatName, upstream: FormatName, stream: boolean, said: Said) {
  const running = await startRouter([{ formats: [upstream], script: () => ({ ...said, pieceBytes: 999 }) }]);
  const format = wireFormats[caller];
  const path = `/api/v1${format.path}`;
  const ask = (body: object) => send({ port: running.port, path, body: JSON.stringify(body) });
  const base = { model: 'a', system: [], tools: TOOLS, stream };
  const first = await ask(format.encodeRequest({ ...base, messages: [QUESTION] }) as object);
  const second = format.encodeRequest({ ...base, messages: [QUESTION, RESULT] }) as Record<string, unknown>;
  const turns = caller === 'responses' ? 'input' : 'messages';
  const [question, ...rest] = second[turns] as object[];
  await ask({ ...second, [turns]: [question, ...answerAsInput(caller, first.body.toString(), stream), ...rest] });
  return running.servers[0]?.requests[1]?.body;
}

/** Returns the answer as the format's clients put it into their next request, with all members unchanged. */
function answerAsInput(caller: FormatName, text: string, stream: boolean): readonly object[] {
  if (caller === 'responses') return stream ? jsonOf(text).at(-1)?.response.output : JSON.parse(text).output;
  const whole = stream ? assembled(caller, text) : JSON.parse(text);
  if (caller === 'chat-completions') return [whole.choices[0].message];
  return [{ role: 'assistant', content: whole.content }];
}

function assembled(caller: FormatName, text: string) {
  return caller === 'messages' ? { content: blocksIn(text) } : { choices: [{ message: messageIn(text) }] };
}

function blocksIn(text: string): object[] {
  const blocks: Record<string, string>[] = [];
  for (const event of jsonOf(text)) {
    if (event.type === 'content_block_start') blocks.push({ ...(event.content_block as object) });
    const block = blocks.at(-1);
    const { delta } = event as unknown as { delta: Record<string, string> };
    if (event.type !== 'content_block_delta' || block === undefined) continue;
    for (const key of ['text', 'thinking', 'signature', 'partial_json']) {
      if (delta[key]) block[key] = (block[key] ?? '') + delta[key];
    }
  }
  return blocks.map(({ partial_json: written, ...block }) =>
    written ? { ...block, input: JSON.parse(written) } : block,
  );
}

function messageIn(text: string): object {
  const details: object[] = [];
  const calls: { function: { name: string; arguments: string } }[] = [];
  for (const line of text.split('\n\n').filter((each) => each.startsWith('data: {'))) {
    const delta = JSON.parse(line.slice('data: '.length)).choices[0]?.delta ?? {};
    details.push(...(delta.reasoning_details ?? []));
    for (const { index, function: called, ...call } of delta.tool_calls ?? []) {
      const known = calls[index] ?? { ...call, function: { name: called.name, arguments: '' } };
      known.function.arguments += called.arguments;
      calls[index] = known;
    }
  }
  return { role: 'assistant', content: null, reasoning_details: details, tool_calls: calls };
}

describe('known faults of other gateways, in reasoning over several turns', () => {
  afterEach(closeAll);

  const proving = PAIRS.filter(({ upstream }) => upstream !== 'chat-completions');
  for (const { caller, upstream } of proving) {
    for (const stream of [true, false]) {
      const how = stream ? 'streamed' : 'whole';
      it(`22: signatures are sent back unchanged (${caller} on ${upstream}, ${how})`, async () => {
        const asked = await twoTurns(caller, upstream, stream, SEALED);
        const request = wireFormats[upstream].decodeRequest(asked);
        const parts = request.messages.flatMap((message) => [...message.parts]);
        const reasoning = parts.filter((part) => part.type === 'reasoning');
        assert.equal(reasoning.length, 1);
        assert.equal(reasoning[0]?.signature ?? reasoning[0]?.encrypted, SIGNATURE);
        assert.deepEqual(
          parts.flatMap((part) => (part.type === 'toolCall' ? [part.id] : [])),
          ['call_1'],
        );
      });

      it(`21: reasoning with only a signature is sent back too (${caller} on ${upstream}, ${how})`, async () => {
        const [, call] = SEALED.parts;
        const said = { parts: [{ reasoning: '', signature: SIGNATURE }, ...(call === undefined ? [] : [call])] };
        const asked = JSON.stringify(await twoTurns(caller, upstream, stream, said));
        assert.ok(asked.includes(SIGNATURE));
      });
    }
  }

  for (const { caller, upstream } of PAIRS) {
    it(`23: the same request produces the same bytes each time, with its tools in order (${caller} on ${upstream})`, async () => {
      const running = await startRouter([{ formats: [upstream], script: () => ({ parts: [{ text: 'ok' }] }) }]);
      const names = ['zeta', 'a.b', 'a_b', 'x'.repeat(80), `${'x'.repeat(80)}y`, 'alpha'];
      const tools = names.map((name) => ({ name, parameters: { type: 'object', properties: { z: {}, a: {} } } }));
      const format = wireFormats[caller];
      const body = JSON.stringify(format.encodeRequest({ model: 'a', system: [], messages: [QUESTION], tools }));
      for (let nth = 0; nth < 3; nth += 1) await send({ port: running.port, path: `/api/v1${format.path}`, body });
      const [first, ...others] = running.servers[0]?.requests.map(({ text }) => text) ?? [];
      assert.deepEqual(others, [first, first]);
      const sent = wireFormats[upstream].decodeRequest(JSON.parse(first ?? '')).tools?.map(({ name }) => name) ?? [];
      assert.deepEqual([sent[0], sent[2]?.slice(0, 3), sent[5]], ['zeta', 'a_b', 'alpha']);
      assert.equal(new Set(sent).size, names.length);
    });
  }

  it('42: an upstream without token counts still gets requests', async () => {
    const said = { parts: [{ text: 'ok' }] };
    const running = await startRouter([
      { formats: ['messages'], script: ({ format }) => (format === undefined ? undefined : said) },
      { formats: ['messages'], script: () => ({ parts: [{ text: 'the other' }] }) },
    ]);
    const body = JSON.stringify({ model: 'a', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] });
    for (let nth = 0; nth < 6; nth += 1) {
      await send({ port: running.port, path: '/api/v1/messages/count_tokens', body });
    }
    const answer = json(await send({ port: running.port, path: '/api/v1/messages', body }));
    assert.equal((answer as { content: { text: string }[] }).content[0]?.text, 'ok');
  });

  it('34c: disconnected clients do not count as failures of the upstream', async () => {
    const script = ({ body }: { body: { stream?: boolean } }) =>
      body.stream === true ? ('stay silent' as const) : { parts: [{ text: 'ok' }] };
    const running = await startRouter([
      { formats: ['chat-completions'], script },
      { formats: ['chat-completions'], script: () => ({ parts: [{ text: 'the other' }] }) },
    ]);
    const path = '/api/v1/messages';
    const ask = (stream: boolean) =>
      JSON.stringify({ model: 'a', max_tokens: 5, stream, messages: [{ role: 'user', content: 'Hi' }] });
    for (let nth = 0; nth < 5; nth += 1) {
      const record = running.nextRecord();
      const request = open({ port: running.port, path });
      request.on('error', () => undefined).end(ask(true));
      const asked = await running.servers[0]?.request(nth);
      request.destroy();
      await asked?.ended;
      assert.equal((await record).end, 'clientLeft');
    }
    const answer = await send({ port: running.port, path, body: ask(false) });
    assert.equal((json(answer) as { content: { text: string }[] }).content[0]?.text, 'ok');
  });

  it('14: truncated reasoning is not repeated as text', async () => {
    for (const { caller, upstream } of PAIRS) {
      const said: Said = { parts: [{ reasoning: 'Half a thou' }], limit: 'length' };
      const running = await startRouter([{ formats: [upstream], script: () => said }]);
      const format = wireFormats[caller];
      for (const stream of [true, false]) {
        const body = JSON.stringify(format.encodeRequest({ model: 'a', system: [], messages: [QUESTION], stream }));
        const answer = await send({ port: running.port, path: `/api/v1${format.path}`, body });
        const types: string[] = stream
          ? readEvents(format, answer.body.toString()).map(({ type }) => type)
          : format.decodeResponse(json(answer)).parts.map(({ type }) => type);
        assert.ok(types.includes(stream ? 'reasoningDelta' : 'reasoning'), `${caller} on ${upstream}`);
        assert.ok(!types.includes(stream ? 'textDelta' : 'text'), `${caller} on ${upstream}`);
      }
    }
  });
});
