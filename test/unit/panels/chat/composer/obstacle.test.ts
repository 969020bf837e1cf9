import assert from 'node:assert/strict';
import type { AttachmentView, EstimateView, ModelView } from '../../../../../src/editor/chat/protocol.ts';
import {
  affordableModel,
  blindToImages,
  isSaidInThread,
  obstacle,
  seeingModel,
  shortfall,
} from '../../../../../src/panels/chat/composer/obstacle.ts';
import { chatState, reply } from '../state.ts';

const DEAR: ModelView = { id: 'dear', family: 'D', contextWindow: 200_000, inputPrice: 10, outputPrice: 50 };
const FAIR: ModelView = {
  id: 'fair',
  family: 'F',
  contextWindow: 200_000,
  inputPrice: 2,
  outputPrice: 8,
  images: true,
};
const CHEAP: ModelView = {
  id: 'cheap',
  family: 'F',
  contextWindow: 200_000,
  inputPrice: 1,
  outputPrice: 4,
  images: false,
};
const ESTIMATE: EstimateView = {
  state: 'known',
  inputTokens: 10_000,
  expectedOutputTokens: 1000,
  inputCost: 0.1,
  expectedCost: 0.15,
};
const IMAGE: AttachmentView = { id: 'i', kind: 'image', label: 'shot.png' };

const withBalance = (remaining: number, estimate = ESTIMATE) =>
  chatState({
    model: 'dear',
    catalog: { models: [DEAR, FAIR, CHEAP], state: 'current' },
    estimate,
    balance: { state: 'current', remaining },
  });

describe('a request and the balance', () => {
  it('is covered, or nobody knows', () => {
    assert.equal(shortfall(withBalance(1)), undefined);
    assert.equal(shortfall(chatState({ estimate: ESTIMATE, balance: { state: 'unknown' } })), undefined);
  });

  it('may not be covered when the expected answer costs more, which does not hold it back', () => {
    assert.deepEqual(shortfall(withBalance(0.12)), { left: 0.12, needed: 0.15, isCertain: false });
    assert.equal(obstacle(withBalance(0.12)), undefined);
  });

  it('is held back when not even the input is covered, beyond the doubt of an estimate', () => {
    assert.equal(obstacle(withBalance(0.05)), 'balance');
    assert.equal(obstacle(withBalance(0.095, { ...ESTIMATE, estimated: true })), undefined);
  });

  it('is held back by a balance that is used up, whatever the price', () => {
    assert.equal(obstacle(chatState({ balance: { state: 'exhausted' } })), 'balance');
  });

  it('is said by the card in the thread where the last answer failed for it', () => {
    const failure = { kind: 'credit', title: '', detail: '', steps: [] } as const;
    assert.ok(!isSaidInThread(withBalance(0)));
    assert.ok(isSaidInThread({ ...withBalance(0), turns: [reply('a', { status: 'failed', failure })] }));
  });

  it('is offered the best model that the balance pays for', () => {
    assert.equal(affordableModel(withBalance(0.05)), FAIR);
    assert.equal(affordableModel(withBalance(0.02)), CHEAP);
    assert.equal(affordableModel(withBalance(0.001)), undefined);
    assert.equal(affordableModel({ ...withBalance(0.02), attachments: [IMAGE] }), undefined);
  });
});

describe('images and models that take none', () => {
  const seen = (model: string, attachments: readonly AttachmentView[]) => ({ ...withBalance(9), model, attachments });

  it('do not go together, as far as the catalog says', () => {
    assert.ok(blindToImages(seen('cheap', [IMAGE])));
    assert.ok(!blindToImages(seen('cheap', [])));
    assert.ok(!blindToImages(seen('fair', [IMAGE])));
    assert.ok(!blindToImages(seen('dear', [IMAGE])), 'the catalog does not say');
  });

  it('also do not when the image is of an earlier question', () => {
    const turns = [{ role: 'user', id: 'u', text: '', attachments: [IMAGE] }] as const;
    assert.ok(blindToImages({ ...seen('cheap', []), turns }));
  });

  it('leave a model that takes them', () => {
    assert.equal(seeingModel(seen('cheap', [IMAGE])), FAIR);
  });
});
