import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { WrappedUpstream } from '../../../../src/gateway/core/wrappedUpstream.ts';
import type { RequestHandlerOptions } from '../../../../src/gateway/server/requestHandlerOptions.ts';
import { Traffic } from '../../../../src/gateway/traffic/traffic.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { LITERAL } from '../../../../src/secrets/standIns.ts';
import { runs } from '../../../support/randomRuns.ts';
import { planted } from '../../secrets/sealing/plantedSecrets.ts';
import { AUTHORIZED, json, LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway, startPair } from '../support/gateway.ts';
import { type Behind, type RunningRouter, startRouter } from '../support/routed.ts';
import { type Script, startService } from '../support/scriptedService.ts';
import { SocketClient } from '../support/socketClient.ts';
import { PATHS, repeated, repeating, requestOf, saidIn } from './repeatingModel.ts';

const TOKEN = `ghp_${'a1B2c3D4e'.repeat(4)}`;
const PASSWORD = 'Zq8wX2vB7nK4';
const ADDRESS = `postgres://app:${PASSWORD}@db.internal/app`;

const KEY = { id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0 };

function sentTo({ servers }: RunningRouter): string {
  return servers.flatMap(({ requests }) => requests.map(({ text }) => text)).join('\n');
}

function ask(port: number, format: FormatName, told: string, { found = 'nothing', stream = true } = {}) {
  return send({ port, path: PATHS[format], body: JSON.stringify(requestOf(format, told, found, stream)) });
}

/** What the client would receive from a model that has seen the secrets. */
function expected(format: FormatName, told: string, isStream: boolean): string[] {
  const call = JSON.stringify({ command: `use ${told}`, again: [told] });
  const inDeltas = format === 'responses' && isStream;
  return [
    `call: ${call}`,
    ...(inDeltas ? [`call in deltas: ${call}`] : []),
    `reasoning: thinking of ${told}`,
    `text: It was ${told}.`,
    ...(inDeltas ? [`text in deltas: It was ${told}.`] : []),
  ].sort();
}

const sealing = (behind: Partial<Behind> = {}): Behind => ({
  script: repeating(),
  formats: FORMAT_NAMES,
  secretPolicy: 'seal',
  ...behind,
});

