import assert from 'node:assert/strict';
import { Announcements } from '../../../../packages/gateway/src/postgres/announcements.ts';
import { DatabaseConnection } from '../../../../packages/gateway/src/postgres/connection.ts';
import { KeyDirectory } from '../../../../packages/gateway/src/postgres/keyDirectory.ts';
import { closeAll, closeLater } from '../../gateway/support/gateway.ts';
import { createTeam, type Team } from './replicas.ts';

/** A connection that counts its queries. */
class CountingConnection extends DatabaseConnection {
  queries = 0;

  override query(...given: Parameters<DatabaseConnection['query']>) {
    this.queries += 1;
    return super.query(...given);
  }
}

describe('keys that are not in memory', () => {
  let team: Team;
  let connection: CountingConnection;
  let directory: KeyDirectory;

  beforeEach(async () => {
    team = await createTeam();
    connection = new CountingConnection({ address: team.address, name: 'counted' });
    const announcements = new Announcements(team.address);
    directory = new KeyDirectory({ announcements, connection, onProblem: assert.fail });
    closeLater(async () => {
      await directory.close();
      await connection.close();
    });
    await directory.begin();
    connection.queries = 0;
  });
  afterEach(closeAll);

  const identify = (key: string) => Promise.resolve(directory.identify({ authorization: `Bearer ${key}` }));

  it('are looked up together, so that a flood of them does not keep budgets waiting', async () => {
    const unknown = Array.from({ length: 900 }, (_, number) => identify(`key_unknown-${number}`));
    const admissions = await Promise.all(unknown);
    for (const admission of admissions) assert.equal(admission.ok ? 200 : admission.refusal.error.status, 401);
    assert.ok(connection.queries <= 2, `${connection.queries} queries`);
  });

  it('are found although unknown keys arrive at the same time', async () => {
    // The announcement of the key may arrive first, which is not looked up.
    const created = await team.keys.create('new', {});
    const [, admission] = await Promise.all([identify('key_unknown'), identify(created.key)]);
    assert.ok(admission?.ok);
  });

  it('are refused without a query if they have expired', async () => {
    const { key } = await team.keys.create('old', { expiresAt: Date.now() + 60_000 });
    assert.ok((await identify(key)).ok);
    await team.rows("UPDATE api_key SET expires_at = now() - interval '1 hour'");
    const expiring = new KeyDirectory({
      announcements: new Announcements(team.address),
      connection,
      onProblem: assert.fail,
    });
    closeLater(() => expiring.close());
    await expiring.begin();
    connection.queries = 0;
    for (let time = 0; time < 10; time += 1) {
      const admission = await expiring.identify({ authorization: `Bearer ${key}` });
      assert.match(admission.ok ? '' : admission.refusal.error.message, /expired/);
    }
    assert.equal(connection.queries, 0);
  });
});
