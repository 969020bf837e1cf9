/** Describes routes and their rules in words. */
import * as l10n from '@vscode/l10n';
import { conditionsText } from '../../display/routeConditions.ts';
import type { ExtraTrigger, RouteRule, RouteSettings } from '../../gateway/routing/routes/routeEntry.ts';

/** A text such as “If the request is auxiliary and contains an image, use local/qwen”. */
export function ruleText({ use, ...conditions }: RouteRule): string {
  return l10n.t('If {0}, use {1}', conditionsText(conditions), targetsText(use));
}

/** A text such as “a, then b”. */
export function targetsText(targets: readonly string[]): string {
  const [first = '', ...others] = targets;
  return others.reduce((before, next) => l10n.t('{0}, then {1}', before, next), first);
}

/** The contents of a route, for a list. */
export function routeSummary({ when = [] }: RouteSettings): string {
  if (when.length === 0) return '';
  return when.length === 1 ? l10n.t('1 rule') : l10n.t('{0} rules', when.length);
}

export function triggerText(trigger: ExtraTrigger): string {
  switch (trigger) {
    case 'overflow':
      return l10n.t('Request too long for the model');
    case 'credit':
      return l10n.t('Out of credit');
    case 'refusal':
      return l10n.t('Refused before any output');
    case 'filter':
      return l10n.t('Content filter');
  }
}
