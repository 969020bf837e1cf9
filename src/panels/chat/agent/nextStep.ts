/** The contents of the meter while a run is in progress: the estimate for its next step. */
import * as l10n from '@vscode/l10n';
import { formatBalance, formatEstimate, spokenMoney } from '../../../display/money.ts';
import { approximately, formatShare, formatWindow, spokenShare, spokenTokens } from '../../../display/tokens.ts';
import type { ChatState, NextStepView } from '../../../pages/chat/protocol.ts';
import { contextWindowOf } from '../meter/contextWindow.ts';
import { type MeterView, sameText, segments } from '../meter/meter.ts';

export function nextStepView(state: ChatState, next: NextStepView): MeterView {
  const { inputTokens, parts = {}, cachedShare, cost } = next;
  const window = contextWindowOf(state);
  const filled = window === undefined ? 0 : Math.min(1, inputTokens / window);
  const share = shareText(cachedShare, window === undefined ? undefined : filled);
  const rest = restOf(next);
  return {
    state: state.run?.question?.type === 'cap' ? 'low' : 'normal',
    segments: segments({ parts }, filled),
    excess: 0,
    percent: Math.round(filled * 100),
    tokens: l10n.t('Next step {0}', approximately(formatWindow(Number(inputTokens.toPrecision(2))))),
    ...(share !== undefined && { share }),
    ...(cost !== undefined && { cost: sameText(formatEstimate(cost)) }),
    ...(rest !== undefined && { rest }),
    loadingPrices: false,
    spoken: spoken(next),
  };
}

/** The share that is read from a cache, or of the context window if that is not known. */
function shareText(cachedShare: number | undefined, filled: number | undefined): string | undefined {
  if (cachedShare !== undefined) return l10n.t('{0} cached', formatShare(cachedShare));
  return filled === undefined ? undefined : formatShare(filled);
}

function restOf({ balanceAfter }: NextStepView): MeterView['rest'] {
  if (balanceAfter === undefined) return undefined;
  const after = formatBalance(balanceAfter);
  return { wide: l10n.t('{0} left after', after), narrow: l10n.t('{0} after', after), isSpare: true };
}

function spoken({ inputTokens, cachedShare, cost }: NextStepView): string {
  const parts = [l10n.t('Next step: about {0}', spokenTokens(inputTokens))];
  if (cachedShare !== undefined) parts.push(l10n.t('{0} cached', spokenShare(cachedShare)));
  if (cost !== undefined) parts.push(l10n.t('about {0}', spokenMoney(cost)));
  return parts.join(', ');
}
