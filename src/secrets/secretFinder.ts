/** Finds keys and passwords in text. Imported on demand, because the rules are 80 KB. */
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { rules as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import { type LocatedSecret, locateMatch, locatePattern, type RuleMatch } from './locatedSecret.ts';
import { SECRET_PATTERNS } from './secretPatterns.ts';

// The profiler is on by default, and records marks for every search.
secretLintProfiler.setEnabled(false);

const RULE_PREFIX = '@secretlint/secretlint-rule-';
const LEFT_OUT: readonly string[] = [
  // It would let a comment in the text switch off the search.
  'filter-comments',
  // It mistakes placeholders such as `<password>` for passwords. A pattern of our own does not.
  'database-connection-string',
].map((name) => RULE_PREFIX + name);

const CONFIG = {
  // The rules are listed instead of the preset, because the option `disabled` has no effect on the rules of a preset.
  rules: recommended.filter(({ meta }) => !LEFT_OUT.includes(meta.id)).map((rule) => ({ id: rule.meta.id, rule })),
};

/**
 * Searches text with secretlint's recommended rules and our own patterns.
 * @returns the kinds of secrets found, such as `aws` or `privatekey`, each once and sorted; never the secrets
 * themselves.
 */
export async function findSecrets(text: string): Promise<string[]> {
  const kinds = new Set((await lint(text)).map(({ kind }) => kind));
  for (const [kind, pattern] of SECRET_PATTERNS) if (!kinds.has(kind) && pattern.test(text)) kinds.add(kind);
  return [...kinds].sort();
}

/** Searches text in the same way. Returns where the secrets are, without what they are assigned to. */
export async function locateSecrets(text: string): Promise<LocatedSecret[]> {
  const linted = (await lint(text)).flatMap((match) => locateMatch(text, match));
  return [...linted, ...SECRET_PATTERNS.flatMap(([kind, pattern]) => locatePattern(text, kind, pattern))];
}

async function lint(text: string): Promise<RuleMatch[]> {
  const source = { content: text, filePath: 'text.txt', ext: '.txt', contentType: 'text' } as const;
  const { messages } = await lintSource({ source, options: { config: CONFIG, noPhysicFilePath: true } });
  return messages.map(({ ruleId, range: [start, end] }) => ({ kind: ruleId.replace(RULE_PREFIX, ''), start, end }));
}
