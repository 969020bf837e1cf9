import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { type Manifest, readManifest, type Setting } from './support/manifest.ts';
import { settingsPage } from './support/settingsPage.ts';

const PAGE = new URL('../../../../docs/settings.md', import.meta.url);
const README = new URL('../../../../README.md', import.meta.url);

/** The settings that a cloned repository may set for the user who opens it: appearance only. */
const OF_WORKSPACES = ['modelAccess.statusBar'];
/** The editor shows those that are tagged as advanced only to a person who searches for them. */
const MAX_SHOWN = 36;
const SCOPES = ['application', 'machine', 'window'];

describe('the settings', () => {
  let manifest: Manifest;
  let settings: readonly (readonly [name: string, setting: Setting])[];

  before(async () => {
    manifest = await readManifest();
    settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  });

  it('are in groups, each with its own order', () => {
    const { configuration } = manifest.contributes;
    assert.deepEqual(
      configuration.map(({ order }) => order),
      configuration.map((_, index) => index + 1),
    );
    for (const { title, properties } of configuration) {
      const orders = Object.values(properties).map(({ order }) => order);
      assert.deepEqual(
        orders,
        orders.map((_, index) => index + 1),
        title,
      );
    }
  });

  it('are few at first sight', () => {
    const shown = settings.filter(
      ([, { tags = [], ...rest }]) => !tags.includes('advanced') && !('markdownDeprecationMessage' in rest),
    );
    assert.ok(shown.length <= MAX_SHOWN, `${shown.length} settings`);
  });

  it('are described in full sentences, including each of their values', () => {
    for (const [name, { markdownDescription, enum: values, ...rest }] of settings) {
      assert.match(markdownDescription, /^[A-Z][\s\S]+\.$/, name);
      if (values === undefined) continue;
      const meanings = rest.enumDescriptions ?? rest.markdownEnumDescriptions;
      assert.ok(Array.isArray(meanings) && meanings.length === values.length, name);
    }
  });

  it('link to existing commands, views and settings', () => {
    const commands = manifest.contributes.commands.map(({ command }) => command);
    const views = Object.values(manifest.contributes.views).flatMap((list) => list.map(({ id }) => `${id}.focus`));
    const names = settings.map(([name]) => name);
    for (const [name, { markdownDescription }] of settings) {
      for (const [, command = ''] of markdownDescription.matchAll(/\(command:([^)]+)\)/g)) {
        assert.ok([...commands, ...views].includes(command), `${name}: ${command}`);
      }
      for (const [, other = ''] of markdownDescription.matchAll(/`#([^#`]+)#`/g)) {
        assert.ok(names.includes(other), `${name}: ${other}`);
      }
    }
  });

  it('cannot come from a workspace if they control more than the display', () => {
    for (const [name, { scope }] of settings) {
      assert.ok(SCOPES.includes(scope), `${name}: ${scope}`);
      assert.equal(scope === 'window', OF_WORKSPACES.includes(name), name);
    }
  });

  it('are declared as restricted if they have machine scope', () => {
    const ofMachine = settings.filter(([, { scope }]) => scope === 'machine').map(([name]) => name);
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.deepEqual([...restrictedConfigurations].sort(), ofMachine.sort());
  });

  it('are described in docs/settings.md', async () => {
    const page = settingsPage(manifest);
    if (process.env.UPDATE_PAGES === '1') await writeFile(PAGE, page);
    const written = await readFile(PAGE, 'utf8');
    assert.equal(written, page, 'docs/settings.md is out of date. Run this test with UPDATE_PAGES=1.');
  });

  it('are named correctly in the table of README.md, with their defaults', async () => {
    const readme = await readFile(README, 'utf8');
    const rows = [...readme.matchAll(/^\| `modelAccess\.[^|]+\|[^|]*\|/gm)].map(([row]) =>
      row.split('|').map((cell) => cell.trim()),
    );
    assert.ok(rows.length >= 8);
    const defaults = new Map(settings.map(([name, setting]) => [name, setting.default]));
    for (const [, names = '', written = ''] of rows) {
      const values = written === '' ? [] : written.split(', ').map((value) => JSON.parse(value.replaceAll('`', '')));
      let group = '';
      for (const [index, name] of names
        .split(', ')
        .map((cell) => cell.replaceAll('`', ''))
        .entries()) {
        const full = name.startsWith('.') ? group + name : name;
        group = full.slice(0, full.lastIndexOf('.'));
        assert.ok(defaults.has(full), full);
        if (values.length > 0) assert.deepEqual(values[index] ?? values[0], defaults.get(full), full);
      }
    }
  });
});
