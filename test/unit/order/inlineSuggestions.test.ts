/** Suggestions that a person asks for while others are asked for, in any order of what is done and awaited. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { AnyOrder, type Step } from '../../support/anyOrder.ts';
import { InlineCompletionTriggerKind } from '../../support/editorApi/vscode.ts';
import { schedules } from '../../support/randomRuns.ts';
import { SuggestionWindow } from '../../support/suggestionWindow.ts';

type Action = 'type' | 'ask' | 'cancel' | 'reach the cap';

const ACTIONS: readonly Action[] = ['type', 'type', 'ask', 'ask', 'cancel', 'reach the cap'];

describe('inline suggestions, in any order of what is done and awaited', () => {
  it('are asked for once at a time, and the last one that the person wants is shown', async () => {
    const actions = fc.array(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const here = new SuggestionWindow(order.delay);
        const acts: Readonly<Record<Action, () => unknown>> = {
          type: () => here.type(),
          ask: () => here.ask(InlineCompletionTriggerKind.Invoke),
          cancel: () => here.asked.at(-1)?.token.cancel(),
          'reach the cap': () => {
            here.state.status = 'capped';
          },
        };
        order.plan(done.map((action): Step => ({ what: action, act: acts[action] })));
        await order.run(() => {
          const { live } = here;
          // A person who asks gets three suggestions at the same place.
          const [limit, places] = [3, new Set(live.map(({ text }) => text)).size];
          assert.ok(live.length <= limit && places <= 1, `${live.length} requests for ${places} places at once`);
          if (live.length > 0) assert.ok(here.state.isAsking, 'a request runs that is not shown');
        });
        assert.deepEqual(order.errors, []);
        assert.equal(here.state.isAsking, false, 'it still seems to run');
        const last = here.asked.at(-1);
        if (last !== undefined && !last.token.isCancellationRequested && here.state.status === 'on')
          assert.ok(last.isShown, 'the last suggestion was lost');
        here.dispose();
      }),
      { numRuns: schedules(200) },
    );
  });
});
