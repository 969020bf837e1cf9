import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import type { Change } from '../../../src/tools/configuration/edits.ts';
import { changeFile } from '../../../src/tools/configurationFile.ts';
import { previewFile, shortPath } from '../../../src/tools/filePreview.ts';

const EARLIER = 'model = "mine" # best\n\n[other]\nkind = "theirs"\n';
const CHANGES: readonly Change[] = [{ kind: 'set', path: ['model'], value: 'familya-haiku-4.5' }];
const OTHERS: readonly Change[] = [{ kind: 'set', path: ['model'], value: 'familya-opus-4.6' }];

describe('the preview of a file', () => {
  let folder: TemporaryFolder;
  let path: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    path = join(folder.path, 'config.toml');
  });
  afterEach(() => folder.remove());

  const preview = (changes = CHANGES, of = path) => previewFile({ path: of, format: 'toml', changes });
  const changed = (lines: Awaited<ReturnType<typeof preview>>['lines']) =>
    lines.flatMap((line) => (line.kind === 'added' || line.kind === 'removed' ? [`${line.kind} ${line.text}`] : []));

  it('shows the changes without writing them', async () => {
    await writeFile(path, EARLIER);
    const { lines, isNew, problem } = await preview();
    assert.deepEqual(changed(lines), ['removed model = "mine" # best', 'added model = "familya-haiku-4.5" # best']);
    assert.equal(isNew, false);
    assert.equal(problem, undefined);
    assert.equal(await readFile(path, 'utf8'), EARLIER);
  });

  it('reports that a file is created', async () => {
    const { lines, isNew } = await preview();
    assert.deepEqual(changed(lines), ['added model = "familya-haiku-4.5"']);
    assert.equal(isNew, true);
  });

  it('compares with the restored file if the tool is already connected', async () => {
    await writeFile(path, EARLIER);
    const connected = await changeFile(path, 'toml', CHANGES);
    const { lines } = await previewFile({ path, format: 'toml', changes: OTHERS, connected });
    assert.deepEqual(changed(lines), ['removed model = "mine" # best', 'added model = "familya-opus-4.6" # best']);
    assert.match(await readFile(path, 'utf8'), /familya-haiku/);
  });

  it('names the target of a link', async () => {
    const target = join(folder.path, 'real.toml');
    await writeFile(target, EARLIER);
    await symlink(target, path);
    const { path: shown, notes } = await preview();
    assert.ok(shown.endsWith('real.toml'), shown);
    assert.ok(notes.some((note) => note.includes('is a link')));
  });

  it('states why a file cannot be changed', async () => {
    await writeFile(path, 'a = = 1\n');
    const { problem, lines } = await preview();
    assert.match(problem ?? '', /config\.toml cannot be changed: /);
    assert.deepEqual(lines, []);
    await symlink(join(folder.path, 'missing'), join(folder.path, 'link.toml'));
    assert.match((await preview(CHANGES, join(folder.path, 'link.toml'))).problem ?? '', /does not exist/);
  });

  it('shortens only the path of the home folder', () => {
    const home = [sep, 'home', 'me'].join(sep).replace(sep + sep, sep);
    assert.equal(shortPath([home, '.codex'].join(sep), home), `~${sep}.codex`);
    assert.equal(shortPath(`${home}lier`, home), `${home}lier`);
  });
});
