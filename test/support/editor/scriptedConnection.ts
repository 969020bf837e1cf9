import assert from 'node:assert/strict';
import type { Services } from '../../../src/editor/services.ts';
import { parseKey } from '../../../src/service/pastedKey.ts';
import { ScriptedModel } from '../scriptedModel.ts';

const SECRET = 'key_host_test_scripted_model_0123456789';

/** Connects the running extension to a scripted model, with a service key of its own. */
export class ScriptedConnection {
  readonly model: ScriptedModel;
  readonly #services: Services;

  static async open(services: Services): Promise<ScriptedConnection> {
    const model = await ScriptedModel.start();
    await services.settings.set('sandbox.enabled', false);
    await services.settings.set('baseAddress', model.baseAddress);
    const key = parseKey(SECRET);
    assert.ok(key.ok);
    await services.keys.store(key.key, model.baseAddress);
    await services.connection.refresh();
    await services.models.refresh();
    return new ScriptedConnection(services, model);
  }

  private constructor(services: Services, model: ScriptedModel) {
    this.#services = services;
    this.model = model;
  }

  /** Shows a new chat, and removes the key and the address. */
  async close(): Promise<void> {
    const { session, keys, settings, connection } = this.#services;
    await session.startNew();
    await keys.remove();
    await settings.set('baseAddress', '');
    await connection.refresh();
    await this.model.close();
  }
}
