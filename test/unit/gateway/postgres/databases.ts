import { type PostgresServer, sharedServer } from '../../../support/postgres/postgresServer.ts';
import { closeLater } from '../support/gateway.ts';

/**
 * Returns the address of an empty database until the end of the test.
 * @param on the server, if not the one that all tests of this process share.
 */
export async function emptyDatabase(on?: PostgresServer): Promise<string> {
  const server = on ?? (await sharedServer());
  const address = await server.borrowDatabase();
  closeLater(async () => server.returnDatabase(address));
  return address;
}
