import * as z from 'zod/mini';
import type { PlanItem } from '../../pages/chat/protocol.ts';
import { type AgentTool, defineTool, text } from './tool.ts';

/** @param setPlan shows the plan and keeps it. */
export function planTools(setPlan: (plan: readonly PlanItem[]) => void): AgentTool[] {
  return [updatePlan(setPlan), askUser()];
}

function updatePlan(setPlan: (plan: readonly PlanItem[]) => void): AgentTool {
  const schema = z.object({
    items: z
      .array(z.object({ text: text('What is to be done.'), state: z.enum(['open', 'current', 'done']) }))
      .check(z.maxLength(30), z.describe('The whole plan, in order.')),
  });
  return defineTool(
    'update_plan',
    'Shows the user what you are going to do and what is done.',
    schema,
    ({ items }) => ({
      action: { kind: 'plan', object: '' },
      run: async () => {
        setPlan(items);
        return { text: 'The plan is shown.' };
      },
    }),
  );
}

function askUser(): AgentTool {
  const schema = z.object({
    question: text('The question, in one or two sentences.'),
    options: z.optional(z.array(z.string()).check(z.maxLength(6), z.describe('Answers to choose from.'))),
  });
  return defineTool('ask_user', 'Asks the user for a decision.', schema, ({ question, options = [] }) => ({
    action: { kind: 'ask', object: question },
    run: async ({ ask }) => ({ text: await ask(question, options) }),
  }));
}
