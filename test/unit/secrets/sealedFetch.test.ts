import assert from 'node:assert/strict';
import { KINDS_HEADER, SEALED_HEADER } from '../../../src/rules/sealedHeaders.ts';
import { BodySealer } from '../../../src/secrets/bodySealer.ts';
import { sealAnswer } from '../../../src/secrets/sealAnswer.ts';
import { sealedFetch } from '../../../src/secrets/sealedFetch.ts';
import { locateSecrets } from '../../../src/secrets/secretFinder.ts';
import { LITERAL, StandIns } from '../../../src/secrets/standIns.ts';

const TOKEN = `ghp_${'a1B2c3D4e'.repeat(4)}`;
const BODY = JSON.stringify({ messages: [{ role: 'user', content: `my token is ${TOKEN}` }] });

describe("the extension's own requests", () => {
  const sealer = new BodySealer({ standIns: new StandIns(Buffer.from('k')), find: locateSecrets });
  let sent: string[];

  function ask(policy: 'report' | 'seal' | 'refuse', status = 200, body = BODY, type = 'text/event-stream') {
    sent = [];
    const service: typeof globalThis.fetch = async (_, init) => {
      sent.push(String(init?.body));
      const said = /"content":"([^"]*)/.exec(String(init?.body))?.[1] ?? '';
      const pieces = [said.slice(0, 20), said.slice(20)];
      const events = pieces.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
      return new Response(events.join(''), { status, headers: { 'content-type': type, 'content-length': '1' } });
    };
    const onSealed = (texts: Iterable<string>) => assert.deepEqual([...texts], [TOKEN]);
    const refusal = (kinds?: readonly string[]) =>
      kinds === undefined ? 'It cannot be read.' : `It has secrets: ${kinds}.`;
    const seal = async (bytes: Buffer) => {
      const found = await sealer.seal(bytes);
      return found && sealAnswer(found, bytes);
    };
    const init = { method: 'POST', body };
    return sealedFetch('https://example.com/', init, { fetch: service, seal, policy, refusal, onSealed });
  }

  it('have no secrets, which are restored in the answer', async () => {
    const answer = await ask('seal');
    const text = [...(await answer.text()).matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece).join('');
    assert.equal(text, `my token is ${TOKEN}`);
    assert.ok(sent[0]?.includes(LITERAL) && !sent[0].includes(TOKEN));
    assert.deepEqual([answer.headers.get(SEALED_HEADER), answer.headers.get(KINDS_HEADER)], ['1', 'github']);
    assert.equal(answer.headers.get('content-length'), null);
  });

  it('are only reported, or not sent at all, if that is the policy', async () => {
    const reported = await ask('report');
    assert.ok(sent[0]?.includes(TOKEN));
    assert.deepEqual([reported.headers.get(SEALED_HEADER), reported.headers.get(KINDS_HEADER)], [null, 'github']);
    const refused = await ask('refuse');
    assert.deepEqual([refused.status, sent], [403, []]);
    assert.equal((await refused.json()).error.message, 'It has secrets: github.');
  });

  it('are not sent if nobody can say what they contain, unless secrets are only reported', async () => {
    const body = `{"messages": [{"content":"${TOKEN}"}`;
    assert.equal((await (await ask('seal', 200, body)).json()).error.message, 'It cannot be read.');
    assert.deepEqual(sent, []);
    await ask('report', 200, body);
    assert.deepEqual(sent, [body]);
  });

  it('pass as they are if they have no secrets, and errors keep their stand-ins', async () => {
    const body = '{"messages": [{"content":"nothing"}] }';
    await ask('seal', 200, body);
    assert.deepEqual(sent, [body]);
    assert.ok(
      !(await (await ask('seal', 400)).text()).replaceAll(/"}}]}\n\ndata: .*?"content":"/g, '').includes(TOKEN),
    );
  });
});
