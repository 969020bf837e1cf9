/** Finds keys and passwords in text. Imported on demand, because the rules are 80 KB. */
import { LINT_RULES } from './lintRules.ts';
import { type LocatedSecret, locatePattern } from './locatedSecret.ts';
import { SecretAnchors } from './secretAnchors.ts';
import { SECRET_PATTERNS } from './secretPatterns.ts';
import type { SecretRule } from './secretRule.ts';

const RULES: readonly SecretRule[] = [
  ...LINT_RULES,
  ...SECRET_PATTERNS.map(([kind, anchors, pattern]) => ({
    kind,
    anchors: anchors === '' ? [] : anchors.split(' '),
    isIn: (text: string) => pattern.test(text),
    locate: (text: string) => locatePattern(text, kind, pattern),
  })),
];
const ANCHORS = new SecretAnchors(RULES.map(({ anchors }) => anchors));
const WITHOUT_ANCHORS = RULES.filter(({ anchors }) => anchors.length === 0);
const BY_ANCHOR = Map.groupBy(
  RULES.flatMap((rule) => rule.anchors.map((anchor) => ({ anchor, rule }))),
  ({ anchor }) => anchor,
);

/** How long a search runs until others on its thread have their turn. */
const MAX_TURN_MS = 10;

/**
 * Searches a text with secretlint's recommended rules and our own patterns.
 * @returns the kinds of secrets found, such as `aws` or `privatekey`, each once and sorted; never the secrets
 * themselves.
 */
export async function findSecrets(text: string): Promise<string[]> {
  const kinds = new Set<string>();
  await search([text], (rule) => {
    if (!kinds.has(rule.kind) && rule.isIn(text)) kinds.add(rule.kind);
  });
  return [...kinds].sort();
}

/** Searches texts in the same way. Returns where the secrets are in each, without what they are assigned to. */
export async function locateSecrets(texts: readonly string[]): Promise<LocatedSecret[][]> {
  const found = texts.map((): LocatedSecret[] => []);
  await search(texts, (rule, text, at) => found[at]?.push(...rule.locate(text)));
  return found;
}

/** Calls `visit` for each rule that can match a text, and lets others have their turn in between. */
async function search(
  texts: readonly string[],
  visit: (rule: SecretRule, text: string, at: number) => void,
): Promise<void> {
  let end = performance.now() + MAX_TURN_MS;
  for (const [at, text] of texts.entries()) {
    for (const rule of rulesFor(text)) {
      visit(rule, text, at);
      if (performance.now() < end) continue;
      await new Promise((resolve) => setImmediate(resolve));
      end = performance.now() + MAX_TURN_MS;
    }
  }
}

/** Returns the rules that can match a text, each once. */
function rulesFor(text: string): Iterable<SecretRule> {
  const rules = new Set(WITHOUT_ANCHORS);
  for (const anchor of ANCHORS.in(text)) for (const { rule } of BY_ANCHOR.get(anchor) ?? []) rules.add(rule);
  return rules;
}