describe('a gateway that seals secrets', () => {
  afterEach(closeAll);

  for (const caller of FORMAT_NAMES) {
    for (const upstream of FORMAT_NAMES) {
      it(`sends none of ${caller} to ${upstream}, and the client receives them`, async () => {
        const running = await startRouter([sealing({ formats: [upstream], script: repeating({ pieceBytes: 97 }) })]);
        const property = fc.asyncProperty(
          planted,
          fc.boolean(),
          fc.boolean(),
          async ({ value, text }, stream, isFound) => {
            const told = repeated(value);
            const found = isFound ? `\n${text}\n` : 'nothing';
            const answer = await ask(running.port, caller, isFound ? told : `${told}\n${text}\n`, { found, stream });
            assert.equal(answer.status, 200, answer.body.toString());
            assert.equal(answer.headers['x-model-access-sealed'], '1');
            assert.deepEqual(saidIn(caller, answer.body.toString(), stream), expected(caller, value, stream));
            const sent = sentTo(running);
            for (const spelled of [value, JSON.stringify(value).slice(1, -1)]) {
              for (let at = 0; at + 12 <= spelled.length; at += 1)
                assert.ok(!sent.includes(spelled.slice(at, at + 12)));
            }
          },
        );
        await fc.assert(property, { numRuns: runs(8) });
      });
    }
  }

  it('notes the number and the kinds of secrets, and captures only stand-ins', async () => {
    const traffic = new Traffic();
    traffic.setCapturing(true);
    const running = await startRouter([sealing({ formats: ['messages'] })], {}, { traffic });
    const ended = running.nextRecord();
    const answer = await ask(running.port, 'chat-completions', repeated(`${TOKEN} and ${ADDRESS}`));
    const record = await ended;
    assert.ok(answer.body.includes(TOKEN) || answer.body.includes(PASSWORD));
    assert.deepEqual([record.sealed, record.secrets], [2, ['database-connection-string', 'github']]);
    for (const part of ['request', 'upstreamRequest', 'upstreamAnswer', 'answer'] as const) {
      const body = JSON.stringify(await traffic.body(record.id, part));
      assert.ok(body.includes(LITERAL) || part === 'upstreamAnswer' || part === 'answer', part);
      assert.ok(!body.includes(TOKEN) && !body.includes(PASSWORD), part);
    }
    assert.ok(!JSON.stringify([record, traffic.details(record.id), running.errors]).includes(PASSWORD));
  });

  it('sends a request without secrets byte by byte, and its answer has no note', async () => {
    const running = await startPair(undefined, { secretPolicy: 'seal', upstream: await remote() });
    const body = '{ "model" : "m" , "messages":[ {"role":"user","content":"caf\\u00e9"} ], "n":1.0 }';
    const answer = await send({ port: running.port, path: PATHS['chat-completions'], body });
    assert.equal(received.at(-1)?.toString(), body);
    assert.equal(answer.headers['x-model-access-sealed'], undefined);
  });

  /** What the service behind `remote` has received. */
  let received: Buffer[];

  /** The hosted service, as if it were on another machine. */
  async function remote(script?: Script, settings: Partial<Parameters<typeof createHosted>[0]> = {}) {
    received = [];
    const service = await startService((response, request) => {
      received.push(request.body);
      if (script !== undefined) return script(response, request);
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}');
    });
    closeLater(() => service.close());
    const upstream = createHosted({ baseAddress: service.baseAddress, serviceKey: SERVICE_KEY, ...settings });
    closeLater(() => upstream.close());
    class Elsewhere extends WrappedUpstream {
      override readonly isOnThisMachine = false;
    }
    return new Elsewhere(upstream);
  }

  const question = (said: string, further = '') =>
    `{"model":"m"${further},"messages":[{"role":"user","content":${JSON.stringify(said)}}]}`;

  async function start(options: Partial<RequestHandlerOptions>, script?: Script) {
    return startGateway({ upstream: await remote(script), ...options });
  }

  function post(
    port: number,
    body: string | Buffer,
    headers: Record<string, string> = AUTHORIZED,
    path: string = PATHS['chat-completions'],
  ) {
    return send({ port, path, body, headers });
  }

  for (const [what, key, policy, isSealed] of [
    ['the policy of the gateway', undefined, 'seal', true],
    ['the policy of the key', 'seal', 'off', true],
    ['a key that is excepted', 'off', 'seal', false],
    ['a policy that only reports', 'report', 'off', false],
  ] as const) {
    it(`follows ${what}`, async () => {
      const localKeys = [{ ...KEY, ...(key && { secrets: key }) }];
      const { port } = await start({ localKeys, secretPolicy: policy });
      await post(port, question(TOKEN));
      assert.equal(received[0]?.includes(TOKEN), !isSealed);
    });
  }

  it('leaves secrets in requests to an upstream on this machine, unless its settings say otherwise', async () => {
    const { port, service } = await startPair(undefined, { secretPolicy: 'seal' });
    await post(port, question(TOKEN));
    assert.ok(service.requests[0]?.body.includes(TOKEN));
    const running = await startRouter([sealing({ secretPolicy: undefined }), sealing({ id: 'b', models: ['b'] })]);
    await ask(running.port, 'messages', TOKEN);
    assert.ok(sentTo(running).includes(TOKEN));
    const second = JSON.stringify({ ...requestOf('messages', `${PASSWORD} ${ADDRESS}`, '', true), model: 'b' });
    await send({ port: running.port, path: PATHS.messages, body: second });
    assert.ok(!sentTo(running).includes(PASSWORD));
  });

  it('seals for all upstreams of a failover if one of them demands it', async () => {
    const failing: Behind = { formats: ['messages'], script: () => ({ status: 503, body: '{}' }) };
    const running = await startRouter([failing, sealing({ formats: ['responses'] })]);
    const answer = await ask(running.port, 'messages', repeated(TOKEN));
    assert.deepEqual(saidIn('messages', answer.body.toString(), true), expected('messages', TOKEN, true));
    assert.equal(running.servers[0]?.requests.filter(({ format }) => format).length, 1);
    assert.ok(!sentTo(running).includes(TOKEN));
  });

  for (const format of FORMAT_NAMES) {
    it(`refuses a request with secrets in ${format} if that is the policy, and sends nothing`, async () => {
      const { port } = await start({ secretPolicy: 'refuse' });
      const refused = await ask(port, format, TOKEN);
      assert.equal(refused.status, 400);
      assert.match(refused.body.toString(), /contains secrets \(github\).*Nothing was sent/);
      assert.ok(!refused.body.includes(TOKEN));
      assert.equal(received.length, 0);
      assert.notEqual((await ask(port, format, 'nothing')).status, 400);
    });
  }

  it('reads compressed bodies, and refuses what nobody can read', async () => {
    const { port } = await start({ secretPolicy: 'seal' });
    const zipped = await post(port, gzipSync(question(TOKEN)), { ...AUTHORIZED, 'content-encoding': 'gzip' });
    assert.equal(zipped.status, 200);
    assert.ok(received[0]?.includes(LITERAL) && !received[0].includes(TOKEN));
    const unreadable = await post(port, `${question('x').slice(0, -1)} ${TOKEN}`);
    assert.equal(unreadable.status, 400);
    assert.match(unreadable.body.toString(), /cannot be searched for secrets.*JSON in UTF-8/);
    const unknown = await post(port, question(TOKEN), { ...AUTHORIZED, 'content-encoding': 'rot13' });
    assert.equal(unknown.status, 415);
    assert.equal(received.length, 1);
  });

  it('seals a body that would otherwise be passed on as it arrives', async () => {
    const { port } = await start({ secretPolicy: 'seal' });
    await post(port, question(`${'many words '.repeat(40_000)} ${TOKEN}`));
    assert.ok(!received[0]?.includes(TOKEN));
  });

  it('seals the fields of a form, and leaves its file as it is', async () => {
    const { port } = await start({ secretPolicy: 'seal' });
    const audio = Buffer.from([0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x80]);
    const form = Buffer.concat([
      Buffer.from('--xx\r\ncontent-disposition: form-data; name="model"\r\n\r\nm\r\n'),
      Buffer.from(`--xx\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nspell é ${TOKEN}\r\n`),
      Buffer.from('--xx\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'),
      audio,
      Buffer.from('\r\n--xx--\r\n'),
    ]);
    const headers = { ...AUTHORIZED, 'content-type': 'multipart/form-data; boundary=xx' };
    const answer = await post(port, form, headers, '/api/v1/audio/transcriptions');
    assert.equal(answer.status, 200);
    assert.ok(!received[0]?.includes(TOKEN) && received[0]?.includes(audio) && received[0].includes('spell é ghp_'));
    const cut = await post(port, form.subarray(0, -10), headers, '/api/v1/audio/transcriptions');
    assert.equal(cut.status, 400);
  });

  it('opens answers that are compressed although nobody has asked for that', async () => {
    const running = await startRouter([sealing({ formats: ['messages'], script: repeating({ gzip: true }) })]);
    for (const stream of [true, false]) {
      const answer = await ask(running.port, 'messages', repeated(TOKEN), { stream });
      assert.deepEqual(saidIn('messages', answer.body.toString(), stream), expected('messages', TOKEN, stream));
    }
  });

  it('leaves stand-ins in errors, which are written to logs', async () => {
    const quoting: Script = (response, { body }) => {
      const said = JSON.parse(body.toString()).messages[0].content;
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: said } }));
    };
    const { port, nextRecord } = await start({ secretPolicy: 'seal' }, quoting);
    const ended = nextRecord();
    const answer = await post(port, question(`about ${TOKEN}`));
    assert.equal(answer.status, 400);
    assert.ok(answer.body.includes(LITERAL) && !answer.body.includes(TOKEN));
    assert.equal((await ended).sealed, 1);
  });

  it('counts the stand-ins that a model has changed', async () => {
    const changing: Script = (response, { body }) => {
      const [standIn = ''] = /ghp_\w+/.exec(body.toString()) ?? [];
      const content = `${standIn.slice(0, -1)}! ${standIn}`;
      const choices = [{ message: { content }, finish_reason: 'stop' }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }));
    };
    const { port, nextRecord } = await start({ secretPolicy: 'seal' }, changing);
    const ended = nextRecord();
    const answer = await post(port, question(TOKEN));
    assert.ok(answer.body.includes(LITERAL) && answer.body.includes(TOKEN));
    assert.equal((await ended).unknownStandIns, 1);
  });

  it('seals values that the user names, without any rule', async () => {
    const value = 'correct horse "battery" staple';
    const { port } = await start({ secretPolicy: 'seal', knownSecrets: [{ value, kind: 'named' }] });
    await post(port, question(`say ${value} please`));
    assert.ok(received[0]?.includes(LITERAL) && !received[0].includes('battery'));
  });

  it('seals and opens the turns of a WebSocket', async () => {
    const running = await startRouter([sealing({ formats: ['messages'] })]);
    const client = await SocketClient.open(running.port);
    closeLater(async () => client.socket.terminate());
    const input = (text: string) => [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }];
    client.create({ model: 'm', store: false, input: input(repeated(TOKEN)) });
    const first = await client.turn();
    assert.ok(JSON.stringify(first).includes(`It was ${TOKEN}.`));
    const id = JSON.parse(client.messages.at(-1) ?? '').response.id;
    client.create({ model: 'm', store: false, previous_response_id: id, input: input(repeated('the same')) });
    await client.turn();
    assert.ok(!sentTo(running).includes(TOKEN));
    assert.equal(sentTo(running).match(/ghp_5EA1ED\w+/g)?.length, 5, 'the answer before is sealed again');
  });

  it('opens the answers of conversations that the service keeps', async () => {
    let asked = 0;
    let kept = '';
    const keeping: Script = (response, { body }) => {
      asked += 1;
      if (asked === 1) kept = /ghp_\w+/.exec(body.toString())?.[0] ?? '';
      const text = asked === 1 ? 'ok' : `It was ${kept}.`;
      const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }];
      const answer = { id: `resp_${asked}`, object: 'response', status: 'completed', output };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    };
    const other = { ...KEY, id: 'other', secret: 'key_of-another-tool-for-the-tests' };
    const { port } = await start({ secretPolicy: 'seal', localKeys: [KEY, other] }, keeping);
    const respond = (body: object, secret = LOCAL_KEY) =>
      post(
        port,
        JSON.stringify({ model: 'm', ...body }),
        { ...AUTHORIZED, authorization: `Bearer ${secret}` },
        PATHS.responses,
      );
    await respond({ input: `my token is ${TOKEN}` });
    const next = { input: 'What was it?', previous_response_id: 'resp_1' };
    assert.ok((await respond(next)).body.includes(TOKEN));
    assert.ok(!(await respond(next, other.secret)).body.includes(TOKEN), 'not for another key');
    assert.ok(!(await respond({ input: 'What was it?' })).body.includes(TOKEN), 'not in another conversation');
    assert.ok(received.every((body) => !body.includes(TOKEN)));
  });

  it('opens what a model writes after a compaction', async () => {
    const running = await startRouter([sealing({ formats: ['messages'] })]);
    const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: repeated(TOKEN) }] }];
    running.servers[0]?.requests.splice(0);
    const summarizing = running.servers[0] ?? assert.fail();
    summarizing.script = (request) => ({ parts: [{ text: `Use ${/ghp_\w+/.exec(request.text)?.[0]} next.` }] });
    const compacted = await send({
      port: running.port,
      path: '/api/v1/responses/compact',
      body: JSON.stringify({ model: 'm', input }),
    });
    const { output } = json(compacted) as { output: object[] };
    summarizing.script = (request) => ({ parts: [{ text: `It is ${/ghp_\w+/.exec(request.text)?.[0]}.` }] });
    const answer = await send({
      port: running.port,
      path: PATHS.responses,
      body: JSON.stringify({ model: 'm', input: [...output, { type: 'message', role: 'user', content: 'Go on.' }] }),
    });
    assert.ok(answer.body.includes(`It is ${TOKEN}.`), answer.body.toString());
    assert.ok(!sentTo(running).includes(TOKEN) && !compacted.body.includes(TOKEN));
  });
});
