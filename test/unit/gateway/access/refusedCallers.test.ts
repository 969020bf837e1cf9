import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { RefusedCallers } from '../../../../src/gateway/access/refusedCallers.ts';
import { FOREIGN_ORIGIN, unknownKey } from '../../../../src/gateway/core/refusal.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import { Traffic } from '../../../../src/gateway/traffic/traffic.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { InstantUpstream } from '../support/instantUpstream.ts';

const BEARER = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };

/** Unknown senders, by what they send and the reason under which they are counted. */
const STRANGERS: readonly (readonly [reason: string, headers: OutgoingHttpHeaders])[] = [
  ['no local key', {}],
  ['an unknown local key', { authorization: 'Bearer key_of-nobody' }],
  ['an expired local key', { 'x-api-key': 'key_that-has-expired' }],
  ['a Host header of another machine', { ...BEARER, host: 'evil.example' }],
  ['a web page that is not allowed', { ...BEARER, origin: 'https://evil.example' }],
];

describe('a request that is refused before authentication', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'refused-'));
  });
  afterEach(async () => {
    await closeAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is not recorded or traced, and is counted by reason', async () => {
    const ledger = join(folder, 'ledger.sqlite');
    const entered: unknown[] = [];
    const books = new Bookkeeper({ ledger, onRecord: (record) => entered.push(record) });
    const begun: string[] = [];
    const traffic = new (class extends Traffic {
      override begin(...given: Parameters<Traffic['begin']>) {
        begun.push(given[0]);
        return super.begin(...given);
      }
    })();
    const messages: string[] = [];
    const keys = [
      { id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0 },
      { id: 'old', name: 'old', secret: 'key_that-has-expired', createdAt: 0, expiresAt: 1 },
    ];
    const upstream = new InstantUpstream();
    const running = await startGateway({
      upstream,
      books,
      traffic,
      localKeys: keys,
      onRefusedCallers: (message) => messages.push(message),
    });
    const { port } = running;
    for (const [reason, headers] of STRANGERS) {
      for (let nth = 0; nth < 20; nth += 1) {
        const { status } = await send({ port, path: '/v1/messages', headers });
        assert.ok(status === 401 || status === 403, `${reason}: ${status}`);
      }
    }
    assert.deepEqual([running.records.length, begun.length, upstream.asked], [0, 0, 0]);
    await running.gateway.close(0);
    await books.close();
    assert.deepEqual(entered, []);
    const reader = new LedgerReader(ledger);
    closeLater(async () => reader.close());
    assert.equal(reader.exchanges({ filter: {}, limit: 0 }).exchanges, 0);
    assert.deepEqual(messages, [
      'Refused before authentication: 1 × no local key.',
      `Refused before authentication: ${STRANGERS.map(([reason], nth) => `${nth === 0 ? 19 : 20} × ${reason}`).join(', ')}.`,
    ]);
  });

  it('is still answered in the format of its caller, with a request id', async () => {
    const { port } = await startGateway({ upstream: new InstantUpstream() });
    const answer = await send({ port, path: '/v1/messages', headers: {} });
    const { type, request_id: id } = JSON.parse(answer.body.toString()) as { type: string; request_id: string };
    assert.equal(type, 'error');
    assert.match(id, /^req_[\da-f]{32}$/);
    assert.equal(answer.headers['request-id'], id);
  });
});

describe('the count of refused callers on other machines', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const tellOf = (addresses: readonly (string | undefined)[]) => {
    const messages: string[] = [];
    const callers = new RefusedCallers((message) => messages.push(message));
    callers.count(FOREIGN_ORIGIN);
    for (const address of addresses) callers.count(unknownKey(true), address);
    callers.close();
    return messages[1];
  };

  it('lists the addresses with the most requests', () => {
    const addresses = [...'aabbbcd'].map((letter) => `10.0.0.${letter.charCodeAt(0)}`);
    assert.equal(
      tellOf([...addresses, undefined]),
      'Refused before authentication: 8 × an unknown local key (3 from 10.0.0.98, 2 from 10.0.0.97, 1 from 10.0.0.99, ' +
        '2 from elsewhere).',
    );
  });

  it('distinguishes at most a hundred addresses', () => {
    const addresses = Array.from({ length: 1000 }, (_, nth) => `10.0.${nth >> 8}.${nth & 255}`);
    const last = '10.0.3.231';
    assert.equal(
      tellOf([...addresses, ...Array<string>(50).fill(last)]),
      'Refused before authentication: 1050 × an unknown local key (1 from 10.0.0.0, 1 from 10.0.0.1, 1 from 10.0.0.2, ' +
        '1047 from elsewhere).',
    );
  });
});

describe('the count of refused callers', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('is reported immediately, then at most once a minute', () => {
    const messages: string[] = [];
    const callers = new RefusedCallers((message) => messages.push(message));
    for (let nth = 0; nth < 900_000; nth += 1) callers.count(unknownKey(true));
    callers.count(FOREIGN_ORIGIN);
    assert.deepEqual(messages, ['Refused before authentication: 1 × an unknown local key.']);
    mock.timers.tick(59_999);
    assert.equal(messages.length, 1);
    mock.timers.tick(1);
    assert.equal(
      messages[1],
      'Refused before authentication: 899999 × an unknown local key, 1 × a web page that is not allowed.',
    );
    mock.timers.tick(600_000);
    assert.equal(messages.length, 2);
    callers.count(unknownKey(false));
    assert.equal(messages[2], 'Refused before authentication: 1 × no local key.');
    callers.close();
  });
});
