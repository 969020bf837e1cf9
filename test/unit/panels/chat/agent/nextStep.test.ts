import assert from 'node:assert/strict';
import { nextStepView } from '../../../../../src/panels/chat/agent/nextStep.ts';
import { chatState } from '../state.ts';
import { runView } from './run.ts';

const PARTS = { tools: 2_000, system: 1_000, results: 5_000 };
const NEXT = { inputTokens: 43_240, parts: PARTS, cachedShare: 0.91, cost: 0.0384, balanceAfter: 11.979 };

describe('the token meter for the next step', () => {
  it('shows tokens, the cached share, the cost, and the balance after it', () => {
    const view = nextStepView(chatState({ run: runView() }), NEXT);
    assert.equal(view.tokens, 'Next step ≈\u200943k');
    assert.equal(view.share, '91% cached');
    assert.equal(view.cost?.wide, '≈\u2009$0.038');
    assert.equal(view.rest?.wide, '$11.97 left after');
    assert.equal(view.state, 'normal');
    assert.equal(view.spoken, 'Next step: about 43,200 tokens, 91 percent cached, about 4 cents');
  });

  it('fills the bar with the parts of the request', () => {
    const { segments, percent } = nextStepView(chatState({ run: runView() }), NEXT);
    assert.equal(percent, 22);
    assert.deepEqual(
      segments.map(({ label, share }) => [label, share.toFixed(6)]),
      [
        ['tool definitions', '0.054050'],
        ['system prompt', '0.027025'],
        ['results of tools', '0.135125'],
      ],
    );
  });

  it('shows the share of the context window if no cache is known, and warns before a cap', () => {
    const question = { type: 'cap', limit: 'run', value: 1, raises: [1], openItems: 0 } as const;
    const view = nextStepView(chatState({ run: runView({ state: 'waiting', question }) }), { inputTokens: 60_000 });
    assert.equal(view.share, '30%');
    assert.equal(view.state, 'low');
    assert.equal(view.cost?.wide, undefined);
  });
});
