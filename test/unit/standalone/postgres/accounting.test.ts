import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseConnection } from '../../../../packages/gateway/src/postgres/connection.ts';
import type { TeamExchangeRow } from '../../../../packages/gateway/src/postgres/exchangeRow.ts';
import { Reserver } from '../../../../packages/gateway/src/postgres/reserver.ts';
import { FLUSH_MS, RowWriter } from '../../../../packages/gateway/src/postgres/rowWriter.ts';
import { migrate, SCHEMA_VERSION } from '../../../../packages/gateway/src/postgres/schema.ts';
import { query } from '../../../support/postgres/postgresServer.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { emptyDatabase } from './databases.ts';
import { createTeam, type Team } from './replicas.ts';

const request = (id: string, key: string, cost: number | null, team: string | null = null) => ({
  ...{ id, key, team, model: 'm', cost },
  ...{ input_tokens: 100, output_tokens: 10 },
});

const row = (id: string, key: string, cost: number | null, more: Partial<TeamExchangeRow> = {}): TeamExchangeRow => ({
  ...{ id, key, cost, at: Date.now(), team: null, client: 'c', model: 'm', upstream: 'u', status: 200 },
  ...{ ended: 'completed', input_tokens: 50, output_tokens: 5, is_estimated: false, details: {} },
  ...more,
});

