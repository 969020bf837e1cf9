import assert from 'node:assert/strict';
import { Settings } from '../../../../src/editor/settings/settings.ts';
import { workspace } from '../../../support/editorApi/vscode.ts';

describe('the settings for secrets', () => {
  const before = { ...workspace };
  afterEach(() => Object.assign(workspace, before));

  it('tell files and environment variables apart', () => {
    const getConfiguration = () => ({ get: () => ['**/.env', '$TOKEN', 7] });
    Object.assign(workspace, { getConfiguration });
    assert.deepEqual(new Settings().secretSources, { files: ['**/.env'], variables: ['TOKEN'] });
  });
});
