import { byArea, byTiles, flat, type ImageRule } from './imageTokens.ts';
import type { PromptRules } from './promptSize.ts';

/** How a family counts tokens, before its upstream has reported any usage. */
export interface ModelFamily extends Omit<PromptRules, 'countText'> {
  readonly countImage: ImageRule;
  /** The family's tokens per token of o200k. */
  readonly factor: number;
  /** Whether o200k is the family's own tokenizer. */
  readonly isPublic: boolean;
}

const PUBLIC = { factor: 1, isPublic: true, toolsAre: 'types', toolPrompt: 0 } as const;
const CLOSED = { isPublic: false, toolsAre: 'json', toolPrompt: 0 } as const;

/** Names in the specification's catalog and on the vendors' own servers. */
const FAMILIES: readonly (readonly [name: RegExp, family: ModelFamily])[] = [
  [/^(?:familya|claude)-/, { ...CLOSED, factor: 1.2, countImage: byArea, toolPrompt: 346 }],
  [/^(?:familyb|gemini)-/, { ...CLOSED, factor: 1.05, countImage: flat(1120) }],
  [/^(?:familyc-|gpt-5|codex-)/, { ...PUBLIC, countImage: byTiles(70, 140) }],
  [/^(?:gpt-4o|gpt-4\.[15]|gpt-oss|chatgpt-4o|o[134](?:-|$))/, { ...PUBLIC, countImage: byTiles(85, 170) }],
  [/^(?:familyd|grok)-/, { ...CLOSED, factor: 1.05, countImage: byArea }],
];

const UNKNOWN: ModelFamily = { ...CLOSED, factor: 1.1, countImage: byArea };

/** @param model the name from a client or an upstream, optionally with a vendor, as in `vendor/model`. */
export function familyOf(model: string): ModelFamily {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN;
}
