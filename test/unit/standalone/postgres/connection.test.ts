import assert from 'node:assert/strict';
import { DatabaseConnection } from '../../../../packages/gateway/src/postgres/connection.ts';
import { eventually } from '../../../support/eventually.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { emptyDatabase } from './databases.ts';

describe('a connection that the database closes', () => {
  afterEach(closeAll);

  const CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'model-access cut'";

  it('resends a statement on a new one, if it had no effect', async () => {
    const address = await emptyDatabase();
    let losses = 0;
    const cut = new DatabaseConnection({ address, name: 'cut', onLost: () => losses++ });
    const other = new DatabaseConnection({ address, name: 'other' });
    closeLater(() => Promise.all([cut.close(), other.close()]));
    const blocked = async () =>
      (await other.query("SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()"))
        .length === 1;
    await other.query('SELECT pg_advisory_lock(1)');
    const asked = cut.queryAgain("SELECT pg_advisory_xact_lock(1), 'yes' AS answer", []);
    await eventually('it is under way', blocked);
    await other.query(CUT);
    await eventually('it is under way again', blocked);
    await other.query('SELECT pg_advisory_unlock(1)');
    assert.equal((await asked)[0]?.answer, 'yes');
    assert.equal(losses, 1);
    await other.query('SELECT pg_advisory_lock(1)');
    const failing = assert.rejects(cut.query('SELECT pg_advisory_xact_lock(1)'), { problem: 'away' });
    await eventually('it is under way', blocked);
    await other.query(CUT);
    await failing;
  });
});
