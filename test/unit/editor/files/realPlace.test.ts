import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../../scripts/lib/temporaryFolder.ts';
import { realPlace } from '../../../../src/editor/files/realPlace.ts';

describe('where a file really is', () => {
  let folder: TemporaryFolder;
  let work: string;
  let outside: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    [work, outside] = [join(folder.path, 'work'), join(folder.path, 'outside')];
    await mkdir(work);
    await mkdir(outside);
    await writeFile(join(work, '.env'), '');
    await writeFile(join(outside, 'key.pem'), '');
  });
  afterEach(() => folder.remove());

  it('is its own path where no link is in it', async () => {
    assert.deepEqual(await realPlace(join(work, '.env'), [work]), { path: join(work, '.env'), isInside: true });
  });

  it('is outside where a file is a link that leads there', async () => {
    await symlink(join(outside, 'key.pem'), join(work, 'notes.md'));
    const place = await realPlace(join(work, 'notes.md'), [work]);
    assert.deepEqual(place, { path: join(outside, 'key.pem'), isInside: false });
  });

  it('is outside where a folder on the way is a link that leads there', async () => {
    await symlink(outside, join(work, 'docs'), 'dir');
    assert.equal((await realPlace(join(work, 'docs', 'key.pem'), [work])).isInside, false);
  });

  it('has the name of the file that a link inside leads to', async () => {
    await symlink(join(work, '.env'), join(work, 'notes.md'));
    assert.deepEqual(await realPlace(join(work, 'notes.md'), [work]), { path: join(work, '.env'), isInside: true });
  });

  it('is inside where the folder itself is behind a link, as that folder writes it', async () => {
    const link = join(folder.path, 'link');
    await symlink(work, link, 'dir');
    assert.deepEqual(await realPlace(join(link, '.env'), [link]), { path: join(link, '.env'), isInside: true });
  });

  it('is not inside of a folder whose name begins like that of the folder', async () => {
    await mkdir(`${work}-other`);
    assert.equal((await realPlace(`${work}-other`, [work])).isInside, false);
  });
});
