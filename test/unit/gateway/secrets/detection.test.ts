import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';
import { type Call, send } from '../support/client.ts';
import { closeAll, type RunningPair, startPair } from '../support/gateway.ts';
import { answerAnyFormat } from '../support/scriptedService.ts';

const TOKEN = `ghp_${'a1B2c3D4e'.repeat(4)}`;

function question(content: string, further = ''): string {
  return `{"model":"m"${further},"messages":[{"role":"user","content":${JSON.stringify(content)}}]}`;
}

async function recordOf(pair: RunningPair, body: string, path: Call['path'] = '/v1/messages') {
  const ended = pair.nextRecord();
  const answer = await send({ port: pair.port, path, body });
  return { answer, record: await ended };
}

describe('a gateway with secret detection', () => {
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  it('records the kinds of secrets in a request, and forwards its bytes', async () => {
    const pair = await startPair(answerAnyFormat, { secretPolicy: 'report' });
    const body = question(`my token is ${TOKEN}`);
    const { answer, record } = await recordOf(pair, body);
    assert.equal(answer.status, 200);
    assert.deepEqual(record.secrets, ['github']);
    assert.equal(pair.service.requests[0]?.body.toString(), body);
    assert.deepEqual(pair.errors, []);
  });

  for (const [what, body] of [
    [
      'the arguments of a call',
      `{"model":"m","messages":[{"tool_calls":[{"arguments":"{\\"key\\":\\"${TOKEN}\\"}"}]}]}`,
    ],
    ['JSON escapes', question('x').replace('"x"', `"ghp\\u005f${TOKEN.slice(4)}"`)],
    ['a body that is passed on as it comes', question(`${'many words '.repeat(40_000)} ${TOKEN}`)],
  ] as const) {
    it(`finds secrets in ${what}`, async () => {
      const pair = await startPair(answerAnyFormat, { secretPolicy: 'report' });
      assert.deepEqual((await recordOf(pair, body, '/v1/chat/completions')).record.secrets, ['github']);
    });
  }

  it('stores the kinds in the ledger, where they can be filtered, and the secrets nowhere', async () => {
    const ledger = emptyLedger();
    const books = new Bookkeeper({ ledger });
    const pair = await startPair(answerAnyFormat, { secretPolicy: 'report', books });
    for (const said of [TOKEN, `redis://:Hk82jd7Qw@cache:6379 ${TOKEN}`, 'nothing']) {
      await recordOf(pair, question(said));
    }
    await closeAll();
    await books.close();
    const reader = new LedgerReader(ledger);
    const found = (text: string) => {
      const terms = [{ field: 'secret', text, localKeyIds: [], sources: [] }] as const;
      return reader.exchanges({ filter: { terms }, limit: 9 }).rows.map(({ secrets }) => secrets);
    };
    assert.deepEqual(found('any').sort(), [['database-connection-string', 'github'], ['github']]);
    assert.deepEqual(found('database'), [['database-connection-string', 'github']]);
    assert.deepEqual(found('aws'), []);
    reader.close();
    const bytes = readFileSync(ledger);
    assert.ok(!bytes.includes(TOKEN) && !bytes.includes('Hk82jd7Qw'));
  });

  it('skips requests that are refused or too long', async () => {
    const pair = await startPair(answerAnyFormat, { secretPolicy: 'report' });
    const refused = await recordOf(pair, question(TOKEN).replace('"m"', `"${'x'.repeat(9000)}"`));
    assert.equal(refused.answer.status, 400);
    assert.equal(refused.record.secrets, undefined);
    const long = await recordOf(pair, question(`${TOKEN} ${'words '.repeat(1_500_000)}`));
    assert.equal(long.answer.status, 200);
    assert.equal(long.record.secrets, undefined);
  });

  it('can be switched on and off while it runs', async () => {
    const pair = await startPair(answerAnyFormat);
    const find = async () => (await recordOf(pair, question(TOKEN))).record.secrets;
    assert.equal(await find(), undefined);
    pair.gateway.setSecretPolicy('report');
    assert.deepEqual(await find(), ['github']);
    pair.gateway.setSecretPolicy('off');
    assert.equal(await find(), undefined);
  });

  it('has delivered all records when it is closed', async () => {
    const pair = await startPair(answerAnyFormat, { secretPolicy: 'report' });
    const bodies = Array.from({ length: 12 }, () => question(`${TOKEN} ${'words '.repeat(50_000)}`));
    await Promise.all(bodies.map((body) => send({ port: pair.port, path: '/v1/messages', body })));
    await pair.gateway.close();
    assert.deepEqual(
      pair.records.map(({ secrets }) => secrets),
      bodies.map(() => ['github']),
    );
  });
});
