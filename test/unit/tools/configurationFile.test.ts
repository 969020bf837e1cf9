import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, link, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseConfigYaml } from '@continuedev/config-yaml';
import { type TemporaryFolder, temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import { configurationFormat } from '../../../src/tools/configuration/configurationFormat.ts';
import { changeFile, chooseFile, restoreFile } from '../../../src/tools/configurationFile.ts';
import { describePlace, placeOf, placeShown } from '../../../src/tools/configurationPlace.ts';
import { previewFile } from '../../../src/tools/filePreview.ts';
import type { ToolAccess } from '../../../src/tools/tool.ts';
import { TOOLS } from '../../../src/tools/toolList.ts';

const ACCESS: ToolAccess = {
  address: 'http://127.0.0.1:8787/api/v1',
  secret: 'key_for-this-tool',
  model: 'familya-haiku-4.5',
  contextWindow: 200_000,
  others: [{ id: 'familyc-5.4', contextWindow: 400_000, maxOutputTokens: 128_000 }],
};

const FULL_DISK = fileURLToPath(new URL('fullDiskProcess.ts', import.meta.url));

/** What users may have in these files: comments, members of their own, values that are changed, unusual spacing. */
const EARLIER: Readonly<Record<string, string>> = {
  'claude-code':
    '{\n    "permissions": { "allow": ["Bash(ls)"] },\n    "env": {"ANTHROPIC_MODEL":   "mine", "OTHER": "1"}\n}\n',
  codex:
    '# mine\nmodel = "gpt-5" # best\napproval_policy = "never"\n\n[model_providers.other] # a server\nname = "other"\nbase_url = "http://localhost:1/v1"\n\n[mcp_servers.lamps]\ncommand = "lamps"\nargs = [ "a",\n  "b" ]\n',
  aider: '# mine\nmodel:   sonnet # best\ndark-mode: true\n\nread:\n    - CONVENTIONS.md\n',
  opencode: '{\n\t// mine\n\t"theme": "dark", /* odd */\n\t"provider": { "local": { "npm": "x" }, },\n}\n',
  'kilo-code':
    '{\n  // mine\n  "$schema": "https://app.kilo.ai/config.json",\n  "model": "kilo/other", /* best */\n  "provider": { "local": { "npm": "x" } },\n}\n',
  continue:
    'name: Mine\nversion: 1.0.0\nschema: v1\n\n# my models\nmodels:\n  - name: Local # fast\n    provider: ollama\n    model: llama\n',
  'cline-cli':
    '{\n  "version": 1,\n  "lastUsedProvider": "anthropic",\n  "modes": {},\n  "providers": {\n    "anthropic": { "settings": { "provider": "anthropic" }, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual" }\n  }\n}\n',
  zed: '// Zed settings\n{\n  "ui_font_size": 16, // large\n  "language_models": {\n    "ollama": { "api_url": "http://localhost:11434", },\n  },\n}\n',
};

describe('the configuration of a tool', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  for (const { id, name, configuration } of TOOLS) {
    if (configuration === undefined) continue;
    const { format, files, changes } = configuration;
    const fileIn = () => chooseFile(files({ home: folder.path, platform: 'linux', env: {} }));
    const written = changes(ACCESS);

    describe(`of ${name}`, () => {
      async function prepared(text: string): Promise<string> {
        const file = await fileIn();
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
        return file;
      }
      const earlier = () => EARLIER[id] ?? assert.fail(`There is no sample for ${id}.`);

      it('is created if there is none, and removed again afterwards', async () => {
        const file = await fileIn();
        const changed = await changeFile(file, format, written);
        const { parse } = await configurationFormat(format);
        assert.ok(JSON.stringify(parse(await readFile(file, 'utf8'))).includes(ACCESS.model));
        await restoreFile(changed);
        assert.deepEqual(await readdir(dirname(file)).catch(() => []), []);
      });

      it('keeps comments and everything else', async () => {
        const file = await prepared(earlier());
        await changeFile(file, format, written);
        const text = await readFile(file, 'utf8');
        for (const comment of earlier().match(/(#|\/\/|\/\*) [a-zA-Z]\w+( \w+)*/g) ?? []) {
          assert.ok(text.includes(comment), `${comment} is missing in\n${text}`);
        }
        const { parse } = await configurationFormat(format);
        assertHolds(parse(text), parse(earlier()), new Set(['model', 'ANTHROPIC_MODEL', 'models', 'lastUsedProvider']));
      });

      it('is restored byte for byte', async () => {
        const file = await prepared(earlier());
        await restoreFile(await changeFile(file, format, written));
        assert.equal(await readFile(file, 'utf8'), earlier());
        assert.deepEqual(await readdir(dirname(file)), [file.slice(dirname(file).length + 1)], 'no backup is left');
      });

      it('keeps later changes by others, and loses only what was written', async () => {
        const file = await prepared(earlier());
        const changed = await changeFile(file, format, written);
        const { parse, edit } = await configurationFormat(format);
        await writeFile(file, edit(await readFile(file, 'utf8'), ['addedLater'], 'theirs'));
        await restoreFile(changed);
        const text = await readFile(file, 'utf8');
        assert.deepEqual(plain(parse(text)), { ...plain(parse(earlier())), addedLater: 'theirs' });
        assert.ok(!text.includes(ACCESS.secret), text);
      });

      it('keeps a value that was changed by others since', async () => {
        const file = await prepared('');
        const changed = await changeFile(file, format, written);
        const { edit, parse } = await configurationFormat(format);
        const [first] = written;
        assert.ok(first !== undefined);
        await writeFile(file, edit(await readFile(file, 'utf8'), first.path, 'theirs'));
        await restoreFile(changed);
        assert.ok(JSON.stringify(parse(await readFile(file, 'utf8'))).includes('theirs'));
      });

      const stamped = written.find((change) => change.kind === 'set' && change.stamp !== undefined);
      if (stamped?.kind === 'set' && stamped.stamp !== undefined) {
        const path = [...stamped.path, stamped.stamp];
        it('loses what was written even if the tool has updated its timestamp', async () => {
          const file = await prepared(earlier());
          const changed = await changeFile(file, format, written);
          const { edit, parse } = await configurationFormat(format);
          await writeFile(file, edit(await readFile(file, 'utf8'), path, '2026-05-01T00:00:00.000Z'));
          await restoreFile(changed);
          assert.deepEqual(plain(parse(await readFile(file, 'utf8'))), plain(parse(earlier())));
        });
      }

      it('is not changed if it cannot be read', async () => {
        const broken = format === 'toml' ? 'a = = 1\n' : '{ "a": [ \n';
        const file = await prepared(broken);
        await assert.rejects(changeFile(file, format, written));
        assert.equal(await readFile(file, 'utf8'), broken);
      });
    });
  }

  for (const id of ['opencode', 'kilo-code', 'zed', 'continue']) {
    it(`of ${id} lists every model of the catalog, with its limits if there is a place for them`, () => {
      const changes = TOOLS.find((tool) => tool.id === id)?.configuration?.changes(ACCESS);
      const written = JSON.stringify(changes);
      for (const model of ['familya-haiku-4.5', 'familyc-5.4']) assert.ok(written.includes(`"${model}"`), written);
      if (id === 'continue') return;
      assert.match(written, /"context":400000,"output":128000|"max_tokens":400000,"max_output_tokens":128000/);
    });
  }

  describe('that is readable by others or a link', () => {
    let path: string;
    const write = () => changeFile(path, 'json', [{ kind: 'set', path: ['key'], value: ACCESS.secret }]);
    const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

    beforeEach(async () => {
      path = join(folder.path, 'tool', 'settings.json');
      await mkdir(dirname(path));
    });

    it('is made private, like its backup, while it contains a key', async function () {
      // Windows has no such modes.
      if (process.platform === 'win32') this.skip();
      await writeFile(path, '{}');
      await chmod(path, 0o644);
      const changed = await write();
      assert.equal(await modeOf(path), '600');
      assert.equal(await modeOf(changed.backup ?? ''), '600');
      await restoreFile(changed);
      assert.equal(await modeOf(path), '644');
    });

    it('stays private if others have changed it since', async function () {
      if (process.platform === 'win32') this.skip();
      await writeFile(path, '{}');
      await chmod(path, 0o644);
      const changed = await write();
      await writeFile(path, '{ "theirs": 1 }');
      await restoreFile(changed);
      assert.equal(await modeOf(path), '600');
    });

    it('is changed in the target of the link, and the link stays', async () => {
      const target = join(folder.path, 'dotfiles.json');
      await writeFile(target, '{}');
      await symlink(target, path);
      const changed = await write();
      assert.equal(changed.target, target);
      assert.ok((await lstat(path)).isSymbolicLink());
      assert.ok((await readFile(target, 'utf8')).includes(ACCESS.secret));
      await restoreFile(changed);
      assert.equal(await readFile(target, 'utf8'), '{}');
    });

    it('is not created if the target of a link is missing', async () => {
      await symlink(join(folder.path, 'gone.json'), path);
      await assert.rejects(write(), /link to a file that does not exist/);
      assert.deepEqual((await readdir(folder.path)).sort(), ['tool']);
    });

    it('is not read if it is a folder or an endless device', async function () {
      await mkdir(path);
      await assert.rejects(write(), /not a configuration file/);
      await rm(path, { recursive: true });
      if (process.platform === 'win32') this.skip();
      await symlink('/dev/zero', path);
      await assert.rejects(write(), /not a configuration file/);
      const { problem } = await previewFile({ path, format: 'json', changes: [] });
      assert.match(problem ?? '', /not a configuration file/);
    });

    it('keeps a byte order mark, which some editors on Windows write', async () => {
      const marked = '\uFEFF{\r\n  "theirs": 1\r\n}\r\n';
      await writeFile(path, marked);
      const changed = await write();
      const text = await readFile(path, 'utf8');
      assert.ok(text.startsWith('\uFEFF{\r\n') && text.includes(ACCESS.secret), text);
      await writeFile(path, text.replace('1', '2'));
      await restoreFile(changed);
      assert.equal(await readFile(path, 'utf8'), marked.replace('1', '2'));
    });

    it('is not changed if it is not in UTF-8, because other bytes would be lost', async () => {
      const bytes = Buffer.from([0x7b, 0x22, 0xe4, 0x22, 0x3a, 0x31, 0x7d]);
      await writeFile(path, bytes);
      await assert.rejects(write(), /not in UTF-8/);
      const { problem } = await previewFile({ path, format: 'json', changes: [] });
      assert.match(problem ?? '', /not in UTF-8/);
      assert.ok((await readFile(path)).equals(bytes));
    });

    it('has no backup if it could not be written', async () => {
      // The name of the backup is just short enough for the file system, that of the draft is not.
      const long = join(dirname(path), 'a'.repeat(230));
      await writeFile(long, '{}');
      await assert.rejects(changeFile(long, 'json', [{ kind: 'set', path: ['key'], value: 1 }]), {
        code: 'ENAMETOOLONG',
      });
      assert.deepEqual(await readdir(dirname(path)), [basename(long)]);
    });

    it('keeps what another program writes at the same time', async () => {
      await writeFile(path, '{}');
      const change = {
        kind: 'set',
        path: ['key'],
        // Read after the file was read and before it is written.
        get value() {
          writeFileSync(path, '{ "theirs": 1 }');
          return ACCESS.secret;
        },
      } as const;
      await assert.rejects(changeFile(path, 'json', [change]), /Another program changed/);
      assert.equal(await readFile(path, 'utf8'), '{ "theirs": 1 }');
      assert.deepEqual(await readdir(dirname(path)), [basename(path)]);
    });

    it('is not created if another program creates it at the same time', async () => {
      const change = {
        kind: 'set',
        path: ['key'],
        get value() {
          writeFileSync(path, '{ "theirs": 1 }');
          return ACCESS.secret;
        },
      } as const;
      await assert.rejects(changeFile(path, 'json', [change]), /Another program changed/);
      assert.equal(await readFile(path, 'utf8'), '{ "theirs": 1 }');
    });

    it('is not written if its link changes at the same time', async () => {
      const [target, other] = [join(folder.path, 'mine.json'), join(folder.path, 'shared.json')];
      await Promise.all([target, other].map((file) => writeFile(file, '{}')));
      await symlink(target, path);
      const change = {
        kind: 'set',
        path: ['key'],
        get value() {
          rmSync(path);
          symlinkSync(other, path);
          return ACCESS.secret;
        },
      } as const;
      await assert.rejects(changeFile(path, 'json', [change]), /now points to .*shared\.json/);
      assert.deepEqual(await Promise.all([target, other].map((file) => readFile(file, 'utf8'))), ['{}', '{}']);
      assert.deepEqual(await readdir(dirname(path)), [basename(path)]);
    });

    it('is whole, and has no part of a backup, if the disk is full', async function () {
      // Windows has no such limit.
      if (process.platform === 'win32') this.skip();
      const text = JSON.stringify({ theirs: 'x'.repeat(4000) });
      await writeFile(path, text);
      const { stdout, stderr } = spawnSync('sh', [
        '-c',
        'ulimit -f 2; exec "$0" "$1" "$2"',
        process.execPath,
        FULL_DISK,
        path,
      ]);
      assert.match(String(stdout), /EFBIG/, String(stderr));
      assert.equal(await readFile(path, 'utf8'), text);
      assert.deepEqual(await readdir(dirname(path)), [basename(path)]);
    });

    it('is not read if it is longer than any configuration, because parsing it would take long', async () => {
      await writeFile(path, JSON.stringify({ theirs: 'x'.repeat(300 * 1024) }));
      await assert.rejects(write(), /too long/);
      const { problem } = await previewFile({ path, format: 'json', changes: [] });
      assert.match(problem ?? '', /too long/);
    });

    it('is restored although it has become long', async () => {
      await writeFile(path, '{}');
      const changed = await write();
      const long = 'x'.repeat(300 * 1024);
      await writeFile(path, (await readFile(path, 'utf8')).replace('{', `{ "theirs": "${long}",`));
      await restoreFile(changed);
      assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { theirs: long });
    });

    it('is not changed if a member on the way occurs twice, because tools read the last one', async () => {
      for (const text of ['{ "env": {},\n"env": {} }', '{ "env": { "key": 1,\n"key": 2 } }']) {
        await writeFile(path, text);
        const change = { kind: 'set', path: ['env', 'key'], value: ACCESS.secret } as const;
        await assert.rejects(changeFile(path, 'json', [change]), /Line 2: "\w+" occurs more than once/);
        assert.equal(await readFile(path, 'utf8'), text);
      }
    });

    it('is not changed if a value would be lost', async () => {
      const change = { kind: 'set', path: ['env', 'key'], value: ACCESS.secret } as const;
      for (const [format, text, problem] of [
        ['json', '{ "env": "mine" }', /"env" must be an object/],
        ['json', '[1]', /must contain an object/],
        ['yaml', 'env: mine\n', /"env" must be an object/],
        ['toml', 'env = "mine"\n', /"env" must be an object/],
      ] as const) {
        await writeFile(path, text);
        await assert.rejects(changeFile(path, format, [change]), problem);
        assert.equal(await readFile(path, 'utf8'), text);
      }
    });

    it('gets nothing back that was not its own', async () => {
      await writeFile(path, '{ "__proto__": { "key": "inherited" } }');
      const changed = await write();
      await writeFile(path, (await readFile(path, 'utf8')).replace('{', '{ "theirs": 1,'));
      await restoreFile(changed);
      assert.deepEqual(Object.keys(JSON.parse(await readFile(path, 'utf8'))), ['theirs', '__proto__']);
    });

    it('keeps its line ends', async () => {
      for (const [format, text] of [
        ['json', '{\r\n  "theirs": 1\r\n}\r\n'],
        ['yaml', 'theirs: 1\r\n'],
        ['toml', 'theirs = 1\r\n'],
      ] as const) {
        await writeFile(path, text);
        await changeFile(path, format, [{ kind: 'set', path: ['key'], value: ACCESS.secret }]);
        assert.match(await readFile(path, 'utf8'), /^(?:[^\r\n]*\r\n)+$/, format);
      }
    });

    it('keeps each of its backups if it is changed twice', async () => {
      await writeFile(path, '{ "first": 1 }');
      const first = await write();
      await writeFile(path, '{ "second": 2 }');
      const second = await write();
      assert.notEqual(first.backup, second.backup);
      assert.equal(await readFile(first.backup ?? '', 'utf8'), '{ "first": 1 }');
      assert.equal(await readFile(second.backup ?? '', 'utf8'), '{ "second": 2 }');
      await restoreFile(second);
      assert.deepEqual((await readdir(dirname(path))).sort(), [basename(path), basename(first.backup ?? '')]);
    });
  });

  describe('before it is written', () => {
    it('is shown with the target of its link, and the repository that contains it', async () => {
      const repository = join(folder.path, 'dotfiles');
      await mkdir(join(repository, '.git'), { recursive: true });
      await mkdir(join(repository, 'claude'));
      const link = join(folder.path, '.claude');
      await symlink(join(repository, 'claude'), link);
      // Here the folder is the link, and the file does not exist yet.
      const place = await placeOf(join(link, 'settings.json'));
      assert.equal(place.target, join(repository, 'claude', 'settings.json'));
      const text = describePlace(place).join('\n');
      assert.ok(text.includes(place.target) && text.includes(`${repository}.`), text);
    });

    it('is checked to be the file that was shown', async () => {
      const path = join(folder.path, 'settings.json');
      await writeFile(path, '{}');
      const { target: shown } = await previewFile({ path, format: 'json', changes: [] });
      await placeShown(path, shown);
      await rm(path);
      await writeFile(join(folder.path, 'shared.json'), '{}');
      await symlink(join(folder.path, 'shared.json'), path);
      await assert.rejects(placeShown(path, shown), /now points to .*shared\.json/);
      await assert.rejects(changeFile(path, 'json', [], shown), /now points to .*shared\.json/);
      assert.equal(await readFile(path, 'utf8'), '{}');
    });

    it('is reported to have other hard links, which do not get the key', async () => {
      const [path, other] = [join(folder.path, 'settings.json'), join(folder.path, 'dotfiles.json')];
      await writeFile(path, '{}', { mode: 0o600 });
      await link(path, other);
      assert.match(describePlace(await placeOf(path)).join('\n'), /Other hard links/);
      await changeFile(path, 'json', [{ kind: 'set', path: ['key'], value: ACCESS.secret }]);
      assert.equal(await readFile(other, 'utf8'), '{}');
    });

    it('cannot be changed if its folder cannot be written', async function () {
      // Windows has no such modes, and they do not restrict root.
      if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
      const path = join(folder.path, 'tool', 'settings.json');
      await mkdir(dirname(path));
      await writeFile(path, '{}');
      await chmod(dirname(path), 0o555);
      const there = await previewFile({ path, format: 'json', changes: [] });
      const missing = await previewFile({ path: join(dirname(path), 'new', 'file'), format: 'json', changes: [] });
      await chmod(dirname(path), 0o755);
      for (const { problem } of [there, missing]) assert.match(problem ?? '', /cannot be changed: .*EACCES/);
    });

    it('is reported if other users can read it', async function () {
      if (process.platform === 'win32') this.skip();
      const path = join(folder.path, 'settings.json');
      await writeFile(path, '{}');
      await chmod(path, 0o640);
      assert.match(describePlace(await placeOf(path)).join('\n'), /Other users of this machine/);
    });

    it('causes no warning in the usual place if only its user can read it', async () => {
      const path = join(folder.path, 'settings.json');
      await writeFile(path, '{}', { mode: 0o600 });
      assert.deepEqual(describePlace(await placeOf(path)), []);
    });
  });

  it('of Continue is accepted by Continue’s own parser', async () => {
    const configuration = TOOLS.find(({ id }) => id === 'continue')?.configuration;
    assert.ok(configuration !== undefined);
    const file = await chooseFile(configuration.files({ home: folder.path, platform: 'linux', env: {} }));
    for (const text of [undefined, EARLIER.continue ?? '']) {
      if (text !== undefined) await writeFile(file, text);
      const changed = await changeFile(file, configuration.format, configuration.changes(ACCESS));
      const { models } = parseConfigYaml(await readFile(file, 'utf8'));
      const expected = ['familya-haiku-4.5', 'familyc-5.4'].map((model) => ({
        name: `Model Access: ${model}`,
        provider: 'openai',
        model,
        apiBase: ACCESS.address,
        apiKey: ACCESS.secret,
        roles: ['chat', 'edit', 'apply'],
      }));
      assert.deepEqual(models?.slice(-2), expected);
      await restoreFile(changed);
    }
  });
});

/** Normalizes prototypes, which some parsers set. */
function plain(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}

/** Asserts that `whole` contains everything in `part`, except members that were to be changed. */
function assertHolds(whole: unknown, part: unknown, except: ReadonlySet<string>, path = ''): void {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) {
    assert.deepEqual(whole, part, path);
    return;
  }
  for (const [name, value] of Object.entries(part)) {
    if (except.has(name)) continue;
    assertHolds((whole as Record<string, unknown>)[name], value, except, `${path}.${name}`);
  }
}
