import * as l10n from '@vscode/l10n';
import { formatBalance, formatSum } from '../../display/money.ts';
import { formatShare, formatTokens, formatTokensExact } from '../../display/tokens.ts';
import { turnsText } from '../../display/turns.ts';
import type { SessionState } from '../../pages/session/protocol.ts';
import { Avoidable } from '../shared/avoidable.tsx';
import { FigureList, type FigureProps } from '../shared/figureList.tsx';
import { costText, hitRate, inputOf } from './words.ts';

export function SessionFigures({ state }: { readonly state: SessionState }) {
  return <FigureList figures={figuresOf(state)} />;
}

function figuresOf(state: SessionState): FigureProps[] {
  const { totals, turns, misses } = state;
  const hits = hitRate(totals);
  const count = misses.reduce((sum, each) => sum + each.count, 0);
  return [
    {
      label: l10n.t('Spent'),
      value: costText(state),
      note: spentNote(state),
    },
    { label: l10n.t('Requests'), value: formatTokensExact(totals.requests), note: turnsText(turns.length) },
    {
      label: l10n.t('Input tokens'),
      value: formatTokens(inputOf(totals)),
      exact: formatTokensExact(inputOf(totals)),
      note: writesText(state),
    },
    {
      label: l10n.t('Hit rate'),
      value: hits === undefined ? '–' : formatShare(hits),
      note: savedText(totals.saved),
    },
    {
      label: l10n.t('Avoidable'),
      value: <Avoidable usd={totals.avoidable} />,
      note: count === 0 ? undefined : missesText(count, totals.avoidable, totals.cost),
    },
  ];
}

/** The cap of the session, and the part of its subagents. */
function spentNote({ cap, totals: { subagentCost } }: SessionState): string | undefined {
  const notes = [
    cap?.cap === undefined ? undefined : l10n.t('of {0}', formatBalance(cap.cap)),
    subagentCost > 0 ? l10n.t('{0} by subagents', formatSum(subagentCost)) : undefined,
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join(', ');
}

/** Shows cache writes by lifetime if there are both kinds. */
function writesText({ totals: { read, written, longWritten } }: SessionState): string {
  if (longWritten === 0) return l10n.t('{0} read, {1} written', formatTokens(read), formatTokens(written));
  return l10n.t(
    '{0} read, {1} written for 5 min, {2} for 1 h',
    formatTokens(read),
    formatTokens(written - longWritten),
    formatTokens(longWritten),
  );
}

function savedText(saved: number): string | undefined {
  if (saved === 0) return undefined;
  return saved > 0
    ? l10n.t('{0} saved by the cache', formatSum(saved))
    : l10n.t('The cache cost {0} extra', formatSum(-saved));
}

function missesText(count: number, avoidable: number, cost: number): string {
  const misses = count === 1 ? l10n.t('1 miss') : l10n.t('{0} misses', count);
  return cost === 0 ? misses : l10n.t('{0}, {1} of the cost', misses, formatShare(avoidable / cost));
}
