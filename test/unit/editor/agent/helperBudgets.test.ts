/** Runs with helpers whose requests cost anything that they may cost: the cap is never exceeded. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ChatWindow } from '../../../support/chatWindow.ts';
import { answersIn, CHEAP, ended, MAIN, toolCall } from '../../../support/helpersModel.ts';
import { runs } from '../../../support/randomRuns.ts';

const helper = fc.record({
  budget: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
  calls: fc.nat(5),
  /** The length of each answer: up to its limit. */
  length: fc.double({ min: 0, max: 1, noNaN: true }),
  result: fc.nat(60_000),
});

describe('budgets of helpers', () => {
  it('never let a run exceed its cap, and what is not used is there again', async () => {
    const helpers = fc.array(helper, { minLength: 1, maxLength: 6 });
    // The estimate of a request may be wrong by a tenth.
    const factor = fc.double({ min: 0.9, max: 1.1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(helpers, factor, fc.double({ min: 0.05, max: 2, noNaN: true }), async (scripts, wrong, cap) => {
        const window = new ChatWindow({
          models: [MAIN, CHEAP],
          settings: { chatModel: 'main', agentCap: cap, agentMaxSteps: 50 },
          agentTools: { search: async () => 'x'.repeat(longest) },
          answer: async function* (served) {
            const { request } = served;
            const asked = answersIn(served);
            if (served.helper === undefined) {
              const tasks = scripts.map(({ budget }, number) => ({
                name: `h${number}`,
                task: `h${number}`,
                role: 'editor',
                budget_cents: budget,
              }));
              if (asked === 0) yield* toolCall('call_0', 'run_helpers', { helpers: tasks });
              else yield { type: 'textDelta', index: 0, text: 'Done.' };
              return yield* ended(served, 30, wrong);
            }
            const script = scripts[Number(served.helper.id.trim().split(' ').at(-1))];
            const output = Math.floor((script?.length ?? 0) * (request.maxTokens ?? 0));
            const mayCall = request.toolChoice?.type !== 'none';
            if (mayCall && asked < (script?.calls ?? 0)) yield* toolCall(`call_${asked}`, 'search', { asked });
            else yield { type: 'textDelta', index: 0, text: 'Report.' };
            yield* ended(served, output, wrong);
          },
        });
        const longest = Math.max(...scripts.map(({ result }) => result));
        await window.session.chat.chooseMode('agent');
        const sent = window.session.chat.turns.send('Look');
        await Promise.race([sent, whenAsked(window)]);
        // Denies everything that is asked, also a higher cap.
        while (window.session.chat.runs.view?.question !== undefined) {
          const { question } = window.session.chat.runs.view;
          if (question.type === 'cap') await window.session.chat.runs.receive({ type: 'raiseCap', by: 0 });
          else await window.session.chat.runs.receive({ type: 'decide', question: question.number, choice: 'chat' });
          await Promise.race([sent, whenAsked(window)]);
        }
        await sent;
        const { spent = 0 } = window.session.chat.runs.view ?? {};
        // The run's own steps are expected to cost less than a cent.
        assert.ok(spent <= cap + 0.01, `${spent} exceeds ${cap}`);
        const steps = window.session.chat.shownTurns.flatMap((turn) => (turn.role === 'assistant' ? turn : []));
        for (const row of steps.flatMap(({ toolCalls = [] }) => toolCalls.flatMap((call) => call.helpers ?? []))) {
          assert.ok((row.spent ?? 0) <= row.budget + 1e-9, `${row.name}: ${row.spent} exceeds ${row.budget}`);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

function whenAsked({ session }: ChatWindow): Promise<void> {
  return new Promise((resolve) => {
    const subscription = session.chat.runs.onDidChange((view) => {
      if (view?.question === undefined) return;
      subscription.dispose();
      resolve();
    });
  });
}
