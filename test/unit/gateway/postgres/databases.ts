import { sharedServer } from '../../../support/postgres/postgresServer.ts';
import { closeLater } from '../support/gateway.ts';

/** Returns the address of an empty database until the end of the test, on the server that all tests share. */
export async function emptyDatabase(): Promise<string> {
  const server = await sharedServer();
  const address = await server.borrowDatabase();
  closeLater(async () => server.returnDatabase(address));
  return address;
}
