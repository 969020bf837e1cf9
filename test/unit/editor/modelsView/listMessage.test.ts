import assert from 'node:assert/strict';
import { listMessage } from '../../../../src/editor/modelsView/listMessage.ts';

const NOW = new Date(2026, 4, 20, 12).getTime();
const MINUTE = 60_000;
const MODELS = [{ id: 'familya-haiku-4.5', raw: {} }];

describe('the message above the models', () => {
  it('dates an earlier list, and says why there is none of now', () => {
    const list = { models: MODELS, state: 'stale', readAt: NOW - 5 * MINUTE, problem: 'Nobody answers.' } as const;
    assert.equal(listMessage(list, NOW), 'The last known list, read 5 min ago. Nobody answers.');
  });

  it('gives the day of a list that is older than a week', () => {
    const list = { models: MODELS, state: 'stale', readAt: NOW - 10 * 24 * 60 * MINUTE } as const;
    assert.match(listMessage(list, NOW), /^The last known list, read (?:May 10|10 May)\.$/);
  });

  it('says nothing of a list of now, of one that is being read, and where there is none', () => {
    for (const state of ['current', 'loading', 'failed'] as const) {
      assert.equal(listMessage({ models: MODELS, state, readAt: NOW, problem: 'Nobody answers.' }, NOW), '');
    }
  });
});
