import assert from 'node:assert/strict';
import { openTeam } from '../../../../packages/gateway/src/cli/team.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { RefusalMemory } from '../../../../src/gateway/upstreams/repairs/refusalMemory.ts';
import { eventually } from '../../../support/eventually.ts';
import { get, send } from '../../gateway/support/client.ts';
import { closeAll, closeLater, startGateway } from '../../gateway/support/gateway.ts';
import { createTeam, type Team } from './replicas.ts';
import { removeSpools, spoolFolder } from './spools.ts';

const ADMIN_KEY = 'key_of-the-administrator-of-the-tests';
const ADMIN = { authorization: `Bearer ${ADMIN_KEY}` };

describe('what upstreams refuse, with a database', () => {
  let team: Team;
  beforeEach(async () => {
    team = await createTeam();
  });
  afterEach(async () => {
    await closeAll();
    await removeSpools();
  });

  async function openReplica() {
    const settings = { address: team.address, allowsWhenAway: false, adminKey: ADMIN_KEY, warnings: [] };
    const replica = await openTeam({ ...settings, spool: await spoolFolder() }, (message) => assert.fail(message));
    closeLater(() => replica.database.close());
    const memory = new RefusalMemory();
    await replica.refusals.share(memory);
    return { ...replica, memory, of: (model: string) => memory.ofUpstream('u', {}).of(model) };
  }

  it('is known to all replicas, also to those that start later', async () => {
    const [first, second] = await Promise.all([openReplica(), openReplica()]);
    first.memory.ofUpstream('u', {}).learn('m\0', [['temperature'], ['user', 'metadata']]);
    first.memory.ofUpstream('u', {}).learnUnhelped('m', ['shape']);
    await eventually('the other replica has read it', async () => second.memory.all.length === 3);
    const third = await openReplica();
    assert.deepEqual(third.of('m\uFFFD').length, 2);
    assert.deepEqual(third.memory.ofUpstream('u', { other: 1 }).of('m\uFFFD'), []);
    assert.ok(third.memory.ofUpstream('u', {}).isUnhelped('m', 'shape'));
  });

  it('is listed for administrators, who can make all replicas forget it', async () => {
    const [first, second] = await Promise.all([openReplica(), openReplica()]);
    const { books, keys, admin } = first;
    const settings = { id: 'u', baseUrl: 'http://127.0.0.1:9/v1', formats: ['messages'] as const, models: ['*'] };
    const upstream = createCompatible(settings);
    closeLater(() => upstream.close());
    const { port } = await startGateway({ upstream, books, keySource: keys, furtherPaths: admin, localKeys: [] });
    first.memory.ofUpstream('u', {}).learn('m', [['temperature']]);
    await eventually('the other replica has read it', async () => second.of('m').length === 1);
    const { body } = await get({ port, path: '/admin/refusals', headers: ADMIN });
    const [{ id, until, ...listed }] = JSON.parse(body.toString()).data;
    assert.deepEqual(listed, { upstream: 'u', model: 'm', changes: ['temperature'] });
    assert.ok(Date.parse(until) > Date.now());
    const remove = () => send({ port, path: `/admin/refusals/${id}`, method: 'DELETE', headers: ADMIN });
    assert.equal((await remove()).status, 204);
    await eventually('both replicas have forgotten it', async () => first.of('m').length + second.of('m').length === 0);
    assert.equal((await remove()).status, 404);
  });
});
