import assert from 'node:assert/strict';
import { KilledGateway, namesOf } from '../../../support/postgres/killedGateway.ts';
import { runs } from '../../../support/randomRuns.ts';
import { closeAll } from '../../gateway/support/gateway.ts';
import { killServed, LAUNCHER } from '../../gateway/support/served.ts';
import { createLease, createTeam, serverIsOldEnough, startService } from './replicas.ts';
import { removeSpools, spoolFolder } from './spools.ts';

describe('a gateway with a database that is killed under load', () => {
  afterEach(async () => {
    await killServed();
    await closeAll();
    await removeSpools();
  });

  it('records each request that reached the service once, and releases all reservations', async () => {
    const team = await createTeam();
    const service = await startService();
    const { key } = await team.keys.create('ci', { budgets: [{ amount: 100, unit: 'usd', period: 'total' }] });
    const options = { script: LAUNCHER, database: team.address, spool: await spoolFolder(), service, key, callers: 8 };
    const gateway = await KilledGateway.start(options);
    await gateway.run(runs(2));
    const rows = await team.rows(
      "SELECT client, count(*) AS count FROM exchange WHERE client LIKE 'request%' GROUP BY 1",
    );
    const recorded = new Map(rows.map(({ client, count }) => [client, Number(count)]));
    for (const name of namesOf(service)) assert.equal(recorded.get(name), 1, name);
    const [sums] = await team.rows(`
      SELECT (SELECT sum(reserved) FROM account)::bigint AS reserved, (SELECT count(*) FROM reservation) AS reservations,
        (SELECT sum(spent) FROM account)::bigint = (SELECT sum(cost) FROM exchange)::bigint AS ledger,
        (SELECT sum(spent) FROM account)::bigint = (SELECT sum(cost) FROM usage_day)::bigint AS daily`);
    assert.deepEqual(sums, { reserved: 0, reservations: 0, ledger: true, daily: true });
  });

  it('is settled by the others if it does not come back', async () => {
    const team = await createTeam();
    const service = await startService(() => 'stay silent');
    const { key } = await team.keys.create('ci', { budgets: [{ amount: 100, unit: 'usd', period: 'total' }] });
    const options = { script: LAUNCHER, database: team.address, spool: await spoolFolder(), service, key, callers: 3 };
    const gateway = await KilledGateway.start(options);
    await gateway.killWhileAsked();
    // A lease that is not renewed ends by the clock of the database, which need not be waited for here.
    await team.rows("UPDATE replica SET seen_at = seen_at - interval '1 minute'");
    await team.rows("UPDATE reservation SET at = at - interval '1 minute'");
    await serverIsOldEnough(team);
    const survivor = createLease(team, 'survivor');
    await survivor.lease.begin();
    for (const seconds of [3, 6]) await survivor.renewAfter(seconds);
    const [row] = await team.rows('SELECT sum(reserved)::bigint AS reserved FROM account');
    assert.equal(row?.reserved, 0);
    const rows = await team.rows("SELECT ended, cost > 0 AS paid FROM exchange WHERE ended = 'lost'");
    assert.deepEqual(
      rows,
      [1, 2, 3].map(() => ({ ended: 'lost', paid: true })),
    );
  });
});
