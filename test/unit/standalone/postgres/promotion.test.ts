import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../../support/eventually.ts';
import { USAGE } from '../../../support/modelServer/script.ts';
import { MovableAddress } from '../../../support/postgres/movableAddress.ts';
import { PostgresServer } from '../../../support/postgres/postgresServer.ts';
import { isList } from '../../gateway/budgets/limited.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { ask, createTeam, startReplica, startService } from './replicas.ts';
import { removeSpools } from './spools.ts';

const COST = (USAGE.prompt - USAGE.cached) * 1000 + USAGE.cached * 100 + USAGE.completion * 10_000;

describe('a synchronous standby that replaces the database', () => {
  afterEach(async () => {
    await closeAll();
    await removeSpools();
  });

  it('has every row and every amount, also of requests in progress', async () => {
    const server = await PostgresServer.start(['shared_buffers=32MB']);
    closeLater(() => server.stop());
    const database = new URL(await server.createDatabase()).pathname.slice(1);
    const address = await MovableAddress.start(server.address);
    closeLater(() => address.close());
    const team = await createTeam(address.of(database));
    const service = await startService();
    const { key } = await team.keys.create('ci', { budgets: [{ amount: 100, unit: 'usd', period: 'total' }] });
    const replicas = [await startReplica(team, service), await startReplica(team, service)];
    const standby = await server.startStandby();
    const statuses: number[] = [];
    let isOver = false;
    const load = replicas.flatMap((replica) =>
      [1, 2, 3].map(async () => {
        while (!isOver) {
          const { status } = await ask(replica, key);
          statuses.push(status);
          // As clients do, which would otherwise only keep the gateway busy with refusals.
          if (status === 503) await delay(20);
        }
      }),
    );
    const answered = (count: number) =>
      eventually('more are answered', async () => statuses.filter((status) => status === 200).length >= count);
    await answered(30);
    await server.kill();
    await eventually('some are refused', async () => statuses.includes(503));
    await server.promote();
    address.move(standby);
    await answered(statuses.filter((status) => status === 200).length + 30);
    isOver = true;
    await Promise.all(load);
    const bill = service.requests.filter((request) => !isList(request)).length * COST;
    await eventually('everything is recorded', async () => {
      const [sums] = await team.rows(
        `SELECT (SELECT sum(cost) FROM exchange)::bigint AS ledger, (SELECT sum(spent) FROM account)::bigint AS spent,
          (SELECT sum(cost) FROM usage_day)::bigint AS daily, (SELECT sum(reserved) FROM account)::bigint AS reserved`,
      );
      return JSON.stringify(sums) === JSON.stringify({ ledger: bill, spent: bill, daily: bill, reserved: 0 });
    });
    assert.deepEqual([...new Set(statuses)].sort(), [200, 503]);
    assert.deepEqual(await team.rows("SELECT id FROM exchange WHERE ended = 'lost'"), []);
  });
});
