import * as l10n from '@vscode/l10n';
import type { CacheMissReason } from '../../rules/cacheMiss.ts';

const ADVICE: Readonly<Partial<Record<CacheMissReason, () => string>>> = {
  model_changed: () => l10n.t('Change models only at the start of a session'),
  tools_changed: () => l10n.t('Connect MCP servers before the session starts'),
  tools_reordered: () => l10n.t('Update the tool that sends them'),
  system_changed: () => l10n.t('Change rules and memory files between sessions'),
  system_volatile: () => l10n.t('Remove the time and counters from rules and prompts'),
  settings_changed: () => l10n.t('Keep the effort and other settings during a session'),
  history_removed: () => l10n.t('Turn off the tool’s trimming of old results'),
  expired: () => l10n.t('Use a longer cache lifetime'),
  lookback: () => l10n.t('Mark the end of each request'),
  unmarked: () => l10n.t('Use a client that marks its requests, or "cache": "auto" for the upstream'),
  parallel_start: () => l10n.t('Start parallel agents after the first answer'),
};

/** Returns what the user can do about a miss; undefined if nothing. */
export const missAdvice = (reason: CacheMissReason): string | undefined => ADVICE[reason]?.() ?? undefined;
