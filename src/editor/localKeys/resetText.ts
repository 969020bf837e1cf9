import * as l10n from '@vscode/l10n';
import { language } from '../../display/language.ts';
import type { BudgetPeriod } from '../../gateway/core/period.ts';
import { nextPeriod } from '../../gateway/core/period.ts';

/**
 * When budgets of these periods begin anew: `resets 1 December`, `resets tomorrow`.
 * @returns undefined when none does, or when they do at different times.
 */
export function resetText(periods: readonly BudgetPeriod[], now: number): string | undefined {
  const ends = new Set(periods.map((period) => nextPeriod(period, now)).filter((end) => end !== undefined));
  const [end] = ends;
  if (end === undefined || ends.size > 1) return undefined;
  if (end === nextPeriod('daily', now)) return l10n.t('resets tomorrow');
  const day = new Date(end).toLocaleDateString(language(), { day: 'numeric', month: 'long' });
  return l10n.t('resets {0}', day);
}
