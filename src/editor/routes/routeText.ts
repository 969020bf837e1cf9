/** What routes and their rules mean, in words. */
import * as l10n from '@vscode/l10n';
import { formatTokensExact } from '../../display/tokens.ts';
import type { ExtraTrigger, RouteRule, RouteSettings } from '../../gateway/routing/routes/routeEntry.ts';

/** Such as “If the request is auxiliary and contains an image, use local/qwen”. */
export function ruleText(rule: RouteRule): string {
  const [first = '', ...others] = conditionTexts(rule);
  const all = others.reduce((before, next) => l10n.t('{0} and {1}', before, next), first);
  return l10n.t('If {0}, use {1}', all, targetsText(rule.use));
}

function conditionTexts({ class: requestClass, agent, tool, image, tokensAbove }: RouteRule): string[] {
  return [
    ...(requestClass === undefined ? [] : [classText(requestClass)]),
    ...(agent === undefined ? [] : [l10n.t('the agent is {0}', agent)]),
    ...(tool === undefined ? [] : [l10n.t('the request offers the tool {0}', tool)]),
    ...(image === undefined ? [] : [image ? l10n.t('it contains an image') : l10n.t('it contains no image')]),
    ...(tokensAbove === undefined ? [] : [l10n.t('it has more than {0} tokens', formatTokensExact(tokensAbove))]),
  ];
}

function classText(requestClass: NonNullable<RouteRule['class']>): string {
  switch (requestClass) {
    case 'main':
      return l10n.t('the request is main (a question of the user)');
    case 'subagent':
      return l10n.t('the request is of a subagent');
    case 'workflow':
      return l10n.t('the request is of a workflow');
    case 'compaction':
      return l10n.t('the request summarizes the session');
    case 'auxiliary':
      return l10n.t('the request is auxiliary (titles, summaries)');
  }
}

/** Such as “a, then b”. */
export function targetsText(targets: readonly string[]): string {
  const [first = '', ...others] = targets;
  return others.reduce((before, next) => l10n.t('{0}, then {1}', before, next), first);
}

/** What is in a route, for a list. */
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
