import assert from 'node:assert/strict';
import type { AttachmentView, EstimateView, ModelView } from '../../../../../src/pages/chat/protocol.ts';
import {
  affordableModel,
  blindToImages,
  isShownInThread,
  obstacle,
  seeingModel,
  shortfall,
} from '../../../../../src/panels/chat/meter/obstacle.ts';
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

describe('the balance check of a request', () => {
  it('reports nothing if the balance suffices or is unknown', () => {
    assert.equal(shortfall(withBalance(1)), undefined);
    assert.equal(shortfall(chatState({ estimate: ESTIMATE, balance: { state: 'unknown' } })), undefined);
  });

  it('warns, but does not block, if the expected answer costs more than the balance', () => {
    assert.deepEqual(shortfall(withBalance(0.12)), { left: 0.12, needed: 0.15, isCertain: false });
    assert.equal(obstacle(withBalance(0.12)), undefined);
  });

  it('blocks the request if the balance does not even cover the input, allowing for estimates', () => {
    assert.equal(obstacle(withBalance(0.05)), 'balance');
    assert.equal(obstacle(withBalance(0.095, { ...ESTIMATE, estimated: true })), undefined);
  });

  it('blocks the request if the balance is used up, whatever the price', () => {
    assert.equal(obstacle(chatState({ balance: { state: 'exhausted' } })), 'balance');
  });

  it('leaves the message to the card of the last answer if that failed for lack of credit', () => {
    const failure = { kind: 'credit', title: '', detail: '', steps: [] } as const;
    assert.ok(!isShownInThread(withBalance(0)));
    assert.ok(isShownInThread({ ...withBalance(0), turns: [reply('a', { status: 'failed', failure })] }));
  });

  it('suggests the best model that the balance covers', () => {
    assert.equal(affordableModel(withBalance(0.05)), FAIR);
    assert.equal(affordableModel(withBalance(0.02)), CHEAP);
    assert.equal(affordableModel(withBalance(0.001)), undefined);
    assert.equal(affordableModel({ ...withBalance(0.02), attachments: [IMAGE] }), undefined);
  });
});

describe('the check for models without image support', () => {
  const seen = (model: string, attachments: readonly AttachmentView[]) => ({ ...withBalance(9), model, attachments });

  it('reports an image if the catalog states that the model does not support images', () => {
    assert.ok(blindToImages(seen('cheap', [IMAGE])));
    assert.ok(!blindToImages(seen('cheap', [])));
    assert.ok(!blindToImages(seen('fair', [IMAGE])));
    assert.ok(!blindToImages(seen('dear', [IMAGE])), 'the catalog does not say');
  });

  it('also considers images of earlier questions', () => {
    const turns = [{ role: 'user', id: 'u', text: '', attachments: [IMAGE] }] as const;
    assert.ok(blindToImages({ ...seen('cheap', []), turns }));
  });

  it('suggests a model with image support', () => {
    assert.equal(seeingModel(seen('cheap', [IMAGE])), FAIR);
  });
});
