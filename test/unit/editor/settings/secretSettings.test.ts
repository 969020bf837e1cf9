import assert from 'node:assert/strict';
import { Settings } from '../../../../src/editor/settings/settings.ts';
import { workspace } from '../../../support/editorApi/vscode.ts';

describe('the settings for secrets', () => {
  const before = { ...workspace };
  afterEach(() => Object.assign(workspace, before));

  /** Settings with values of the user, of which some are no longer in the manifest, and others of a workspace. */
  function settingsWith(user: Readonly<Record<string, unknown>>, ofWorkspace: Readonly<Record<string, unknown>> = {}) {
    const getConfiguration = () => ({
      get: (name: string, fallback: unknown) => user[name] ?? fallback,
      inspect: (name: string) => ({ globalValue: user[name], workspaceValue: ofWorkspace[name] }),
    });
    Object.assign(workspace, { getConfiguration });
    return new Settings();
  }

  it('have one policy for the extension and for tools', () => {
    const settings = settingsWith({ 'secrets.policy': 'seal' });
    assert.deepEqual([settings.secretPolicy, settings.gatewaySecrets], ['seal', 'seal']);
  });

  it('keep the values of earlier versions, which had a policy of its own for tools', () => {
    const own = settingsWith({ 'secrets.policy': 'refuse', 'gateway.secrets': 'seal', 'gateway.detectSecrets': true });
    assert.deepEqual([own.secretPolicy, own.gatewaySecrets], ['refuse', 'seal']);
    const reported = settingsWith({ 'gateway.detectSecrets': true });
    assert.deepEqual([reported.secretPolicy, reported.gatewaySecrets], ['off', 'report']);
    const sources = settingsWith({ 'secrets.files': ['*.conf'], 'secrets.variables': ['TOKEN'] }).secretSources;
    assert.deepEqual(sources, { files: ['*.conf'], variables: ['TOKEN'] });
  });

  it('tell files and environment variables apart', () => {
    const sources = settingsWith({ 'secrets.sources': ['**/.env', '$TOKEN', 7] }).secretSources;
    assert.deepEqual(sources, { files: ['**/.env'], variables: ['TOKEN'] });
  });

  it('do not take values of earlier versions from a workspace', () => {
    const settings = settingsWith({ 'secrets.policy': 'seal' }, { 'gateway.secrets': 'off', 'secrets.files': [] });
    assert.equal(settings.gatewaySecrets, 'seal');
  });
});