describe('the budget accounts of the database', () => {
  let team: Team;

  beforeEach(async () => {
    team = await createTeam();
  });
  afterEach(closeAll);

  const connect = () => {
    const connection = new DatabaseConnection({ address: team.address, name: 'more tests' });
    closeLater(() => connection.close());
    return connection;
  };
  const reserver = (replica = 'a') => new Reserver(connect(), replica);
  const enter = (rows: readonly TeamExchangeRow[]) =>
    team.rows('SELECT enter($1, $2) AS id', ['a', JSON.stringify(rows)]);
  const keyWith = async (name: string, dollars: number, ofTeam: string | null = null) =>
    (await team.keys.create(name, { budgets: [{ amount: dollars, unit: 'usd', period: 'total' }], team: ofTeam })).id;
  const accounts = async () =>
    (await team.rows('SELECT spent, reserved FROM account ORDER BY scope, unit')).map(({ spent, reserved }) => [
      Number(spent),
      Number(reserved),
    ]);

  it('accept requests that fit, next to one that does not', async () => {
    const key = await keyWith('ci', 0.000001);
    const books = reserver();
    const shortages = await Promise.all(
      [600, 500, 400].map((cost, nth) => books.reserve(request(`r${nth}`, key, cost))),
    );
    assert.deepEqual(
      shortages.map((shortage) => shortage?.left),
      [undefined, 1000, undefined],
    );
    assert.deepEqual(await accounts(), [[0, 1000]]);
  });

  it('give a request whose output can be limited at most half of what is left, one after the other', async () => {
    const key = await keyWith('ci', 0.000001);
    const books = reserver();
    const lowers = { lowers: true as const };
    const ask = (id: string, cost: number, more = {}) => books.reserve({ ...request(id, key, cost), ...more });
    assert.deepEqual((await ask('much', 600, lowers))?.left, 1000);
    const shortages = await Promise.all([
      ask('a', 450, lowers),
      ask('b', 300, lowers),
      ask('c', 300),
      ask('d', 100, lowers),
    ]);
    assert.deepEqual(
      shortages.map((shortage) => shortage && [shortage.needed, shortage.left - shortage.reserved]),
      [undefined, [300, 550], undefined, undefined],
    );
    assert.deepEqual(await accounts(), [[0, 850]]);
    // Another attempt is not limited again.
    assert.equal(await books.reserveMore(request('d', key, 100), 1), undefined);
  });

  it('admit requests together whose halves are left anyway', async () => {
    const key = await keyWith('ci', 0.000001);
    const books = reserver();
    const all = Array.from({ length: 5 }, (_, nth) => ({ ...request(`r${nth}`, key, 150), lowers: true as const }));
    assert.deepEqual(
      await Promise.all(all.map((each) => books.reserve(each))),
      all.map(() => undefined),
    );
    assert.deepEqual(await accounts(), [[0, 750]]);
  });

  it('accept a request once, however often it is sent', async () => {
    const key = await keyWith('ci', 1);
    for (let times = 0; times < 3; times++) await reserver().reserve(request('same', key, 100));
    assert.deepEqual(await accounts(), [[0, 100]]);
  });

  it('reserve as much again for another attempt, once for each, and release all of it', async () => {
    const key = await keyWith('ci', 0.00000025);
    const books = reserver();
    await books.reserve(request('r', key, 100));
    for (let times = 0; times < 2; times++) assert.equal(await books.reserveMore(request('r', key, 100), 1), undefined);
    assert.deepEqual(await accounts(), [[0, 200]]);
    assert.equal((await books.reserveMore(request('r', key, 100), 2))?.left, 250);
    assert.deepEqual(await accounts(), [[0, 200]]);
    await enter([row('r', key, 170)]);
    assert.deepEqual(await accounts(), [[170, 0]]);
  });

  it('count all attempts of a dead replica as spent', async () => {
    const key = await keyWith('ci', 1);
    const dead = reserver('dead');
    await dead.reserve(request('r', key, 100));
    await dead.reserveMore(request('r', key, 100), 1);
    await team.rows("SELECT settle_lost('0') AS count");
    assert.deepEqual(await accounts(), [[200, 0]]);
  });

  it('refuse a request without a price if the budget is in dollars', async () => {
    const key = await keyWith('ci', 1);
    assert.equal((await reserver().reserve(request('r', key, null)))?.needed, null);
  });

  it('count an exchange once, however often it is recorded', async () => {
    const key = await keyWith('ci', 1);
    await reserver().reserve(request('r', key, 100));
    for (let times = 0; times < 3; times++) await enter([row('r', key, 70)]);
    assert.deepEqual(await accounts(), [[70, 0]]);
    assert.deepEqual(await team.rows('SELECT exchanges, cost FROM usage_day'), [{ exchanges: 1, cost: 70 }]);
  });

  it('count an exchange as unpriced if only a part of it has no price', async () => {
    const usage = { inputTokens: 20, outputTokens: 0 };
    const attempts = (cost?: number) => ({
      ...{ attempts_cost: cost ?? 0, attempts_input_tokens: 20, attempts_output_tokens: 0 },
      attempts: JSON.stringify([{ upstream: 'u', usage, ...(cost !== undefined && { cost }) }, { upstream: 'v' }]),
    });
    await enter([
      row('priced', 'key', 70, { details: { input_price: 3, ...attempts(0.000_01) } }),
      row('none', 'key', null),
      row('refused', 'key', null, { input_tokens: null, output_tokens: null }),
      row('attempt', 'key', 70, { details: { input_price: 3, ...attempts() } }),
      row('answer', 'key', 70, { details: attempts(0.000_01) }),
      row('no answer', 'key', 70, { details: attempts(0.000_01), input_tokens: 20, output_tokens: 0 }),
    ]);
    const [daily] = await team.rows('SELECT exchanges, unpriced FROM usage_day');
    assert.deepEqual(daily, { exchanges: 6, unpriced: 3 });
  });

  it('count the reservations of a dead replica as spent until the real exchange arrives', async () => {
    const key = await keyWith('ci', 1);
    await reserver('dead').reserve(request('r', key, 100));
    assert.deepEqual(await team.rows("SELECT settle_lost('1 hour') AS count"), [{ count: 0 }]);
    assert.deepEqual(await team.rows("SELECT settle_lost('0') AS count"), [{ count: 1 }]);
    assert.deepEqual(await accounts(), [[100, 0]]);
    await enter([row('r', key, 70)]);
    assert.deepEqual(await accounts(), [[70, 0]]);
    assert.deepEqual(await team.rows('SELECT ended, cost FROM exchange'), [{ ended: 'completed', cost: 70 }]);
    const [daily] = await team.rows(
      'SELECT sum(exchanges)::bigint AS exchanges, sum(cost)::bigint AS cost FROM usage_day',
    );
    assert.deepEqual(daily, { exchanges: 1, cost: 70 });
  });

  describe('show in the sums by days how much no upstream has reported', () => {
    const unconfirmed = async () => {
      const [sums] = await team.rows(
        'SELECT sum(cost)::int AS cost, sum(unconfirmed_cost)::int AS open FROM usage_day',
      );
      return [sums?.cost, sums?.open];
    };
    const open = { is_estimated: true, details: { usage_bound: 'time', unconfirmed_cost: 30 } };

    it('of rows with and without it, each once', async () => {
      const rows = [row('open', 'key', 70, open), row('known', 'key', 5)];
      for (let times = 0; times < 2; times++) await enter(rows);
      assert.deepEqual(await unconfirmed(), [75, 30]);
    });

    it('of lost requests, until their rows arrive', async () => {
      const key = await keyWith('ci', 1);
      await reserver('dead').reserve(request('r', key, 100));
      await team.rows("SELECT settle_lost('0')");
      assert.deepEqual(await unconfirmed(), [100, 100]);
      await enter([row('r', key, 70, open)]);
      assert.deepEqual(await unconfirmed(), [70, 30]);
    });
  });

  it('start with what was spent before there was a budget', async () => {
    const { id } = await team.keys.create('ci', {});
    await enter([row('before', id, 300)]);
    await team.keys.change('ci', { budgets: [{ amount: 0.000001, unit: 'usd', period: 'monthly' }] });
    assert.equal((await reserver().reserve(request('r', id, 800)))?.left, 700);
    assert.deepEqual(await accounts(), [[300, 0]]);
  });

  it('start days in the time zone of the database', async () => {
    await team.rows("UPDATE setting SET value = 'Pacific/Kiritimati' WHERE name = 'time_zone'");
    const [there] = await team.rows("SELECT (now() AT TIME ZONE 'Pacific/Kiritimati')::date::text AS day");
    await enter([row('r', 'nobody', 1)]);
    const [{ day } = {}] = await team.rows('SELECT day::text FROM exchange');
    assert.equal(day, there?.day);
    const [next] = await team.rows(
      "SELECT next_start('monthly', '2026-11-22') AS month, next_start('daily', '2026-11-22') AS day",
    );
    assert.deepEqual(next, { month: new Date('2026-11-30T10:00:00Z'), day: new Date('2026-11-22T10:00:00Z') });
  });

  it('do not deadlock if many replicas reserve and release at the same time', async () => {
    const { id: docs } = await team.teams.create('docs', [{ amount: 1, unit: 'usd', period: 'total' }]);
    const keys = await Promise.all(['a', 'b', 'c', 'd'].map((name) => keyWith(name, 1, 'docs')));
    const replica = async (name: string) => {
      const books = reserver(name);
      const connection = connect();
      const releasing = [connect(), connect()];
      for (let round = 0; round < 10; round++) {
        const ids = keys.toSorted(() => Math.random() - 0.5).map((key, nth) => ({ key, id: `${name}${round}-${nth}` }));
        await Promise.all(ids.map(({ id, key }) => books.reserve(request(id, key, 10, docs))));
        const unused = ids.map(({ id, key }) => ({ id: `${id} unused`, key }));
        await Promise.all(unused.map(({ id, key }) => books.reserve(request(id, key, 10, docs))));
        const rows = ids.map(({ id, key }) => row(id, key, 7, { team: docs }));
        await Promise.all([
          connection.query('SELECT enter($1, $2)', [name, JSON.stringify(rows)]),
          ...unused.map(({ id }, nth) => releasing[nth % 2]?.query('SELECT release($1)', [[id]])),
        ]);
      }
    };
    await Promise.all(['r1', 'r2', 'r3', 'r4'].map(replica));
    const all = await accounts();
    assert.deepEqual(
      all.map(([, reserved]) => reserved),
      [0, 0, 0, 0, 0],
    );
    assert.equal(
      all.reduce((sum, [spent = 0]) => sum + spent, 0),
      2 * 160 * 7,
    );
  });

  it('get rows automatically, including those that arrive during a write', async () => {
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    const next = [row('two', 'k', 1), row('three', 'k', 1)];
    const onSettled = (ids: readonly string[]) => {
      if (ids.includes('three')) resolve();
    };
    const writer = new RowWriter({ connection: connect(), replica: 'a', onSettled, onProblem: assert.fail });
    writer.add(row('one', 'k', 1));
    const written = writer.flush();
    // The connection is being opened; the second entry is written right after the first one, before it is due itself.
    await delay(0);
    for (const each of next.splice(0, 1)) writer.add(each);
    await written;
    await delay(2 * FLUSH_MS);
    for (const each of next) writer.add(each);
    await settled;
  });

  it('lose only the one row that cannot be written', async () => {
    const problems: string[] = [];
    const settled: string[] = [];
    const writer = new RowWriter({
      connection: connect(),
      replica: 'a',
      onSettled: (ids) => settled.push(...ids),
      onProblem: (message) => problems.push(message),
    });
    const rows = [row('one', 'k', 1), row('two', 'k', 1, { status: 3e9 }), row('three', 'k', 1)];
    for (const each of rows) writer.add(each);
    await writer.flush();
    const written = await team.rows('SELECT id FROM exchange ORDER BY id');
    assert.deepEqual(
      written.map(({ id }) => id),
      ['one', 'three'],
    );
    assert.deepEqual(settled, ['one', 'two', 'three']);
    assert.match(problems.join(), /^The database refused a value: .* The exchange two is not recorded\.$/);
  });
});

