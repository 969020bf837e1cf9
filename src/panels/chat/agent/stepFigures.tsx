import * as l10n from '@vscode/l10n';
import { formatDuration } from '../../../display/time.ts';
import { approximately, formatShare, formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { AnswerFigures, AnswerTurn } from '../../../pages/chat/protocol.ts';
import { costText } from '../answer/costText.ts';
import { Figure, requestMs, SealedFigure } from '../answer/figures.tsx';

/** The figures of a step: tokens in, cached share, tokens out, cost, time. */
export function StepFigures({ turn }: { readonly turn: AnswerTurn }) {
  const { figures, sandbox } = turn;
  if (figures === undefined) return null;
  const mark = (text: string) => (figures.estimated ? approximately(text) : text);
  const { inputTokens, outputTokens } = figures;
  const cost = costText(figures, mark);
  const cached = cachedText(figures);
  const ms = requestMs(figures);
  return (
    <p class="figures step-figures" title={titleOf(figures)}>
      {inputTokens !== undefined && <Figure>{l10n.t('{0} in', mark(formatTokens(inputTokens)))}</Figure>}
      {cached !== undefined && <Figure class="from-340">{cached}</Figure>}
      <Figure>{l10n.t('{0} out', mark(formatTokens(outputTokens)))}</Figure>
      {cost !== undefined && <Figure class={sandbox ? 'sample' : 'cost'}>{cost}</Figure>}
      <SealedFigure figures={figures} />
      {ms !== undefined && <Figure class="from-340">{formatDuration(ms)}</Figure>}
    </p>
  );
}

/** Returns the share of the input that was read from a cache. */
export function cachedText({ inputTokens, cachedTokens }: Pick<AnswerFigures, 'inputTokens' | 'cachedTokens'>) {
  if (inputTokens === undefined || inputTokens === 0 || cachedTokens === undefined) return undefined;
  return l10n.t('{0} cached', formatShare(cachedTokens / inputTokens));
}

/** Exact numbers, and those that a narrow panel omits. */
function titleOf(figures: AnswerFigures): string {
  const ms = requestMs(figures);
  const lines = [
    figures.inputTokens === undefined ? undefined : l10n.t('{0} tokens in', formatTokensExact(figures.inputTokens)),
    cachedText(figures),
    l10n.t('{0} tokens out', formatTokensExact(figures.outputTokens)),
    ms === undefined ? undefined : formatDuration(ms),
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}
