import * as l10n from '@vscode/l10n';
import type { CacheMissReason } from '../../rules/cacheMiss.ts';

const WORDS: Readonly<Record<CacheMissReason, () => string>> = {
  cold: () => l10n.t('Cold start'),
  model_changed: () => l10n.t('Model changed'),
  tools_changed: () => l10n.t('Tools changed'),
  tools_reordered: () => l10n.t('Tools reordered'),
  system_changed: () => l10n.t('System prompt changed'),
  system_volatile: () => l10n.t('Only a date or number changed'),
  history_rewritten: () => l10n.t('History rewritten'),
  history_removed: () => l10n.t('Messages removed'),
  history_inserted: () => l10n.t('Messages inserted'),
  compacted: () => l10n.t('Compacted'),
  image_changed: () => l10n.t('Image encoded again'),
  settings_changed: () => l10n.t('Settings changed'),
  expired: () => l10n.t('Expired'),
  lookback: () => l10n.t('Too many blocks since the last mark'),
  below_minimum: () => l10n.t('Prompt too short for the cache'),
  unmarked: () => l10n.t('No cache mark'),
  parallel_start: () => l10n.t('Sent before the earlier answer began'),
  server: () => l10n.t('Not in the upstream’s cache'),
};

/** Describes what happened before a cache miss, as the beginning of a line. */
export const missWord = (reason: CacheMissReason): string => WORDS[reason]();

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
