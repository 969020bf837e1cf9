import * as l10n from '@vscode/l10n';
import type { AnswerTurn, ToolCallView } from '../chat/protocol.ts';

export interface DeniedCall {
  readonly stepId: string;
  readonly call: ToolCallView;
}

/**
 * Finds the call of a run that the user has denied. Some services restart the numbers of calls in each step, so the ID
 * may not tell which one is meant.
 * @throws if several denied calls have the ID: another one than the user sees must not run.
 */
export function deniedCall(steps: readonly AnswerTurn[], callId: string): DeniedCall | undefined {
  const denied = steps.flatMap(({ id: stepId, toolCalls = [] }) =>
    toolCalls
      .filter(({ id, action }) => id === callId && action?.denied?.by === 'user')
      .map((call) => ({ stepId, call })),
  );
  if (denied.length > 1) {
    throw new Error(l10n.t('Several denied calls have the same ID. Send a message that says what the agent may do.'));
  }
  return denied[0];
}
