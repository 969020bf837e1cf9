import { sharedServer } from '../../../support/postgres/postgresServer.ts';
import { closeLater } from '../../gateway/support/gateway.ts';

/** Returns the address of an empty database until the end of the test, on the server that all tests share. */
export async function emptyDatabase(): Promise<string> {
  const server = await sharedServer();
  const address = await server.borrowDatabase();
  closeLater(async () => server.returnDatabase(address));
  return address;
}

/** Returns the address of a database without data for a gateway until the end of the test. */
export async function databaseForGateway(): Promise<string> {
  const server = await sharedServer();
  const address = await server.borrowForGateway();
  closeLater(async () => server.returnWithSchema(address));
  return address;
}
