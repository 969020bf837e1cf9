import assert from 'node:assert/strict';
import { InlineCompletionTriggerKind } from '../../../support/editorApi/vscode.ts';
import { SuggestionWindow } from '../../../support/suggestionWindow.ts';

const { Invoke } = InlineCompletionTriggerKind;

describe('inline suggestions that a person asks for', () => {
  it('are those of the last request, although an earlier one is prepared for longer', async () => {
    const first = Promise.withResolvers<void>();
    let read = 0;
    const here = new SuggestionWindow(async (what) => {
      if (what !== 'read the sums') return;
      read += 1;
      if (read === 1) await first.promise;
    });
    const earlier = here.ask(Invoke);
    const later = here.ask(Invoke);
    await later;
    first.resolve();
    await earlier;
    assert.deepEqual(
      here.asked.map(({ isShown }) => isShown),
      [false, true],
    );
    assert.equal(here.sent, 3, 'the earlier request was sent, and paid, too');
    here.dispose();
  });

  it('are not replaced by those of an earlier pause', async () => {
    const pause = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const here = new SuggestionWindow(async (what) => {
      if (what === 'pause') await pause.promise;
      if (what.startsWith('answer')) await answer.promise;
    });
    const typed = here.type();
    const asked = here.ask(Invoke);
    pause.resolve();
    await typed;
    answer.resolve();
    await asked;
    assert.deepEqual(
      here.asked.map(({ isShown }) => isShown),
      [false, true],
    );
    here.dispose();
  });

  it('are not asked for in the sandbox where it has nothing to show, so that they cost nothing', async () => {
    const here = new SuggestionWindow(async () => undefined, 'sandbox');
    await here.ask(Invoke);
    assert.deepEqual([here.sent, here.asked.map(({ isShown }) => isShown)], [0, [false]]);
    here.dispose();
  });
});
