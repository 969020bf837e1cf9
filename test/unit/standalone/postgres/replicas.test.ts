import assert from 'node:assert/strict';
import { eventually } from '../../../support/eventually.ts';
import { USAGE } from '../../../support/modelServer/script.ts';
import { type PostgresServer, sharedServer } from '../../../support/postgres/postgresServer.ts';
import { isList, question } from '../../gateway/budgets/limited.ts';
import { get, json, send } from '../../gateway/support/client.ts';
import { closeAll } from '../../gateway/support/gateway.ts';
import { ask, createTeam, type Replica, startReplica, startService, type Team } from './replicas.ts';
import { removeSpools } from './spools.ts';

/** Cost of an answer of the service by its list, in billionths of a US dollar. */
const COST = (USAGE.prompt - USAGE.cached) * 1000 + USAGE.cached * 100 + USAGE.completion * 10_000;

const number = (value: unknown) => Number(value);

describe('several gateways with one database', () => {
  afterEach(async () => {
    await closeAll();
    await removeSpools();
  });

  /** Returns what was spent according to the accounts, the ledger, and the daily sums. */
  const sums = async ({ rows }: Team) => {
    const [row] = await rows(`
      SELECT (SELECT sum(spent) FROM account) AS spent, (SELECT sum(reserved) FROM account) AS reserved,
        (SELECT sum(cost) FROM exchange) AS ledger, (SELECT sum(cost) FROM usage_day) AS daily,
        (SELECT count(*) FROM reservation) AS reservations`);
    return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, number(value)]));
  };
  const closeReplicas = async (replicas: readonly Replica[]) => {
    for (const { gateway, database } of replicas) {
      await gateway.close(0);
      await database.books.flush();
    }
  };

  it('never exceed a shared budget, and account for all of it', async () => {
    const team = await createTeam();
    const service = await startService();
    const { key } = await team.keys.create('ci', { budgets: [{ amount: 0.02, unit: 'usd', period: 'total' }] });
    const replicas = await Promise.all([1, 2, 3].map(() => startReplica(team, service)));
    const answers = await Promise.all(
      replicas.flatMap((replica) => Array.from({ length: 60 }, () => ask(replica, key))),
    );
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    await closeReplicas(replicas);
    assert.equal(count(200) + count(402), answers.length);
    assert.ok(count(200) > 0 && count(402) > 0);
    const bill = service.requests.filter((request) => !isList(request)).length * COST;
    assert.ok(bill <= 0.02e9);
    assert.equal(count(200) * COST, bill);
    assert.deepEqual(await sums(team), { spent: bill, reserved: 0, ledger: bill, daily: bill, reservations: 0 });
  });

  it('let a request wait for what a running request of another gateway has reserved', async () => {
    const team = await createTeam();
    const silent = await startService(() => 'stay silent');
    const service = await startService();
    // Each reserves $0.0011, and the one that its client leaves costs $0.0010.
    const { key } = await team.keys.create('ci', { budgets: [{ amount: 0.002_15, unit: 'usd', period: 'total' }] });
    const [first, second] = [await startReplica(team, silent), await startReplica(team, service)];
    const left = new AbortController();
    const running = fetch(`http://127.0.0.1:${first.port}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: question('chat-completions'),
      signal: left.signal,
    }).catch(() => undefined);
    await eventually('the first has reserved', async () => (await sums(team)).reserved === 1_102_000);
    const waiting = ask(second, key);
    await eventually('the second knows the prices', async () => service.requests.some(isList));
    left.abort();
    await running;
    const { status, body } = await waiting;
    assert.equal(status, 200, body.toString());
    await closeReplicas([first, second]);
    const rows = await team.rows('SELECT ended FROM exchange ORDER BY at');
    assert.deepEqual(rows, [{ ended: 'clientLeft' }, { ended: 'completed' }]);
  });

  it('share how fast models write, with those that start later', async () => {
    const team = await createTeam();
    const service = await startService();
    const model = { upstream: 'hosted', model: 'model-a' };
    const first = await startReplica(team, service);
    const unknown = first.database.books.speeds.of(model);
    for (let nth = 0; nth < 60; nth++) first.database.books.speeds.learn(model, 100 + nth, 1_000);
    await eventually('the lease was renewed', async () => (await team.rows('SELECT FROM output_speed')).length > 0);
    const second = await startReplica(team, service);
    const { speeds } = second.database.books;
    assert.equal(speeds.of(model), first.database.books.speeds.of(model));
    assert.notEqual(speeds.of(model), unknown);
    assert.equal(speeds.of({ ...model, model: 'another' }), unknown);
    const [row] = await team.rows('SELECT cardinality(answers) AS count FROM output_speed');
    assert.equal(row?.count, 50);
  });

  it('lower the limit of a request to what its budget covers, and reserve only that', async () => {
    const team = await createTeam();
    const service = await startService();
    const { key } = await team.keys.create('ci', { budgets: [{ amount: 0.1, unit: 'usd', period: 'total' }] });
    const replica = await startReplica(team, service);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'model-a', messages: [{ role: 'user', content: 'Hello' }] });
    const answer = await send({ port: replica.port, path: '/v1/chat/completions', headers, body });
    assert.equal(answer.status, 200);
    const limit = service.requests.find(({ format }) => format !== undefined)?.body.max_tokens;
    assert.ok(limit > 4_900 && limit < 5_000, String(limit));
    await eventually('the reservation is released', async () => {
      const [row] = await team.rows('SELECT reserved, spent FROM account');
      return row?.reserved === 0 && Number(row.spent) > 0;
    });
  });

  it('refuse what either the key or its team cannot pay, and name which', async () => {
    const team = await createTeam();
    const service = await startService();
    await team.teams.create('docs', [{ amount: 1, unit: 'tokens', period: 'monthly' }]);
    const { key } = await team.keys.create('ci', { team: 'docs' });
    const replica = await startReplica(team, service);
    const answer = await ask(replica, key);
    assert.equal(answer.status, 402);
    assert.match(answer.body.toString(), /The team \\"docs\\" has 1 tokens left of its monthly budget of 1 tokens\./);
    await team.teams.change('docs', { budgets: null });
    await eventually('the new terms hold', async () => (await ask(replica, key)).status === 200);
  });

  it('end a session that has reached its cap on any of them', async () => {
    const team = await createTeam();
    const service = await startService();
    const { key } = await team.keys.create('ci', { limits: { sessionDollars: COST / 1e9 } });
    const [first, second] = [await startReplica(team, service), await startReplica(team, service)];
    const askIn = (session: string, { port }: Replica) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-session-id': session };
      return send({ port, path: '/v1/chat/completions', headers, body: question('chat-completions') });
    };
    assert.equal((await askIn('one', first)).status, 200);
    await eventually('it is in the ledger', async () => (await sums(team)).ledger === COST);
    const refused = await askIn('one', second);
    assert.equal(refused.status, 402);
    assert.match(refused.body.toString(), /This session has used .* of its cap of .* for the local key \\"ci\\"/);
    assert.equal((await askIn('two', second)).status, 200);
    assert.equal(service.requests.filter((request) => !isList(request)).length, 2);
  });

  it('report the balance of a key across all gateways', async () => {
    const team = await createTeam();
    const service = await startService();
    const { key } = await team.keys.create('ci', { budgets: [{ amount: 2, unit: 'usd', period: 'daily' }] });
    const [first, second] = [await startReplica(team, service), await startReplica(team, service)];
    await ask(first, key);
    await first.database.books.flush();
    const headers = { authorization: `Bearer ${key}` };
    const balance = json(await get({ port: second.port, path: '/api/v1/balance', headers })) as Record<string, unknown>;
    assert.deepEqual([balance.granted, balance.used, balance.period], [2, COST / 1e9, 'daily']);
  });

  it('end the requests of a revoked key, and reject it everywhere', async () => {
    const team = await createTeam();
    const service = await startService(() => 'stay silent');
    const { key } = await team.keys.create('ci', {});
    const replicas = [await startReplica(team, service), await startReplica(team, service)];
    const running = replicas.map((replica) => ask(replica, key));
    await service.request(0);
    await service.request(1);
    await team.keys.revoke('ci');
    for (const answer of await Promise.all(running)) assert.equal(answer.status, 401);
    for (const replica of replicas) assert.equal((await ask(replica, key)).status, 401);
  });

  it('reject a key that was revoked while the connection that announces it was cut', async () => {
    const team = await createTeam();
    const { key } = await team.keys.create('ci', {});
    const replica = await startReplica(team, await startService());
    assert.equal((await ask(replica, key)).status, 200);
    const cut = await team.rows(`
      SELECT pg_terminate_backend(pid, 5000) AS "isCut" FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'model-access announcements'`);
    assert.deepEqual(cut, [{ isCut: true }]);
    await team.keys.revoke('ci');
    await eventually('the key is rejected', async () => (await ask(replica, key)).status === 401);
  });

  it('hold no transaction and at most four connections for requests that wait for a model', async () => {
    const team = await createTeam();
    const service = await startService(() => 'stay silent');
    const { key } = await team.keys.create('ci', { budgets: [{ amount: 5, unit: 'usd', period: 'total' }] });
    const connections = async () => {
      const rows = await team.rows(`
        SELECT application_name AS name, xact_start IS NOT NULL AS "isInTransaction" FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`);
      return { count: rows.length, inTransaction: rows.filter(({ isInTransaction }) => isInTransaction === true) };
    };
    const replica = await startReplica(team, service);
    const running = Array.from({ length: 40 }, () => ask(replica, key));
    await service.request(39);
    await eventually('no transaction is open', async () => (await connections()).inTransaction.length === 0);
    assert.ok((await connections()).count <= 4, JSON.stringify(await connections()));
    await team.keys.revoke('ci');
    for (const answer of await Promise.all(running)) assert.equal(answer.status, 401);
  });

  it('accept a key immediately after its creation', async () => {
    const team = await createTeam();
    const service = await startService();
    const replica = await startReplica(team, service);
    for (const name of ['a', 'b', 'c']) {
      const { key } = await team.keys.create(name, {});
      assert.equal((await ask(replica, key)).status, 200);
    }
  });

  it('release the reservation of a client that disconnected meanwhile', async () => {
    const team = await createTeam();
    const service = await startService();
    const { key } = await team.keys.create('ci', { budgets: [{ amount: 5, unit: 'usd', period: 'total' }] });
    const replica = await startReplica(team, service);
    const left = new AbortController();
    const asked = Array.from({ length: 20 }, () =>
      fetch(`http://127.0.0.1:${replica.port}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"model":"model-a","messages":[{"role":"user","content":"Hi"}],"max_tokens":5}',
        signal: left.signal,
      }).catch(() => undefined),
    );
    await replica.nextRecord();
    left.abort();
    await Promise.all(asked);
    await eventually('nothing is set aside', async () => {
      await replica.database.books.flush();
      const { reservations, reserved, spent, ledger } = await sums(team);
      return reservations === 0 && reserved === 0 && spent === ledger;
    });
  });

  it('keep a name with characters that PostgreSQL rejects, and the rest of its batch', async () => {
    const team = await createTeam();
    const service = await startService();
    const { key } = await team.keys.create('ci', {});
    const replica = await startReplica(team, service);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (const model of ['bad\\u0000name', 'half\\ud800', 'good']) {
      const body = `{"model":"${model}","messages":[]}`;
      await fetch(`http://127.0.0.1:${replica.port}/api/v1/chat/completions`, { method: 'POST', headers, body });
    }
    await closeReplicas([replica]);
    const rows = await team.rows('SELECT model FROM exchange ORDER BY at');
    assert.deepEqual(
      rows.map(({ model }) => model),
      ['bad\uFFFDname', 'half\uFFFD', 'good'],
    );
  });

  describe('while the database is unavailable', () => {
    let server: PostgresServer;
    let team: Team;

    before(async () => {
      server = await sharedServer();
    });
    beforeEach(async () => {
      team = await createTeam();
    });
    // Other tests use it, too.
    afterEach(() => server.restart());

    const ready = async ({ port }: Replica) => {
      const answer = await get({ port, path: '/health/ready' });
      assert.equal(answer.status, 200, 'A balancer would take all replicas out.');
      return json(answer);
    };

    it('answer keys without a budget, refuse the others, and record everything afterwards', async () => {
      const service = await startService();
      const free = await team.keys.create('free', {});
      const bound = await team.keys.create('bound', { budgets: [{ amount: 5, unit: 'usd', period: 'total' }] });
      const replica = await startReplica(team, service);
      assert.equal((await ask(replica, bound.key)).status, 200);
      await server.kill();
      for (let nth = 0; nth < 10; nth++) assert.equal((await ask(replica, free.key)).status, 200);
      for (const key of [bound.key, 'key_that-nobody-knows']) {
        const answer = await ask(replica, key);
        assert.equal(answer.status, 503);
        assert.match(String(answer.headers['retry-after']), /^\d+$/);
      }
      await eventually('readiness reports the database', async () =>
        JSON.stringify(await ready(replica)).includes('"database":"away"'),
      );
      assert.equal(replica.problems.filter((problem) => problem.includes('wait in the spool')).length, 1);
      await server.restart();
      await eventually('it is back', async () => (await ask(replica, bound.key)).status === 200);
      assert.equal((await ask(replica, 'key_that-nobody-knows')).status, 401);
      await eventually(
        'readiness reports the database',
        async () => !JSON.stringify(await ready(replica)).includes('"database":"away"'),
      );
      await closeReplicas([replica]);
      const [row] = await team.rows("SELECT count(*) AS count FROM exchange WHERE ended = 'completed'");
      assert.equal(row?.count, 12);
      const { spent, reserved, ledger, daily } = await sums(team);
      assert.deepEqual([spent, reserved, ledger, daily], [2 * COST, 0, 12 * COST, 12 * COST]);
    });

    it('allow keys with a budget if so configured, and count them later', async () => {
      const service = await startService();
      const { key } = await team.keys.create('ci', { budgets: [{ amount: 5, unit: 'usd', period: 'total' }] });
      const replica = await startReplica(team, service, { allowsWhenAway: true });
      assert.equal((await ask(replica, key)).status, 200);
      await server.kill();
      assert.equal((await ask(replica, key)).status, 200);
      await server.restart();
      await eventually('it is written', async () => {
        await replica.database.books.flush();
        return (await sums(team)).spent === 2 * COST;
      });
    });

    it('refuse requests when the spool is full', async () => {
      const service = await startService();
      const { key } = await team.keys.create('free', {});
      const replica = await startReplica(team, service, { maxSpoolBytes: 2000 });
      await server.kill();
      await eventually('it is full', async () => (await ask(replica, key)).status === 503);
      const asked = service.requests.length;
      assert.equal((await ask(replica, key)).status, 503);
      assert.equal(service.requests.length, asked);
      await server.restart();
      await eventually('it has room again', async () => (await ask(replica, key)).status === 200);
    });
  });
});
