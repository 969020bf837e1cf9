import type { ContextReport } from '../../../../../src/ledger/contextReport.ts';
import { AdminError } from '../../postgres/admin/adminError.ts';
import { type ContextReportQuestion, reportContext } from '../../postgres/admin/contextReport.ts';
import { DatabaseConnection } from '../../postgres/connection.ts';
import { migrate } from '../../postgres/schema.ts';
import { UsageError } from '../arguments.ts';

/** @throws {UsageError} @throws {DatabaseError} */
export async function reportFromDatabase(address: string, question: ContextReportQuestion): Promise<ContextReport> {
  const connection = new DatabaseConnection({ address, name: 'admin' });
  try {
    await migrate(connection);
    return await reportContext(connection, question);
  } catch (error) {
    if (error instanceof AdminError) throw new UsageError(error.message);
    throw error;
  } finally {
    await connection.close();
  }
}
