/** Finds keys and passwords in text. Load it when it is needed: the rules are 80 KB. */
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { rules as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import { SECRET_PATTERNS } from './secretPatterns.ts';

// It is on unless it is switched off, and keeps marks of every search.
secretLintProfiler.setEnabled(false);

const RULE_PREFIX = '@secretlint/secretlint-rule-';
const LEFT_OUT: readonly string[] = [
  // With it, a comment in a text could switch the search off.
  'filter-comments',
  // It takes placeholders such as `<password>` for passwords. A pattern of our own does not.
  'database-connection-string',
].map((name) => RULE_PREFIX + name);

const CONFIG = {
  // Not as a preset: the option `disabled` of rules in a preset has no effect.
  rules: recommended.filter(({ meta }) => !LEFT_OUT.includes(meta.id)).map((rule) => ({ id: rule.meta.id, rule })),
};

/**
 * Looks for what secretlint's recommended rules and our own patterns describe.
 * @returns the kinds of what was found, such as `aws` or `privatekey`, each once and sorted; never the secret itself.
 */
export async function findSecrets(text: string): Promise<string[]> {
  const source = { content: text, filePath: 'text.txt', ext: '.txt', contentType: 'text' } as const;
  const { messages } = await lintSource({ source, options: { config: CONFIG, noPhysicFilePath: true } });
  const kinds = new Set(messages.map(({ ruleId }) => ruleId.replace(RULE_PREFIX, '')));
  for (const [kind, pattern] of SECRET_PATTERNS) if (!kinds.has(kind) && pattern.test(text)) kinds.add(kind);
  return [...kinds].sort();
}
