/**
 * Kills gateways on one PostgreSQL database under load, and stops the database itself, and checks that every request
 * that reached the service is recorded once: `npm run soak:team`. `--kills N` (50), `--stops N` (3) of `--seconds N`
 * (30), `--promotions N` (3) of a synchronous standby.
 */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../scripts/lib/temporaryFolder.ts';
import { ModelServer } from '../test/support/modelServer/modelServer.ts';
import { KilledGateway, namesOf } from '../test/support/postgres/killedGateway.ts';
import { MovableAddress } from '../test/support/postgres/movableAddress.ts';
import { isList, LIST } from '../test/unit/gateway/budgets/limited.ts';
import { load } from './team/load.ts';
import { BenchSetting } from './team/setting.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    stops: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '30' },
    promotions: { type: 'string', default: '3' },
  },
});
const SCRIPT = fileURLToPath(new URL('../scripts/gateway.cjs', import.meta.url));

const setting = await BenchSetting.open();
try {
  await killGateways(Number(values.kills));
  for (let nth = 1; nth <= Number(values.stops); nth++) await stopDatabase(nth);
} finally {
  await setting.close();
}
for (let nth = 1; nth <= Number(values.promotions); nth++) await promoteStandby(nth);

async function killGateways(kills: number): Promise<void> {
  const folder = await temporaryFolder();
  const service = await ModelServer.start((request) => (isList(request) ? LIST : { parts: [{ text: 'Yes.' }] }));
  const database = await setting.database();
  const key = await database.key('ci', 1000);
  const options = { script: SCRIPT, database: database.address, spool: folder.path, service, key, callers: 8 };
  const gateway = await KilledGateway.start(options);
  await gateway.run(kills);
  const rows = await database.rows("SELECT client, count(*) FROM exchange WHERE client LIKE 'request%' GROUP BY 1");
  const recorded = new Map(rows.map(({ client, count }) => [String(client), Number(count)]));
  const reached = new Set(namesOf(service));
  const wrong = [...reached].filter((name) => recorded.get(name) !== 1);
  const extra = [...recorded.keys()].filter((name) => !reached.has(name));
  const [held] = await database.rows('SELECT sum(reserved)::bigint AS reserved FROM account');
  console.log(
    `${kills} kills: ${reached.size} requests reached the service, ${wrong.length} of them not recorded once, ` +
      `${extra.length} recorded beside them, ${held?.reserved} reserved at the end.`,
  );
  assert.deepEqual([wrong, Number(held?.reserved)], [[], 0]);
  // A gateway that is killed between its record and its request has recorded a request that was never sent.
  assert.ok(extra.length <= kills * options.callers);
  await database.close();
  await service.close();
  await folder.remove();
}

async function stopDatabase(nth: number): Promise<void> {
  const database = await setting.database();
  const free = await database.unlimitedKey('free');
  const bound = await database.key('bound', 1000);
  const replica = await setting.startReplica(database);
  const addresses = [replica.address];
  const before = await setting.bill();
  // Warms up, so that both keys are known.
  for (const key of [free, bound]) await load({ addresses, key, requests: 50, concurrency: 4 });
  let isOver = false;
  const statuses = { free: new Map<number, number>(), bound: new Map<number, number>() };
  const ask = async (name: keyof typeof statuses, key: string) => {
    while (!isOver) {
      const { statuses: some } = await load({ addresses, key, requests: 20, concurrency: 4 });
      for (const [status, count] of some) statuses[name].set(status, (statuses[name].get(status) ?? 0) + count);
      await delay(20);
    }
  };
  const asking = [ask('free', free), ask('bound', bound)];
  await delay(1000);
  await setting.server.kill();
  await delay(Number(values.seconds) * 1000);
  await setting.server.restart();
  const back = performance.now();
  isOver = true;
  await Promise.all(asking);
  const bill = (await setting.bill()) - before;
  const sums = async () => {
    const [row] = await database
      .rows('SELECT sum(cost)::bigint AS ledger, (SELECT sum(reserved) FROM account)::bigint AS reserved FROM exchange')
      .catch(() => []);
    return row;
  };
  while ((await sums())?.ledger !== bill && performance.now() - back < 60_000) await delay(50);
  const seconds = (performance.now() - back) / 1000;
  const shown = (of: ReadonlyMap<number, number>) =>
    [...of].map(([status, count]) => `${count} × ${status}`).join(', ');
  console.log(
    `Stop ${nth} of ${values.seconds} s: without a budget ${shown(statuses.free)}; with one ${shown(statuses.bound)}; ` +
      `ledger = bill after ${seconds.toFixed(1)} s.`,
  );
  assert.deepEqual([...statuses.free.keys()], [200]);
  assert.ok([...statuses.bound.keys()].every((status) => status === 200 || status === 503));
  assert.deepEqual({ ...(await sums()) }, { ledger: bill, reserved: 0 });
  await replica.stop();
  await database.close();
}

/** Kills the database under load and puts its synchronous standby in its place, three seconds later. */
async function promoteStandby(nth: number): Promise<void> {
  const ofPromotion = await BenchSetting.open();
  const { server } = ofPromotion;
  const address = await MovableAddress.start(server.address);
  try {
    const database = await ofPromotion.database((direct) => address.of(new URL(direct).pathname.slice(1)));
    const key = await database.key('bound', 1000);
    const replicas = [await ofPromotion.startReplica(database), await ofPromotion.startReplica(database)];
    const standby = await server.startStandby();
    const before = await ofPromotion.bill();
    const statuses = new Map<number, number>();
    let isOver = false;
    const addresses = replicas.map((replica) => replica.address);
    const asking = (async () => {
      while (!isOver) {
        const { statuses: some } = await load({ addresses, key, requests: 20, concurrency: 8 });
        for (const [status, count] of some) statuses.set(status, (statuses.get(status) ?? 0) + count);
      }
    })();
    await delay(2000);
    await server.kill();
    await delay(3000);
    await server.promote();
    address.move(standby);
    await delay(4000);
    isOver = true;
    await asking;
    const bill = (await ofPromotion.bill()) - before;
    const moved = performance.now();
    const sums = async () => {
      const [row] = await database
        .rows(
          `SELECT sum(cost)::bigint AS ledger, (SELECT sum(spent) FROM account)::bigint AS accounts,
            (SELECT sum(cost) FROM usage_day)::bigint AS days, (SELECT sum(reserved) FROM account)::bigint AS reserved,
            count(*) FILTER (WHERE ended = 'lost') AS lost FROM exchange`,
        )
        .catch(() => []);
      return { ...row };
    };
    const wanted = { ledger: bill, accounts: bill, days: bill, reserved: 0, lost: 0 };
    while (JSON.stringify(await sums()) !== JSON.stringify(wanted) && performance.now() - moved < 30_000)
      await delay(50);
    const shown = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    console.log(`Promotion ${nth}: ${shown}; sums ${JSON.stringify(await sums())}, bill ${bill}.`);
    assert.deepEqual(await sums(), wanted);
    assert.ok([...statuses.keys()].every((status) => status === 200 || status === 503));
    for (const replica of replicas) await replica.stop();
    await database.close();
  } finally {
    await address.close();
    await ofPromotion.close();
  }
}
