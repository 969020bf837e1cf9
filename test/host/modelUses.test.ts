import assert from 'node:assert/strict';
import type { Services } from '../../src/editor/services.ts';
import { inSandbox } from './extension.ts';

const [SMALL, LARGE] = ['familya-haiku-4.5', 'familya-opus-4.6'];

describe('the models for different uses', () => {
  let services: Services;

  before(async () => {
    services = await inSandbox();
    await services.session.startNew();
  });
  afterEach(async () => {
    const { modelUses, session } = services;
    for (const use of ['chat', 'explain', 'commitMessage'] as const) await modelUses.choose(use, undefined);
    await session.startNew();
  });

  it('default to the chat model if none was chosen', async () => {
    const { modelUses, session } = services;
    await session.parameters.chooseModel(LARGE);
    assert.equal(modelUses.modelFor('explain'), LARGE);
    assert.equal(modelUses.modelFor('commitMessage'), LARGE);
    assert.equal(modelUses.chosen('explain'), undefined);
  });

  it('are chosen individually and can be reset', async () => {
    const { modelUses, session } = services;
    await modelUses.choose('commitMessage', SMALL);
    assert.equal(modelUses.modelFor('commitMessage'), SMALL);
    assert.equal(modelUses.modelFor('explain'), session.parameters.model);
    await modelUses.choose('commitMessage', undefined);
    assert.equal(modelUses.modelFor('commitMessage'), session.parameters.model);
  });

  it('report a change', async () => {
    const { modelUses } = services;
    const heard = new Promise<void>((resolve) => {
      const subscription = modelUses.onDidChange(() => {
        subscription.dispose();
        resolve();
      });
    });
    await modelUses.choose('explain', SMALL);
    await heard;
  });

  it('do not change the open chat when new chats get another model', async () => {
    const { modelUses, session } = services;
    await session.parameters.chooseModel(LARGE);
    await modelUses.choose('chat', SMALL);
    assert.equal(modelUses.modelFor('chat'), SMALL);
    assert.equal(session.parameters.model, LARGE);
  });
});