describe('the schema of the database', () => {
  afterEach(closeAll);

  const open = (address: string) => {
    const connection = new DatabaseConnection({ address, name: 'tests' });
    closeLater(() => connection.close());
    return connection;
  };

  it('is created once by twenty replicas that start at the same time', async () => {
    const address = await emptyDatabase();
    await Promise.all(Array.from({ length: 20 }, () => migrate(open(address))));
    const [version] = await query(address, "SELECT value FROM model_access.setting WHERE name = 'schema_version'");
    assert.equal(version?.value, String(SCHEMA_VERSION));
  });

  it('coexists with the tables of others', async () => {
    const address = await emptyDatabase();
    await query(address, 'CREATE TABLE exchange (theirs int)');
    await migrate(open(address));
    assert.deepEqual(await query(address, 'SELECT theirs FROM public.exchange'), []);
  });

  const refused = async (prepare: string, sentence: RegExp) => {
    const address = await emptyDatabase();
    await migrate(open(address));
    await query(address, prepare);
    await assert.rejects(migrate(open(address)), { name: 'DatabaseError', message: sentence });
  };

  it('is not changed if a later release excludes this one', async () => {
    await refused(
      "UPDATE model_access.setting SET value = '99' WHERE name IN ('schema_version', 'serves_from')",
      /^The database was upgraded by a later release: its schema has version 99, .* Update the gateway\.$/,
    );
  });

  it('is used if a later release allows this one', async () => {
    const address = await emptyDatabase();
    await migrate(open(address));
    await query(address, "UPDATE model_access.setting SET value = '99' WHERE name = 'schema_version'");
    await migrate(open(address));
  });

  it('is not confused with a schema of the same name', async () => {
    await refused(
      'ALTER TABLE model_access.setting RENAME TO settings',
      /^The database has a schema "model_access" that the gateway did not create\. Use another database\.$/,
    );
  });

  it('is not created by a user without permissions', async () => {
    const address = await emptyDatabase();
    const role = `guest_${new URL(address).pathname.slice(1)}`;
    await query(address, `CREATE ROLE ${role} LOGIN PASSWORD 'guest'`);
    const asGuest = new URL(address);
    asGuest.username = role;
    asGuest.password = 'guest';
    await assert.rejects(migrate(open(asGuest.href)), {
      message: /^The user of the database address lacks privileges\./,
    });
    assert.deepEqual(await query(address, "SELECT 1 FROM pg_namespace WHERE nspname = 'model_access'"), []);
  });
});
