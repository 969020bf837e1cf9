import assert from 'node:assert/strict';
import { KeyAdmin } from '../../../../packages/gateway/src/postgres/admin/keyAdmin.ts';
import { TeamAdmin } from '../../../../packages/gateway/src/postgres/admin/teamAdmin.ts';
import { DatabaseConnection, type DatabaseRow } from '../../../../packages/gateway/src/postgres/connection.ts';
import { Lease } from '../../../../packages/gateway/src/postgres/lease.ts';
import { migrate } from '../../../../packages/gateway/src/postgres/schema.ts';
import { TeamDatabase, type TeamDatabaseOptions } from '../../../../packages/gateway/src/postgres/teamDatabase.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Answer, type AskedRequest, ModelServer } from '../../../support/modelServer/modelServer.ts';
import { isList, LIST, question } from '../../gateway/budgets/limited.ts';
import { type Answer as HttpAnswer, send } from '../../gateway/support/client.ts';
import { closeLater, type RunningGateway, SERVICE_KEY, startGateway } from '../../gateway/support/gateway.ts';
import { databaseForGateway } from './databases.ts';
import { spoolFolder } from './spools.ts';

/** A database without data that is ready for replicas, and its administration. */
export interface Team {
  readonly address: string;
  readonly keys: KeyAdmin;
  readonly teams: TeamAdmin;
  rows(statement: string, values?: readonly unknown[]): Promise<readonly DatabaseRow[]>;
}

export async function createTeam(address?: string): Promise<Team> {
  const database = address ?? (await databaseForGateway());
  const connection = new DatabaseConnection({ address: database, name: 'tests' });
  closeLater(() => connection.close());
  await migrate(connection);
  return {
    address: database,
    keys: new KeyAdmin(connection),
    teams: new TeamAdmin(connection),
    rows: (statement, values) => connection.query(statement, values),
  };
}

/** A third of a usual lease, because a test waits until the server has run for so long. */
const LEASE_MS = 5_000;

/** Nothing is settled before the server has run for as long as a lease takes. */
export async function serverIsOldEnough({ rows }: Team): Promise<void> {
  await eventually('the server has run for a lease', async () => {
    const [row] = await rows(
      `SELECT pg_postmaster_start_time() < clock_timestamp() - interval '${LEASE_MS} milliseconds' AS is_old`,
    );
    return row?.is_old === true;
  });
}

/** A replica's lease without its gateway, whose clock the test moves. */
export function createLease({ address }: Team, replica: string) {
  const connection = new DatabaseConnection({ address, name: replica });
  closeLater(() => connection.close());
  let seconds = 0;
  const lease = new Lease({
    connection,
    replica,
    isOver: () => false,
    onRenewed: async () => undefined,
    onProblem: (message) => assert.fail(message),
    leaseMs: LEASE_MS,
    now: () => seconds * 1000,
  });
  closeLater(async () => lease.stop());
  const renewAfter = async (passed: number) => {
    seconds = passed;
    await lease.renew();
  };
  return { lease, renewAfter };
}

export interface Replica extends RunningGateway {
  readonly database: TeamDatabase;
  readonly problems: readonly string[];
}

/** Starts a gateway with the team's database in front of the service. */
export async function startReplica(
  { address }: Team,
  service: Pick<ModelServer, 'baseUrl'>,
  options: Partial<TeamDatabaseOptions> = {},
): Promise<Replica> {
  const problems: string[] = [];
  const database = await TeamDatabase.open({
    address,
    spool: await spoolFolder(),
    onProblem: (message) => problems.push(message),
    ...options,
  });
  closeLater(() => database.close());
  const upstream = createHosted({ baseAddress: service.baseUrl, serviceKey: SERVICE_KEY });
  closeLater(() => upstream.close());
  const { books, keys, queues } = database;
  const running = await startGateway({ upstream, books, queues, keySource: keys, localKeys: [] });
  return { ...running, database, problems };
}

/** Starts a service that lists a model with prices. */
export async function startService(script: (request: AskedRequest) => Answer = () => ANSWER): Promise<ModelServer> {
  const server = await ModelServer.start((request) => (isList(request) ? LIST : script(request)));
  closeLater(() => server.close());
  return server;
}

const ANSWER: Answer = { parts: [{ text: 'Yes.' }] };

/** Sends one question with a key. */
export function ask({ port }: Pick<RunningGateway, 'port'>, key: string, client = 'tests'): Promise<HttpAnswer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': client };
  return send({ port, path: '/api/v1/chat/completions', headers, body: question('chat-completions') });
}
