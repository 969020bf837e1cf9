import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import { realPlace } from '../../../src/files/realPlace.ts';

describe('the real location of a file', () => {
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

  it('is its own path if it contains no link', async () => {
    assert.deepEqual(await realPlace(join(work, '.env'), [work]), {
      path: join(work, '.env'),
      real: join(work, '.env'),
      isInside: true,
    });
  });

  it('is outside if the file is a link to the outside', async () => {
    await symlink(join(outside, 'key.pem'), join(work, 'notes.md'));
    const place = await realPlace(join(work, 'notes.md'), [work]);
    assert.deepEqual(place, {
      path: join(outside, 'key.pem'),
      real: join(outside, 'key.pem'),
      isInside: false,
    });
  });

  it('is outside if a parent folder is a link to the outside', async () => {
    await symlink(outside, join(work, 'docs'), 'dir');
    assert.equal((await realPlace(join(work, 'docs', 'key.pem'), [work])).isInside, false);
  });

  it('has the name of the file that an inside link points to', async () => {
    await symlink(join(work, '.env'), join(work, 'notes.md'));
    assert.deepEqual(await realPlace(join(work, 'notes.md'), [work]), {
      path: join(work, '.env'),
      real: join(work, '.env'),
      isInside: true,
    });
  });

  it('is inside if the folder itself is behind a link, in the spelling of that folder', async () => {
    const link = join(folder.path, 'link');
    await symlink(work, link, 'dir');
    assert.deepEqual(await realPlace(join(link, '.env'), [link]), {
      path: join(link, '.env'),
      real: join(work, '.env'),
      isInside: true,
    });
  });

  it('is not inside a folder whose name only starts with the same text', async () => {
    await mkdir(`${work}-other`);
    assert.equal((await realPlace(`${work}-other`, [work])).isInside, false);
  });
});
