import assert from 'node:assert/strict';
import { signal } from '@preact/signals';
import { toggled, withCompared } from '../../../../../src/panels/chat/composer/comparing.ts';
import { stopSequencesIn } from '../../../../../src/panels/chat/parameters/parameterText.ts';
import { matchingPrompts, PromptChoice, promptQuery } from '../../../../../src/panels/chat/prompts/promptChoice.ts';
import { chatState, LARGE, SMALL } from '../state.ts';

describe('models to compare', () => {
  it('are added and removed, at most three of them', () => {
    assert.deepEqual(toggled(['a'], 'b'), ['a', 'b']);
    assert.deepEqual(toggled(['a', 'b'], 'a'), ['b']);
    assert.deepEqual(toggled(['a', 'b', 'c'], 'd'), ['a', 'b', 'c']);
  });

  it('cost the sum of all of them', () => {
    const state = chatState({
      estimate: { state: 'known', inputTokens: 1e6, inputCost: 3, maxCost: 9 },
      balance: { state: 'current', remaining: 10 },
    });
    const { estimate } = withCompared(state, [SMALL.id, LARGE.id]);
    assert.deepEqual(estimate, { state: 'known', inputTokens: 1e6, inputCost: 4, balanceAfter: 6 });
    assert.equal(withCompared(state, [SMALL.id]), state);
  });

  it('have no known cost if one has no price', () => {
    const state = chatState({ estimate: { state: 'known', inputTokens: 10, inputCost: 1 } });
    assert.deepEqual(withCompared(state, [SMALL.id, 'unknown']).estimate, { state: 'known', inputTokens: 10 });
  });
});

describe('prompts in the composer', () => {
  const prompt = (name: string, description = '') => ({
    id: name,
    name,
    description,
    source: 'profile' as const,
    tokens: 1,
  });

  it('are listed after a leading slash, until there is a space', () => {
    assert.equal(promptQuery('/'), '');
    assert.equal(promptQuery('/exp'), 'exp');
    for (const draft of ['', 'a/b', ' /a', '/a b', '/a\n']) assert.equal(promptQuery(draft), undefined);
  });

  it('match by any part of name or description, in order', () => {
    const prompts = [prompt('review', 'Explain the faults'), prompt('Explain'), prompt('other')];
    assert.deepEqual(
      matchingPrompts(prompts, 'exp').map(({ name }) => name),
      ['review', 'Explain'],
    );
    const choice = new PromptChoice(signal('/exp'));
    choice.all.value = prompts;
    assert.equal(choice.chosen?.name, 'Explain', 'a name that begins with the text is meant');
  });
});

describe('stop sequences', () => {
  it('are separated by commas', () => {
    assert.deepEqual(stopSequencesIn(' END, \\n\\n ,'), ['END', '\n\n']);
    assert.equal(stopSequencesIn(' , '), null);
  });
});
