import * as l10n from '@vscode/l10n';
import type { FinishReason } from '../../../formats/answer.ts';

/** Returns the finish reason as text. Unknown reasons are returned unchanged. */
export function finishWord(reason: string): string {
  return words()[reason as FinishReason] ?? reason;
}

function words(): Readonly<Record<FinishReason, string>> {
  return {
    stop: l10n.t('end of answer'),
    stopSequence: l10n.t('stop sequence'),
    length: l10n.t('token limit'),
    toolCalls: l10n.t('tool calls'),
    refusal: l10n.t('refusal'),
    contentFilter: l10n.t('content filter'),
    pause: l10n.t('pause'),
    contextWindow: l10n.t('context window full'),
  };
}
