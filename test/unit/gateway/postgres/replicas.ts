import { KeyAdmin } from '../../../../src/gateway/postgres/admin/keyAdmin.ts';
import { TeamAdmin } from '../../../../src/gateway/postgres/admin/teamAdmin.ts';
import { Connection, type Row } from '../../../../src/gateway/postgres/connection.ts';
import { migrate } from '../../../../src/gateway/postgres/schema.ts';
import { TeamDatabase, type TeamDatabaseOptions } from '../../../../src/gateway/postgres/teamDatabase.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { type Answer, type AskedRequest, ModelServer } from '../../../support/modelServer/modelServer.ts';
import { freshDatabase } from '../../../support/postgres/postgresServer.ts';
import { isList, LIST, question } from '../budgets/limited.ts';
import { type Answer as HttpAnswer, send } from '../support/client.ts';
import { closeLater, type RunningGateway, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { spoolFolder } from './spools.ts';

/** An empty database that is ready for replicas, and its administration. */
export interface Team {
  readonly address: string;
  readonly keys: KeyAdmin;
  readonly teams: TeamAdmin;
  rows(statement: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export async function createTeam(address?: string): Promise<Team> {
  const database = address ?? (await freshDatabase());
  const connection = new Connection({ address: database, name: 'tests' });
  closeLater(() => connection.close());
  await migrate(connection);
  return {
    address: database,
    keys: new KeyAdmin(connection),
    teams: new TeamAdmin(connection),
    rows: (statement, values) => connection.query(statement, values),
  };
}

export interface Replica extends RunningGateway {
  readonly database: TeamDatabase;
  readonly problems: readonly string[];
}

/** Starts a gateway with the team's database in front of the service. */
export async function startReplica(
  { address }: Team,
  service: ModelServer,
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
  const { books, keys } = database;
  const running = await startGateway({ upstream, books, keySource: keys, localKeys: [] });
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
