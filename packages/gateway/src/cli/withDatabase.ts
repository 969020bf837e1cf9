import { LocalKeyError } from '../../../../src/gateway/keys/keyTerms.ts';
import { AdminError } from '../postgres/admin/adminError.ts';
import { DatabaseConnection } from '../postgres/connection.ts';
import { migrate } from '../postgres/schema.ts';
import { UsageError } from './arguments.ts';

/**
 * Does the work of a command in the database, and closes it.
 * @throws {UsageError} @throws {DatabaseError}
 */
export async function withDatabase<Result>(
  address: string,
  work: (connection: DatabaseConnection) => Promise<Result>,
): Promise<Result> {
  const connection = new DatabaseConnection({ address, name: 'admin' });
  try {
    await migrate(connection);
    return await work(connection);
  } catch (error) {
    if (error instanceof AdminError || error instanceof LocalKeyError) throw new UsageError(error.message);
    throw error;
  } finally {
    await connection.close();
  }
}
