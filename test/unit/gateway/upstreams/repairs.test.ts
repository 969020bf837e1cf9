import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { refusedMembers } from '../../../../src/formats/repairs/refusal.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { RefusalMemory } from '../../../../src/gateway/upstreams/repairs/refusalMemory.ts';
import { repairedBody } from '../../../../src/gateway/upstreams/repairs/repairedBody.ts';
import { send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';

type Body = Record<string, unknown>;
/** Returns the error that refuses a request. */
type Refuse = (body: Body) => object | undefined;

const DAY_MS = 24 * 60 * 60_000;
const ANSWER = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const QUESTION = { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] };

function openAi(message: string): object {
  return { error: { message, type: 'invalid_request_error', param: null, code: null } };
}

function refuseEach(...names: readonly string[]): Refuse {
  return (body) => {
    const name = names.find((each) => Object.hasOwn(body, each));
    return name === undefined
      ? undefined
      : openAi(`Unsupported parameter: '${name}' is not supported with this model.`);
  };
}

interface Options {
  readonly memory?: RefusalMemory;
  readonly formats?: readonly FormatName[];
  readonly answer?: object;
}

/** A gateway in front of a chat-completions server that refuses some requests. */
async function startPicky(
  refuse: Refuse,
  { memory = new RefusalMemory(), formats = ['chat-completions'], answer = ANSWER }: Options = {},
) {
  const service = await startService((response, { body }) => {
    const error = refuse(JSON.parse(body.toString()));
    response.writeHead(error === undefined ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(error ?? answer));
  });
  closeLater(() => service.close());
  const settings = { id: 'picky', baseUrl: service.baseAddress, formats, models: ['*'] };
  const router = new Router([{ ...settings, upstream: createCompatible(settings, memory) }]);
  closeLater(() => router.close());
  const gateway = await startGateway({ upstream: router });
  const ask = (body: object, path = '/api/v1/messages') =>
    send({ port: gateway.port, path, body: JSON.stringify(body) });
  const bodies = (): Body[] => service.requests.map(({ body }) => JSON.parse(body.toString()));
  return { ...gateway, ask, bodies, service };
}

