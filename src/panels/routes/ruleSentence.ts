import * as l10n from '@vscode/l10n';
import { conditionsText, type RouteConditions, ruleText, targetsText } from '../../display/routeConditions.ts';
import type { RuleForm } from '../../pages/routes/protocol.ts';
import { numberIn } from '../../rules/typedNumber.ts';

/** The rule in words, also while some of its fields are still empty. */
export function sentenceOf(rule: RuleForm): string {
  const conditions = conditionsOf(rule);
  const targets = rule.use.filter((name) => name.trim() !== '');
  if (conditionsText(conditions) !== '') return ruleText(conditions, targets.length === 0 ? ['…'] : targets);
  return targets.length === 0 ? l10n.t('New rule') : l10n.t('If …, use {0}', targetsText(targets));
}

export function conditionsOf(rule: RuleForm): RouteConditions {
  const { requestClass, agent, tool, image, tokensAbove, tokensBelow } = rule;
  return {
    class: requestClass === '' ? undefined : requestClass,
    agent: agent.trim() === '' ? undefined : agent.trim(),
    tool: tool.trim() === '' ? undefined : tool.trim(),
    image: image === '' ? undefined : image === 'yes',
    tokensAbove: knownNumber(tokensAbove),
    tokensBelow: knownNumber(tokensBelow),
  };
}

function knownNumber(text: string): number | undefined {
  const number = numberIn(text);
  return Number.isNaN(number) ? undefined : number;
}
