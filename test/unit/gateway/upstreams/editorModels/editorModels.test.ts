import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Router } from '../../../../../src/gateway/routing/router.ts';
import { createEditorModels } from '../../../../../src/gateway/upstreams/editorModels/editorModels.ts';
import type {
  AskEditor,
  EditorAnswer,
  EditorQuestion,
} from '../../../../../src/gateway/upstreams/editorModels/protocol.ts';
import { get, json, open, send } from '../../support/client.ts';
import { closeAll, closeLater, startGateway } from '../../support/gateway.ts';

const MODEL = 'editor/acme/one';
const QUESTIONS = {
  '/chat/completions': { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] },
  '/messages': { model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] },
  '/responses': { model: MODEL, input: 'Hi' },
} as const;
const PATHS = Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[];
const HELLO: readonly EditorAnswer[] = [
  { kind: 'part', part: { type: 'text', text: 'Hel' } },
  { kind: 'part', part: { type: 'text', text: 'lo' } },
  { kind: 'end' },
];
const CALL: EditorAnswer = {
  kind: 'part',
  part: { type: 'toolCall', id: 'c1', name: 'read', input: { path: 'a.ts' } },
};

/** The editor's end of the port: gives these answers, and records the questions. */
function editor(answers: (question: EditorQuestion) => readonly EditorAnswer[]) {
  const asked: EditorQuestion[] = [];
  const cancelled: EditorQuestion[] = [];
  const ask: AskEditor = (question, receive) => {
    asked.push(question);
    setImmediate(() => {
      for (const answer of answers(question)) receive(answer);
    });
    return () => cancelled.push(question);
  };
  return { asked, cancelled, ask };
}

async function started(answers: (question: EditorQuestion) => readonly EditorAnswer[]) {
  const asEditor = editor(answers);
  const router = new Router([createEditorModels(asEditor.ask)]);
  closeLater(() => router.close());
  return { ...asEditor, ...(await startGateway({ upstream: router })) };
}

describe("the editor's models behind the gateway", () => {
  afterEach(closeAll);

  for (const path of PATHS) {
    it(`answer without streaming at ${path}, with estimated usage`, async () => {
      const { port, asked, nextRecord } = await started(() => HELLO);
      const recorded = nextRecord();
      const answer = await send({ port, path: `/v1${path}`, body: JSON.stringify(QUESTIONS[path]) });
      assert.equal(answer.status, 200);
      assert.match(answer.body.toString(), /Hello/);
      assert.equal(asked[0]?.kind === 'chat' && asked[0].request.model, 'acme/one');
      const { upstream, upstreamFormat, usage, usageIsEstimated } = await recorded;
      assert.deepEqual([upstream, upstreamFormat], ['editor', undefined]);
      assert.ok(usage !== undefined && usage.inputTokens > 0 && usage.outputTokens > 0 && usageIsEstimated);
    });

    it(`answer with a complete stream at ${path}`, async () => {
      const { port } = await started(() => HELLO);
      const body = JSON.stringify({ ...QUESTIONS[path], stream: true });
      const answer = await send({ port, path: `/v1${path}`, body });
      const text = answer.body.toString();
      assert.match(String(answer.headers['content-type']), /^text\/event-stream/);
      assert.match(text, /Hel[\s\S]*lo/);
      assert.match(text, /\[DONE\]|message_stop|response\.completed/);
    });

    it(`return an error in the format of ${path}, and explain what to do`, async () => {
      const message = 'Run the command.';
      const error = { kind: 'permission', status: 403, code: 'model_not_allowed', message } as const;
      const { port } = await started(() => [{ kind: 'error', error }]);
      const answer = await send({ port, path: `/v1${path}`, body: JSON.stringify(QUESTIONS[path]) });
      assert.equal(answer.status, 403);
      assert.match(answer.body.toString(), /Run the command\./);
    });
  }

  it('call tools', async () => {
    const { port, asked } = await started(() => [CALL, { kind: 'end' }]);
    const tools = [{ name: 'read', input_schema: { type: 'object' } }];
    const body = JSON.stringify({ ...QUESTIONS['/messages'], tools });
    const { content, stop_reason } = json(await send({ port, path: '/v1/messages', body })) as {
      content: object[];
      stop_reason: string;
    };
    assert.deepEqual(content, [{ type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a.ts' } }]);
    assert.equal(stop_reason, 'tool_use');
    assert.ok(asked[0]?.kind === 'chat');
    assert.deepEqual(asked[0].request.tools, [{ name: 'read', description: '', inputSchema: { type: 'object' } }]);
  });

  it('have dropped members named in a header and in the record', async () => {
    const { port, nextRecord } = await started(() => HELLO);
    const recorded = nextRecord();
    const body = JSON.stringify({
      ...QUESTIONS['/messages'],
      stop_sequences: ['END'],
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    });
    const answer = await send({ port, path: '/v1/messages', body });
    const dropped = ['web_search_20250305'];
    assert.equal(answer.headers['x-model-access-dropped'], dropped.join(', '));
    assert.deepEqual((await recorded).dropped, dropped);
  });

  it('are not called if the tool choice requires a tool that cannot be run', async () => {
    const { port, asked } = await started(() => HELLO);
    const body = JSON.stringify({
      ...QUESTIONS['/messages'],
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'tool', name: 'web_search' },
    });
    const answer = await send({ port, path: '/v1/messages', body });
    assert.equal(answer.status, 400);
    assert.match(answer.body.toString(), /web_search/);
    assert.deepEqual(asked, []);
  });

  it('end a stream with an error if they fail in the middle', async () => {
    const error = { kind: 'server', status: 502, message: 'It broke.' } as const;
    const { port } = await started(() => [...HELLO.slice(0, 1), { kind: 'error', error }]);
    const body = JSON.stringify({ ...QUESTIONS['/messages'], stream: true });
    const text = (await send({ port, path: '/v1/messages', body })).body.toString();
    assert.match(text, /Hel[\s\S]*event: error[\s\S]*It broke\./);
    assert.doesNotMatch(text, /message_stop/);
  });

  it('are cancelled when the client disconnects', async () => {
    const { port, cancelled, nextRecord } = await started(() => HELLO.slice(0, 1));
    const recorded = nextRecord();
    const request = open({ port, path: '/v1/messages' });
    request.end(JSON.stringify({ ...QUESTIONS['/messages'], stream: true }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined).destroy();
    await recorded;
    assert.deepEqual(
      cancelled.map(({ kind }) => kind),
      ['chat'],
    );
  });

  it('count tokens themselves', async () => {
    const { port, asked } = await started(() => [{ kind: 'tokens', tokens: 42 }]);
    const answer = await send({
      port,
      path: '/v1/messages/count_tokens',
      body: JSON.stringify(QUESTIONS['/messages']),
    });
    assert.deepEqual(json(answer), { input_tokens: 42 });
    assert.equal(asked[0]?.kind, 'count');
  });

  it('are listed under the names to request them by', async () => {
    const model = { name: 'acme/one', displayName: 'One', vendor: 'acme', family: 'one', maxInputTokens: 1000 };
    const { port } = await started(() => [{ kind: 'models', models: [model] }]);
    const { data } = json(await get({ port, path: '/v1/models' })) as { data: { id: string; owned_by: string }[] };
    assert.deepEqual(
      data.map(({ id, owned_by: owner }) => [id, owner]),
      [[MODEL, 'acme']],
    );
    const one = json(await get({ port, path: `/v1/models/${MODEL}` })) as { id: string };
    assert.equal(one.id, MODEL);
  });
});
