import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { DatabaseConnection } from '../../../../packages/gateway/src/postgres/connection.ts';
import { takeTurns } from '../../../../packages/gateway/src/postgres/turns/turnStatements.ts';
import type { KeyLimits } from '../../../../src/gateway/core/keyLimits.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { KilledGateway } from '../../../support/postgres/killedGateway.ts';
import { type PostgresServer, sharedServer } from '../../../support/postgres/postgresServer.ts';
import { pathOf, question } from '../../gateway/budgets/limited.ts';
import { open, send } from '../../gateway/support/client.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { startService as startScripted } from '../../gateway/support/scriptedService.ts';
import { killServed, LAUNCHER } from '../../gateway/support/served.ts';
import { createTeam, type Replica, startReplica, startService, type Team } from './replicas.ts';
import { removeSpools, spoolFolder } from './spools.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'model-a' }] });
const PATH = pathOf('messages');

/** Creates a key with limits, and a service whose requests are answered when the test says so. */
async function start(limits: KeyLimits, given?: Team) {
  const team = given ?? (await createTeam());
  const { id, key } = await team.keys.create('ci', { limits });
  const held: ServerResponse[] = [];
  const service = await startScripted((response, { path }) => {
    if (path.endsWith('/models')) response.writeHead(200, JSON_TYPE).end(MODELS);
    else held.push(response);
  });
  closeLater(() => service.close());
  const headers = { authorization: `Bearer ${key}`, ...JSON_TYPE };
  return {
    ...{ team, id, held, headers },
    replica: (clock?: ManualClock) => startReplica(team, { baseUrl: service.baseAddress }, clock && { clock }),
    ask: ({ port }: Replica) => send({ port, path: PATH, headers, body: question('messages') }),
    answerNext: (body: object = {}) => held.shift()?.writeHead(200, JSON_TYPE).end(JSON.stringify(body)),
    atService: (count: number) => reach(`${count} at the service`, () => held.length === count),
  };
}

const reach = (what: string, holds: () => boolean) => eventually(what, async () => holds());

/** The limits that requests wait for. */
const waiting = ({ gateway }: Replica) =>
  gateway.running.flatMap(({ waitsFor }) => (waitsFor === undefined ? [] : [waitsFor]));

const passMinute = ({ rows }: Team) => rows("UPDATE turn SET at = at - interval '1 minute'");