describe('repairing what an upstream refuses', () => {
  afterEach(closeAll);

  it('asks again without a member that translation has written, names it, and remembers it', async () => {
    const { ask, bodies, nextRecord } = await startPicky(refuseEach('temperature'));
    const recorded = nextRecord();
    const first = await ask({ ...QUESTION, temperature: 0.2 });
    assert.deepEqual([first.status, first.headers['x-model-access-dropped']], [200, 'temperature']);
    const { dropped, attempts } = await recorded;
    assert.deepEqual([dropped, attempts], [['temperature'], undefined]);
    const second = await ask({ ...QUESTION, temperature: 0.2 });
    assert.deepEqual([second.status, second.headers['x-model-access-dropped']], [200, 'temperature']);
    assert.deepEqual(
      bodies().map((body) => 'temperature' in body),
      [true, false, false],
    );
  });

  it('uses the other name of the output limit, whichever of the two the upstream knows', async () => {
    for (const name of ['max_tokens', 'max_completion_tokens']) {
      const { ask, bodies } = await startPicky((body) =>
        name in body
          ? undefined
          : openAi(
              "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
                .replaceAll('max_tokens', 'x')
                .replaceAll('max_completion_tokens', name)
                .replace("'x'", `'${name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'}'`),
            ),
      );
      for (const _ of [1, 2]) {
        const { status, headers } = await ask(QUESTION);
        assert.deepEqual([status, headers['x-model-access-dropped']], [200, undefined]);
      }
      assert.ok(bodies().length <= 3);
      assert.equal(bodies().at(-1)?.[name], 50);
    }
  });

  it('repairs members that are refused one after the other, at most three times', async () => {
    const picky = await startPicky(refuseEach('temperature', 'top_p', 'stop'));
    const full = { ...QUESTION, temperature: 0.2, top_p: 0.9, stop_sequences: ['x'] };
    assert.equal((await picky.ask(full)).status, 200);
    assert.equal((await picky.ask(full)).status, 200);
    assert.equal(picky.bodies().length, 5);
  });

  it('repairs members that are refused together at once', async () => {
    const detail = ['temperature', 'top_p'].map((name) => ({
      type: 'extra_forbidden',
      loc: ['body', name],
      msg: 'Extra inputs are not permitted',
    }));
    const { ask, bodies } = await startPicky((body) => ('temperature' in body ? { detail } : undefined));
    assert.equal((await ask({ ...QUESTION, temperature: 0.2, top_p: 0.9 })).status, 200);
    assert.equal(bodies().length, 2);
  });

  it('does not change what a caller has written in the format of the upstream', async () => {
    const { ask, bodies } = await startPicky(refuseEach('temperature'));
    const { status, body } = await ask({ ...QUESTION, temperature: 0.2 }, '/api/v1/chat/completions');
    assert.deepEqual([status, bodies().length], [400, 1]);
    assert.match(body.toString(), /Unsupported parameter: 'temperature'/);
  });

  it('does not repair a value that the caller can change', async () => {
    const { ask, bodies } = await startPicky(() => openAi("Invalid 'temperature': it must be at most 2."));
    const { status, body } = await ask({ ...QUESTION, temperature: 0.9 });
    assert.deepEqual([status, bodies().length], [400, 1]);
    assert.match(body.toString(), /at most 2/);
  });

  it('learns from a refusal that no change helps against only not to try again', async () => {
    const memory = new RefusalMemory();
    const refuse = () => openAi("Unsupported parameter: 'temperature'");
    const { ask, bodies } = await startPicky(refuse, { memory });
    assert.equal((await ask({ ...QUESTION, temperature: 0.9 })).status, 400);
    const tried = bodies().length;
    assert.ok(tried > 1 && memory.all.every(({ changes }) => changes.length === 0));
    assert.equal((await ask({ ...QUESTION, temperature: 0.9 })).status, 400);
    assert.equal(bodies().length, tried + 1);
  });

  it('removes a member of a long body and no other byte', () => {
    const messages = `"messages":[{"role":"user","content":"${'x'.repeat(400_000)}","n":1.0}]`;
    const body = Buffer.from(`{"model":"m","temperature":0.2,${messages},"max_tokens":5}`);
    const answer = JSON.stringify(openAi("Unsupported parameters: 'temperature', 'max_tokens'"));
    const refused = refusedMembers(answer, JSON.parse(body.toString()));
    assert.deepEqual(refused, ['temperature', 'max_tokens']);
    const { bytes = body, lost } = repairedBody(
      body,
      refused.map((change) => [change]),
    );
    assert.equal(Buffer.from(bytes).toString(), `{"model":"m",${messages},"max_completion_tokens":5}`);
    assert.deepEqual(lost, ['temperature']);
  });

  it('repairs the conversation of a long body', () => {
    const message = { role: 'assistant', content: 'x'.repeat(400_000), reasoning_content: 'r' };
    const body = Buffer.from(JSON.stringify({ model: 'm', top_p: 1, messages: [message] }));
    const { bytes = body } = repairedBody(body, [['reasoning_content'], ['top_p']]);
    const { reasoning_content: _, ...rest } = message;
    assert.deepEqual(JSON.parse(Buffer.from(bytes).toString()), { model: 'm', messages: [rest] });
  });

  it('sends reasoning back under the name that the upstream uses', async () => {
    const message = { role: 'assistant', content: 'Hi', reasoning: 'Hm.' };
    const reasoning = { ...ANSWER, choices: [{ index: 0, message, finish_reason: 'stop' }] };
    const { ask, bodies } = await startPicky(() => undefined, { answer: reasoning });
    await ask(QUESTION);
    const thinking = [
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      { type: 'text', text: 'Hi' },
    ];
    const history = [...QUESTION.messages, { role: 'assistant', content: thinking }, ...QUESTION.messages];
    await ask({ ...QUESTION, messages: history });
    const [, second] = bodies();
    const [, turn] = (second?.messages ?? []) as Body[];
    assert.deepEqual([turn?.reasoning, turn?.reasoning_content], ['Hm.', undefined]);
  });

  it('remembers for each model', async () => {
    const { ask, bodies } = await startPicky((body) =>
      body.model === 'm' ? refuseEach('temperature')(body) : undefined,
    );
    await ask({ ...QUESTION, temperature: 0.2 });
    await ask({ ...QUESTION, model: 'n', temperature: 0.2 });
    assert.equal(bodies().at(-1)?.temperature, 0.2);
  });
});

describe('the memory of refusals', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'refusals-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is kept in a file that only its user can read', () => {
    const path = join(folder, 'ledger.refusals.json');
    const memory = new RefusalMemory();
    memory.keepIn(path);
    memory.ofUpstream('a', { apiKeyName: 'x' }).learn('m', [['temperature'], ['user', 'metadata']]);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    const next = new RefusalMemory();
    next.keepIn(path);
    assert.deepEqual(next.ofUpstream('a', { apiKeyName: 'x' }).of('m'), [['temperature'], ['user', 'metadata']]);
    assert.deepEqual(next.ofUpstream('a', { apiKeyName: 'y' }).of('m'), []);
  });

  it('forgets after a day', () => {
    let now = 0;
    const memory = new RefusalMemory(undefined, () => now);
    const refusals = memory.ofUpstream('a', {});
    refusals.learn('m', [['temperature']]);
    now = DAY_MS - 1;
    assert.deepEqual(refusals.of('m'), [['temperature']]);
    now = DAY_MS;
    assert.deepEqual([refusals.of('m'), memory.all], [[], []]);
  });

  it('stays bounded', () => {
    const path = join(folder, 'refusals.json');
    const memory = new RefusalMemory();
    memory.keepIn(path);
    const refusals = memory.ofUpstream('a', {});
    for (let model = 0; model < 120; model += 1) refusals.learn(`m${model}`, [['a'], ['b'], ['c'], ['d'], ['e']]);
    assert.equal(memory.all.length, 500);
    assert.equal(JSON.parse(readFileSync(path, 'utf8')).length, 500);
  });
});
