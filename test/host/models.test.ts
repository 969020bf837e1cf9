import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { parseKey } from '../../src/service/pastedKey.ts';
import { eventually } from '../support/eventually.ts';
import { answerJson, ScriptedService } from '../support/scriptedService.ts';
import { activated } from './extension.ts';

const KEY = 'key_host_test_models_0123456789';
/** Used for every request. It contains no balance, which does not matter here. */
const MODELS = { object: 'list', data: [{ id: 'familya-haiku-4.5' }, { id: 'familyc-5.4' }] };

describe('the models while the service is unreachable', () => {
  let services: Services;

  before(async () => {
    services = await activated();
    await services.settings.set('sandbox.enabled', false);
  });
  after(async () => {
    await services.keys.remove();
    await services.settings.set('baseAddress', '');
    await services.connection.refresh();
  });

  it('are those of the last list with its date, here and in the editor’s built-in chat', async () => {
    const { settings, keys, connection, models } = services;
    const service = await ScriptedService.start(answerJson(MODELS));
    try {
      await settings.set('baseAddress', service.baseAddress);
      const key = parseKey(KEY);
      assert.ok(key.ok);
      await keys.store(key.key, service.baseAddress);
      await connection.refresh();
      await models.refresh();
      assert.equal(models.state.state, 'current');
    } finally {
      await service.close();
    }
    const { models: known, readAt } = models.state;
    assert.equal(known.length, 2);
    await models.refresh();
    assert.equal(models.state.state, 'stale');
    assert.equal(models.state.readAt, readAt);
    assert.ok(models.state.problem);
    assert.deepEqual(models.state.models, known);
    const ids = known.map(({ id }) => id).sort();
    await eventually('the models in the editor', async () => {
      const offered = await vscode.lm.selectChatModels({ vendor: 'model-access' });
      return JSON.stringify(offered.map(({ id }) => id).sort()) === JSON.stringify(ids);
    });
  });
});
