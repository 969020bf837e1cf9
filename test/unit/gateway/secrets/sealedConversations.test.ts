import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import type { Answer, AskedRequest } from '../../../support/modelServer/modelServer.ts';
import { runs } from '../../../support/randomRuns.ts';
import { type Planted, planted } from '../../secrets/sealing/plantedSecrets.ts';
import { AUTHORIZED, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { type RunningRouter, startRouter } from '../support/routed.ts';
import { SocketClient } from '../support/socketClient.ts';
import { PATHS, repeated, repeating, saidIn } from './repeatingModel.ts';

/** How a conversation is sent. All but the first are ways of the responses format. */
type Transport = 'http' | 'previous' | 'socket';

interface Conversation {
  readonly caller: FormatName;
  readonly upstream: FormatName;
  readonly transport: Transport;
  /** Who answers: the model, the next upstream that has it, or the next model of a route, which may be that of a rule. */
  readonly way: 'direct' | 'failover' | 'route' | 'rule';
  readonly isStream: boolean;
  readonly isCompressed: boolean;
  readonly turns: readonly {
    readonly secret: Planted;
    /** Whether it is in the result of a tool, and the question only repeats its value. */
    readonly isFound: boolean;
    readonly around: string;
  }[];
}

const around = fc.constantFrom('', 'words ', 'äöü 你好 "quoted" \\ back\n', `${'x '.repeat(400)}\t`);

const conversations: fc.Arbitrary<Conversation> = fc
  .record({
    caller: fc.constantFrom(...FORMAT_NAMES),
    upstream: fc.constantFrom(...FORMAT_NAMES),
    transport: fc.constantFrom<Transport>('http', 'previous', 'socket'),
    way: fc.constantFrom('direct', 'failover', 'route', 'rule'),
    isStream: fc.boolean(),
    isCompressed: fc.boolean(),
    turns: fc.array(fc.record({ secret: planted, isFound: fc.boolean(), around }), { minLength: 1, maxLength: 4 }),
  })
  .map((each) => ({ ...each, transport: each.caller === 'responses' ? each.transport : 'http' }));

/** The messages of a client, as its format has them. */
class Messages {
  readonly all: object[] = [];
  readonly #format: FormatName;
  #calls = 0;

  constructor(format: FormatName) {
    this.#format = format;
  }

  user(text: string): void {
    if (this.#format === 'responses') {
      this.all.push({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    } else this.all.push({ role: 'user', content: this.#format === 'messages' ? [{ type: 'text', text }] : text });
  }

  /** What the model has said, as the client has received it, and the result of its call. */
  answer(text: string, call: string, result: string): void {
    this.#calls += 1;
    const id = `call_of_client_${this.#calls}`;
    switch (this.#format) {
      case 'chat-completions': {
        const calls = [{ id, type: 'function', function: { name: 'run', arguments: call } }];
        this.all.push({ role: 'assistant', content: text, tool_calls: calls });
        this.all.push({ role: 'tool', tool_call_id: id, content: result });
        return;
      }
      case 'messages': {
        const use = { type: 'tool_use', id, name: 'run', input: JSON.parse(call) };
        this.all.push({ role: 'assistant', content: [{ type: 'text', text }, use] });
        this.all.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] });
        return;
      }
      case 'responses':
        this.all.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
        this.all.push({ type: 'function_call', call_id: id, name: 'run', arguments: call });
        this.all.push({ type: 'function_call_output', call_id: id, output: result });
    }
  }
}

describe('conversations whose secrets are sealed', () => {
  let running: RunningRouter;
  before(async () => {
    const script = (request: AskedRequest): Answer =>
      repeating({ pieceBytes: 31 + (request.text.length % 977) })(request);
    const good = FORMAT_NAMES.map((format) => ({
      id: format,
      formats: [format],
      models: [format, `${format}-failover`],
      script,
      secretPolicy: 'seal' as const,
    }));
    const bad = {
      id: 'bad',
      formats: FORMAT_NAMES,
      models: FORMAT_NAMES.flatMap((format) => [`${format}-failover`, 'down']),
    };
    const failing = { ...bad, script: () => ({ status: 503, body: '{}' }) };
    const routes = FORMAT_NAMES.flatMap((format) => [
      [`${format}-route`, { use: ['down', `${format}/${format}`] }] as const,
      [`${format}-rule`, { use: ['down'], when: [{ tokensAbove: 0, use: [format] }] }] as const,
    ]);
    running = await startRouter([...good, failing], {}, {}, Object.fromEntries(routes));
  });
  after(closeAll);

  const sent = (): string[] => running.servers.flatMap(({ requests }) => requests.map(({ text }) => text));

  /** Sends what the conversation has so far, or only what is new. Returns what the model has said, and its ID. */
  async function ask(
    conversation: Conversation,
    messages: object[],
    previous: string | undefined,
    client?: SocketClient,
  ) {
    const { caller, upstream, way, isStream, isCompressed, transport } = conversation;
    const model = way === 'direct' ? upstream : `${upstream}-${way}`;
    const member = caller === 'responses' ? 'input' : 'messages';
    const body = {
      model,
      [member]: messages,
      ...(caller === 'messages' && { max_tokens: 1000 }),
      ...(previous !== undefined && { previous_response_id: previous }),
    };
    if (client !== undefined) {
      const before = client.messages.length;
      client.create({ ...body, store: false });
      await client.turn();
      const events = client.messages.slice(before).map((message) => `data: ${message}\n\n`);
      return { said: saidIn(caller, events.join(''), true), id: idIn(events.join('')) };
    }
    const text = JSON.stringify({ ...body, stream: isStream }, null, transport === 'http' ? 1 : 0);
    const headers = { ...AUTHORIZED, ...(isCompressed && { 'content-encoding': 'gzip' }) };
    const answer = await send({
      port: running.port,
      path: PATHS[caller],
      headers,
      body: isCompressed ? gzipSync(text) : text,
    });
    assert.equal(answer.status, 200, answer.body.toString());
    return { said: saidIn(caller, answer.body.toString(), isStream), id: idIn(answer.body.toString()) };
  }

  it('send none of them, and clients receive what a model writes that has seen them', async () => {
    const property = fc.asyncProperty(conversations, async (conversation) => {
      const { caller, turns, transport } = conversation;
      for (const { requests } of running.servers) requests.splice(0);
      const messages = new Messages(caller);
      const client = transport === 'socket' ? await SocketClient.open(running.port) : undefined;
      let previous: string | undefined;
      let known = 0;
      for (const { secret, isFound, around: before } of turns) {
        const { value, text } = secret;
        if (isFound) {
          messages.user(`${before}begin`);
          messages.answer('I look.', '{"command":"cat"}', `${before}\n${text}\n${before}`);
        }
        messages.user(isFound ? `${before}${repeated(value)}` : `${repeated(value)}\n${text}\n`);
        const kept = transport === 'http' ? 0 : known;
        const { said, id } = await ask(conversation, messages.all.slice(kept), previous, client);
        const call = JSON.stringify({ command: `use ${value}`, again: [value] });
        assert.ok(said.includes(`text: It was ${value}.`), `${said}`);
        assert.ok(said.includes(`call: ${call}`), `${said}`);
        previous = transport === 'http' ? undefined : id;
        const before_ = messages.all.length;
        messages.answer(`It was ${value}.`, call, 'done');
        if (transport !== 'http') {
          // The gateway knows the answer. The client adds the result of its call only.
          messages.all.splice(before_);
          messages.all.push({ type: 'function_call_output', call_id: 'call_1', output: 'done' });
          known = before_;
        }
      }
      client?.socket.terminate();
      const bodies = sent();
      for (const { secret } of turns) assertAbsent(bodies, secret.value);
    });
    await fc.assert(property, { numRuns: runs(40) });
  }).timeout(0);
});

function idIn(body: string): string | undefined {
  return /"id":"(resp_[^"]+)"/.exec(body)?.[1];
}

/** No piece of 12 characters has left, in no spelling. */
function assertAbsent(bodies: readonly string[], value: string): void {
  const spellings = new Set([value, JSON.stringify(value).slice(1, -1)]);
  for (const spelling of spellings) {
    for (let at = 0; at + 12 <= spelling.length; at += 1) {
      const piece = spelling.slice(at, at + 12);
      for (const body of bodies) assert.ok(!body.includes(piece), `${piece} of ${value}`);
    }
  }
}
