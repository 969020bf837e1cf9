import type { Change } from './configuration/edits.ts';

/** One line for each value, such as `env.ANTHROPIC_MODEL: familya-haiku-4.5`. */
export function describeChanges(changes: readonly Change[]): string {
  return changes.map(({ path, value }) => `${path.join('.')}: ${textOf(value)}`).join('\n');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
