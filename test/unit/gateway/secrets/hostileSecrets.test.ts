import assert from 'node:assert/strict';
import { FORMAT_NAMES } from '../../../../src/formats/conversation.ts';
import type { UpstreamRequest } from '../../../../src/gateway/core/upstream.ts';
import { SecretGuard } from '../../../../src/gateway/secrets/secretGuard.ts';
import { BodySealer } from '../../../../src/secrets/bodySealer.ts';
import { openerFor } from '../../../../src/secrets/openedAnswer.ts';
import { locateSecrets } from '../../../../src/secrets/secretFinder.ts';
import { StandIns } from '../../../../src/secrets/standIns.ts';
import { ALMOST_SECRETS } from '../../../support/almostSecrets.ts';
import { send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';
import { PATHS, repeated, repeating, requestOf } from './repeatingModel.ts';

const TOKEN = `ghp_${'a1B2c3D4e'.repeat(4)}`;
const MEGABYTE = 1024 * 1024;

const sealer = () => new BodySealer({ standIns: new StandIns(Buffer.from('k')), find: locateSecrets });

/** CPU time that no search takes on any machine, in milliseconds. Quadratic work takes minutes. */
const MAX_MS = 20_000;

async function assertQuick(body: string): Promise<void> {
  const before = process.cpuUsage();
  await sealer().seal(Buffer.from(body));
  const { user, system } = process.cpuUsage(before);
  assert.ok((user + system) / 1000 < MAX_MS, `${(user + system) / 1000} ms`);
}

describe('a search for secrets in hostile requests', () => {
  for (const [name, unit] of ALMOST_SECRETS) {
    it(`is quick in a megabyte of ${name}`, async () => {
      await assertQuick(JSON.stringify({ a: unit.repeat(MEGABYTE / unit.length) }));
    }).timeout(60_000);
  }

  it('is quick in a megabyte of short strings, and of brackets', async () => {
    await assertQuick(`[${'"a",'.repeat(MEGABYTE / 4)}"b"]`);
    await assertQuick(`${'['.repeat(MEGABYTE / 2)}${']'.repeat(MEGABYTE / 2)}`);
  }).timeout(60_000);

  it('is quick in a long word with many tokens', async () => {
    const word = 'npm_vcp_a1b2LS0tLS1CRUdJTi.'.repeat(MEGABYTE / 27);
    await assertQuick(JSON.stringify({ a: word.replaceAll('.', '') + word }));
  }).timeout(60_000);

  it('finds ten thousand secrets, each in several places', async () => {
    const tokens = Array.from({ length: 10_000 }, (_, at) => `ghp_${`a1B2c3D4${at + 10_000}`.repeat(3)}`);
    const text = JSON.stringify({ a: tokens.map((token) => `my ${token}`), b: tokens.join(' ') });
    await assertQuick(text);
    const { body: sealed, secrets } = (await sealer().seal(Buffer.from(text))) ?? assert.fail();
    assert.equal(secrets.length, 10_000);
    assert.ok(!tokens.some((token) => sealed.includes(token)));
  }).timeout(60_000);
});

describe('an answer of a hostile model', () => {
  it('of a million stand-ins is opened in time that grows with its length', async () => {
    const { table } = (await sealer().seal(Buffer.from(JSON.stringify({ a: TOKEN })))) ?? assert.fail();
    const [standIn = ''] = table.texts.keys();
    const before = process.cpuUsage();
    let opened = 0;
    for (const contentType of ['text/event-stream', 'application/json']) {
      const opener = openerFor(table, { contentType, isStructured: false }) ?? assert.fail();
      const text = `${standIn} `.repeat(500);
      const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
      const piece = contentType === 'application/json' ? `"${text}",` : event;
      if (contentType === 'application/json') opener.push(Buffer.from('['));
      for (let at = 0; at < 1_000; at += 1) opener.push(Buffer.from(piece));
      if (contentType === 'application/json') opener.push(Buffer.from('0]'));
      opener.end();
      opened += opener.counts.opened;
    }
    assert.equal(opened, 1_000_000);
    const { user, system } = process.cpuUsage(before);
    assert.ok((user + system) / 1000 < 2 * MAX_MS);
  }).timeout(60_000);

  it('that never ends a stand-in holds back a bounded number of events', async () => {
    const { table } = (await sealer().seal(Buffer.from(JSON.stringify({ a: TOKEN })))) ?? assert.fail();
    const [standIn = ''] = table.texts.keys();
    const opener = openerFor(table, { contentType: 'text/event-stream', isStructured: false }) ?? assert.fail();
    const delta = (index: number, content: string) =>
      Buffer.from(`data: ${JSON.stringify({ choices: [{ index, delta: { content } }] })}\n\n`);
    let [sent, passed] = [0, opener.push(delta(0, standIn.slice(0, 9))).length];
    for (let at = 0; at < 5_000; at += 1) {
      const bytes = delta(1, 'other ');
      sent += bytes.length;
      passed += opener.push(bytes).length;
    }
    assert.ok(sent - passed < 400_000, `${sent - passed} bytes are held back`);
  });
});

describe('a search for secrets that fails', () => {
  it('refuses the request', async () => {
    const problems: unknown[] = [];
    const guard = new SecretGuard({ key: undefined, policy: 'seal', onProblem: (error) => problems.push(error) });
    const request: UpstreamRequest & { readonly body: Buffer } = {
      endpoint: '/messages',
      method: 'POST',
      subpath: '',
      query: '',
      headers: {},
      localKeyId: 'tests',
      callerFormat: 'messages',
      body: Buffer.from(JSON.stringify({ a: TOKEN })),
    };
    const sealed = guard.seal(request, 'seal');
    await guard.close();
    const refusal = await sealed;
    assert.ok('error' in refusal && refusal.error.status === 500);
    assert.match(refusal.error.message, /was not sent/);
    assert.equal(problems.length, 1);
    assert.ok(!String(problems[0]).includes(TOKEN));
  });
});

describe('stand-ins that a client sends', () => {
  afterEach(closeAll);

  it('are not opened with the secrets of other clients', async () => {
    const running = await startRouter([{ formats: FORMAT_NAMES, script: repeating(), secretPolicy: 'seal' }]);
    const ask = async (told: string) =>
      send({ port: running.port, path: PATHS.messages, body: JSON.stringify(requestOf('messages', told, 'x', true)) });
    await ask(repeated(TOKEN));
    const [standIn = ''] = /ghp_5EA1ED\w+/.exec(running.servers[0]?.requests[0]?.text ?? '') ?? [];
    assert.notEqual(standIn, '');
    const answer = await ask(repeated(standIn));
    assert.ok(!answer.body.includes(TOKEN));
    assert.ok(running.servers[0]?.requests.at(-1)?.text.includes(standIn), 'it is not replaced again');
  });
});