describe('the limits of a key across several gateways', () => {
  afterEach(async () => {
    await killServed();
    await closeAll();
    await removeSpools();
  });

  it('never allow more parallel requests than one gateway would', async () => {
    const { team, held, replica, ask, answerNext } = await start({ parallel: 3 });
    const replicas = await Promise.all([replica(), replica(), replica()]);
    const answers = replicas.flatMap((each) => Array.from({ length: 8 }, () => ask(each)));
    for (const _ of answers) {
      await reach('a request at the service', () => held.length > 0);
      assert.ok(held.length <= 3, `${held.length} requests`);
      answerNext();
    }
    assert.ok((await Promise.all(answers)).every(({ status }) => status === 200));
    await eventually('nothing is counted', async () => (await team.rows('SELECT FROM turn')).length === 0);
    assert.deepEqual(await team.rows('SELECT FROM turn_queue'), []);
    assert.deepEqual(
      replicas.flatMap(({ problems }) => problems),
      [],
    );
  });

  it('send the next request immediately when one ends on another gateway', async () => {
    const { replica, ask, answerNext, atService } = await start({ parallel: 1 });
    // Its clock stands still, so only a message from the other gateway can wake it.
    const [first, second] = [await replica(), await replica(new ManualClock())];
    const asked = [ask(first)];
    await atService(1);
    asked.push(ask(second));
    await reach('it waits', () => waiting(second)[0] === 'parallel');
    answerNext();
    await atService(1);
    answerNext();
    assert.ok((await Promise.all(asked)).every(({ status }) => status === 200));
  });

  it('send the longest-waiting request first, on whichever gateway it waits', async () => {
    const { replica, ask, answerNext, atService } = await start({ parallel: 1 });
    const [first, second] = [await replica(), await replica()];
    const asked = [ask(first)];
    await atService(1);
    asked.push(ask(second));
    await reach('the second waits', () => waiting(second).length === 1);
    asked.push(ask(first));
    await reach('the third waits', () => waiting(first).length === 1);
    answerNext();
    await atService(1);
    assert.deepEqual([waiting(first), waiting(second)], [['parallel'], []]);
    for (const _ of [2, 3]) {
      await atService(1);
      answerNext();
    }
    await Promise.all(asked);
  });

  it('pass on the turn of a client that disconnects', async () => {
    const { team, headers, replica, ask, answerNext, atService } = await start({ parallel: 1 });
    const [first, second] = [await replica(), await replica()];
    const leaving = open({ port: first.port, path: PATH, headers });
    leaving.on('error', () => undefined).end(question('messages'));
    await atService(1);
    const queued = open({ port: second.port, path: PATH, headers });
    queued.on('error', () => undefined).end(question('messages'));
    await reach('it waits', () => waiting(second).length === 1);
    const asked = ask(first);
    await reach('it waits', () => waiting(first).length === 1);
    queued.destroy();
    await eventually('one waits', async () => (await team.rows('SELECT FROM turn_queue')).length === 1);
    leaving.destroy();
    await atService(2);
    answerNext();
    answerNext();
    assert.equal((await asked).status, 200);
  });

  it('count the requests of all gateways per minute of the database, and refuse after 30 seconds', async () => {
    const { team, replica, ask, answerNext, atService } = await start({ requestsPerMinute: 2 });
    const clock = new ManualClock();
    const [first, second] = [await replica(clock), await replica()];
    for (const each of [first, second]) {
      const answered = ask(each);
      await atService(1);
      answerNext();
      await answered;
    }
    const asked = ask(first);
    await reach('it waits', () => waiting(first)[0] === 'requestsPerMinute');
    clock.advance(30_000);
    const refused = await asked;
    assert.equal(refused.status, 429);
    assert.match(refused.body.toString(), /The local key \\"ci\\" allows 2 requests per minute/);
    assert.equal(refused.headers['anthropic-ratelimit-requests-remaining'], '0');
    const seconds = Number(refused.headers['retry-after']);
    assert.ok(seconds > 0 && seconds <= 60);
    const late = ask(second);
    await reach('it waits', () => waiting(second).length === 1);
    await passMinute(team);
    await atService(1);
    answerNext();
    assert.equal((await late).status, 200);
  });

  it('count the tokens that answers actually used', async () => {
    const { team, replica, ask, answerNext, atService } = await start({ tokensPerMinute: 150 });
    const clock = new ManualClock();
    const [first, second] = [await replica(), await replica(clock)];
    const usage = { input_tokens: 100, output_tokens: 40 };
    const message = { type: 'message', id: 'msg_1', role: 'assistant', model: 'model-a', content: [], usage };
    const answered = ask(first);
    await atService(1);
    answerNext({ ...message, stop_reason: 'end_turn' });
    await answered;
    await eventually('they are counted', async () => (await team.rows('SELECT tokens FROM turn'))[0]?.tokens === 140);
    const asked = ask(second);
    await reach('it waits', () => waiting(second)[0] === 'tokensPerMinute');
    clock.advance(30_000);
    const { status, headers } = await asked;
    assert.deepEqual([status, headers['anthropic-ratelimit-tokens-remaining']], [429, '10']);
  });

  it('refuse requests at the end of a long queue with the limit that they wait for', async () => {
    const { replica, ask, answerNext, atService } = await start({ parallel: 1 });
    const clock = new ManualClock();
    const only = await replica(clock);
    const first = ask(only);
    await atService(1);
    const others = Array.from({ length: 50 }, () => ask(only));
    await reach('all wait', () => waiting(only).length === 50);
    clock.advance(30_000);
    for (const { status, headers } of await Promise.all(others)) {
      assert.deepEqual([status, headers['retry-after']], [429, '5']);
    }
    answerNext();
    assert.equal((await first).status, 200);
  });

  it('apply changes to waiting requests', async () => {
    const { team, replica, ask, answerNext, atService } = await start({ parallel: 1 });
    const [first, second] = [await replica(), await replica()];
    const asked = [ask(first)];
    await atService(1);
    asked.push(ask(second), ask(second));
    await reach('both wait', () => waiting(second).length === 2);
    await team.keys.change('ci', { limits: null });
    await atService(3);
    for (const _ of asked) answerNext();
    await Promise.all(asked);
  });

  it('use no table for a key that only has a session cap', async () => {
    const { team, replica, ask, answerNext, atService } = await start({ sessionDollars: 5 });
    const asked = ask(await replica());
    await atService(1);
    assert.deepEqual(await team.rows('SELECT FROM turn'), []);
    answerNext();
    assert.equal((await asked).status, 200);
  });

  it('grant a request one turn, however often it is requested', async () => {
    const { team, id } = await start({ parallel: 2, requestsPerMinute: 2 });
    const connection = new DatabaseConnection({ address: team.address, name: 'turns' });
    closeLater(() => connection.close());
    await team.rows("INSERT INTO replica (id, seen_at) VALUES ('a', clock_timestamp())");
    const turn = { id: 'x1', key: id, tokens: 5, waited: 0 };
    const other = { ...turn, id: 'x2' };
    for (const asked of [[turn], [turn, other], [turn, other]]) {
      assert.deepEqual(
        [...(await takeTurns(connection, 'a', asked, [])).values()],
        asked.map(() => undefined),
      );
    }
    const third = await takeTurns(connection, 'a', [{ ...turn, id: 'x3' }], []);
    assert.equal(third.get('x3')?.limit, 'parallel');
    const ended = [{ id: 'x1', key: id, tokens: 7, is_gone: false }];
    const again = await takeTurns(connection, 'a', [{ ...turn, id: 'x3' }], ended);
    assert.equal(again.get('x3')?.limit, 'requestsPerMinute');
    assert.equal(again.get('x3')?.tokens, 12);
    const gone = [{ id: 'x1', key: id, is_gone: true }];
    assert.equal((await takeTurns(connection, 'a', [{ ...turn, id: 'x3' }], gone)).get('x3'), undefined);
  });

  it('end turns whose grant never reached the gateway', async () => {
    const { team, id, replica, ask, answerNext, atService } = await start({ parallel: 1 });
    const only = await replica();
    await team.rows(
      "INSERT INTO turn SELECT 'lost', $1, id, clock_timestamp() - interval '2 minutes', 0, true FROM replica",
      [id],
    );
    const asked = ask(only);
    await atService(1);
    answerNext();
    assert.equal((await asked).status, 200);
  });

  describe('when a gateway is killed', () => {
    /** A gateway that was killed while three requests of a key ran, which is all that the key may. */
    const killed = async () => {
      const team = await createTeam();
      const silent = await startService(() => 'stay silent');
      const { key } = await team.keys.create('ci', { limits: { parallel: 3 } });
      const spool = await spoolFolder();
      const options = { script: LAUNCHER, database: team.address, spool, service: silent, key, callers: 3 };
      const gateway = await KilledGateway.start(options);
      await gateway.killWhileAsked();
      const service = await startService();
      const headers = { authorization: `Bearer ${key}`, ...JSON_TYPE };
      const ask = ({ port }: Replica) =>
        send({ port, path: pathOf('chat-completions'), headers, body: question('chat-completions') });
      return { team, spool, service, ask };
    };

    it('count its requests until its lease ends', async () => {
      const { team, service, ask } = await killed();
      const other = await startReplica(team, service);
      const asked = ask(other);
      await reach('it waits', () => waiting(other)[0] === 'parallel');
      // The lease ends by the clock of the database, which need not be waited for here.
      await team.rows("UPDATE replica SET seen_at = seen_at - interval '1 minute'");
      assert.equal((await asked).status, 200);
    });

    it('no longer count its requests after it restarts', async () => {
      const { team, spool, service, ask } = await killed();
      const next = await startReplica(team, service, { spool, clock: new ManualClock() });
      assert.equal((await ask(next)).status, 200);
    });
  });

  describe('while the database is unavailable', () => {
    let server: PostgresServer;

    before(async () => {
      server = await sharedServer();
    });
    // Other tests use it, too.
    afterEach(() => server.restart());

    it('are applied by each gateway separately, and together again afterwards', async () => {
      const team = await createTeam();
      const { replica, ask, answerNext, atService } = await start({ parallel: 1 }, team);
      const [first, second] = [await replica(), await replica()];
      const asked = [ask(first)];
      await atService(1);
      await server.kill();
      asked.push(ask(second));
      await atService(2);
      asked.push(ask(second));
      await reach('it waits', () => waiting(second)[0] === 'parallel');
      await server.restart();
      for (const _ of asked) {
        await reach('a request at the service', () => answerNext() !== undefined);
      }
      assert.ok((await Promise.all(asked)).every(({ status }) => status === 200));
      const counted = async () => (await team.rows('SELECT FROM turn')).length;
      // Each gateway connects again in its own time, and lets requests pass by itself until then.
      for (const each of [first, second]) {
        await eventually('it counts in the database', async () => {
          await eventually('all have ended', async () => (await counted()) === 0);
          const answer = ask(each);
          await atService(1);
          const isCounted = (await counted()) === 1;
          answerNext();
          await answer;
          return isCounted;
        });
      }
      await eventually('all have ended', async () => (await counted()) === 0);
      const again = [ask(first)];
      await atService(1);
      again.push(ask(second));
      await reach('it waits', () => waiting(second)[0] === 'parallel');
      answerNext();
      await atService(1);
      answerNext();
      assert.ok((await Promise.all(again)).every(({ status }) => status === 200));
    });
  });
});
