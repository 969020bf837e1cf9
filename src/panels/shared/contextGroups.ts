import * as l10n from '@vscode/l10n';
import type { ContextKind } from '../../rules/contextPart.ts';

/** Kinds of parts that share a color. There are six colors that can be told apart in every theme. */
export interface PartGroup {
  readonly color: string;
  readonly label: () => string;
  readonly kinds: readonly ContextKind[];
}

/** What one group is of a request. */
export interface GroupShare {
  readonly color: string;
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** From the beginning of the prompt. */
export const CONTEXT_GROUPS: readonly PartGroup[] = [
  { color: 'series-0', label: () => l10n.t('tool definitions'), kinds: ['tools'] },
  { color: 'series-1', label: () => l10n.t('system prompt'), kinds: ['system', 'instructions'] },
  { color: 'series-3', label: () => l10n.t('messages'), kinds: ['messages', 'summaries'] },
  { color: 'series-2', label: () => l10n.t('answers and calls'), kinds: ['answers', 'reasoning', 'calls'] },
  { color: 'series-4', label: () => l10n.t('results of tools'), kinds: ['results'] },
  { color: 'series-others', label: () => l10n.t('others'), kinds: ['images', 'documents', 'stored', 'other'] },
];

const COLORS = new Map(CONTEXT_GROUPS.flatMap(({ kinds, color }) => kinds.map((kind) => [kind, color] as const)));

export function contextColor(kind: ContextKind): string {
  return COLORS.get(kind) ?? 'series-others';
}

/** Adds up a figure of each group's parts. */
export function groupParts<Part extends { readonly kind: ContextKind }>(
  parts: readonly Part[],
  figure: (part: Part) => number,
): readonly number[] {
  return CONTEXT_GROUPS.map(({ kinds }) =>
    parts.reduce((sum, part) => (kinds.includes(part.kind) ? sum + figure(part) : sum), 0),
  );
}

/** Adds up the tokens of each group. */
export function groupTokens(tokensOf: (kind: ContextKind) => number): readonly number[] {
  return CONTEXT_GROUPS.map(({ kinds }) => kinds.reduce((sum, kind) => sum + tokensOf(kind), 0));
}

/** The tokens of a request as shares of its groups, the first one in the prompt first. Groups without tokens are omitted. */
export function partsOfRequest(parts: Readonly<Partial<Record<ContextKind, number>>>): readonly GroupShare[] {
  const tokens = groupTokens((kind) => parts[kind] ?? 0);
  const total = tokens.reduce((sum, each) => sum + each, 0);
  return CONTEXT_GROUPS.flatMap(({ color, label }, index) => {
    const share = (tokens[index] ?? 0) / Math.max(1, total);
    return share === 0 ? [] : [{ color, label: label(), share }];
  });
}

const KIND_WORDS: Readonly<Record<ContextKind, () => string>> = {
  system: () => l10n.t('System prompt'),
  instructions: () => l10n.t('Instructions'),
  tools: () => l10n.t('Definition'),
  messages: () => l10n.t('Messages'),
  answers: () => l10n.t('Answers'),
  reasoning: () => l10n.t('Reasoning'),
  calls: () => l10n.t('Calls'),
  results: () => l10n.t('Results'),
  images: () => l10n.t('Images'),
  documents: () => l10n.t('Documents'),
  summaries: () => l10n.t('Summaries'),
  stored: () => l10n.t('Kept by the upstream'),
  other: () => l10n.t('Other'),
};

export const contextKindWord = (kind: ContextKind): string => KIND_WORDS[kind]();
