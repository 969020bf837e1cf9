/** Describes the rules of a route in words. */
import * as l10n from '@vscode/l10n';
import { formatTokensExact } from './tokens.ts';

const CLASS_TEXTS: Readonly<Record<NonNullable<RouteConditions['class']>, () => string>> = {
  main: () => l10n.t('the request is main (a user question)'),
  subagent: () => l10n.t('the request comes from a subagent'),
  workflow: () => l10n.t('the request comes from a workflow'),
  compaction: () => l10n.t('the request summarizes the session'),
  auxiliary: () => l10n.t('the request is auxiliary (titles, summaries)'),
};

/** The conditions that a request must meet for a rule to apply. */
export interface RouteConditions {
  /** The value that clients send in the header `x-claude-code-request-class`. */
  readonly class?: 'main' | 'subagent' | 'workflow' | 'compaction' | 'auxiliary' | undefined;
  /** The agent's name. */
  readonly agent?: string | undefined;
  /** The name or the type of a tool in the request. */
  readonly tool?: string | undefined;
  /** Whether the conversation contains an image. */
  readonly image?: boolean | undefined;
  /** Input tokens. */
  readonly tokensAbove?: number | undefined;
  readonly tokensBelow?: number | undefined;
}

/**
 * Describes conditions: “the request is auxiliary (titles, summaries) and it contains an image”. Empty without
 * conditions.
 */
export function conditionsText(conditions: RouteConditions): string {
  const [first = '', ...others] = conditionTexts(conditions);
  return others.reduce((before, next) => l10n.t('{0} and {1}', before, next), first);
}

function conditionTexts(conditions: RouteConditions): string[] {
  const { class: requestClass, agent, tool, image, tokensAbove, tokensBelow } = conditions;
  return [
    ...(requestClass === undefined ? [] : [CLASS_TEXTS[requestClass]()]),
    ...(agent === undefined ? [] : [l10n.t('the agent is {0}', agent)]),
    ...(tool === undefined ? [] : [l10n.t('the request offers the tool {0}', tool)]),
    ...(image === undefined ? [] : [image ? l10n.t('it contains an image') : l10n.t('it contains no image')]),
    ...(tokensAbove === undefined ? [] : [l10n.t('it has more than {0} tokens', formatTokensExact(tokensAbove))]),
    ...(tokensBelow === undefined ? [] : [l10n.t('it has fewer than {0} tokens', formatTokensExact(tokensBelow))]),
  ];
}

/** A text such as “If the request is auxiliary and contains an image, use local/qwen”. */
export function ruleText(conditions: RouteConditions, use: readonly string[]): string {
  return l10n.t('If {0}, use {1}', conditionsText(conditions), targetsText(use));
}

/** A text such as “a, then b”. */
export function targetsText(targets: readonly string[]): string {
  const [first = '', ...others] = targets;
  return others.reduce((before, next) => l10n.t('{0}, then {1}', before, next), first);
}
