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

  it('are the model of the chat where none was chosen', async () => {
    const { modelUses, session } = services;
    await session.parameters.chooseModel(LARGE);
    assert.equal(modelUses.modelFor('explain'), LARGE);
    assert.equal(modelUses.modelFor('commitMessage'), LARGE);
    assert.equal(modelUses.chosen('explain'), undefined);
  });

  it('are chosen one by one, and the choice can be taken back', async () => {
    const { modelUses, session } = services;
    await modelUses.choose('commitMessage', SMALL);
    assert.equal(modelUses.modelFor('commitMessage'), SMALL);
    assert.equal(modelUses.modelFor('explain'), session.parameters.model);
    await modelUses.choose('commitMessage', undefined);
    assert.equal(modelUses.modelFor('commitMessage'), session.parameters.model);
  });

  it('tell of a change', async () => {
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

  it('leave the conversation that is shown alone when new ones get another', async () => {
    const { modelUses, session } = services;
    await session.parameters.chooseModel(LARGE);
    await modelUses.choose('chat', SMALL);
    assert.equal(modelUses.modelFor('chat'), SMALL);
    assert.equal(session.parameters.model, LARGE);
  });
});
