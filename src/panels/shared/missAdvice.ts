import * as l10n from '@vscode/l10n';
import type { CacheMissReason } from '../../rules/cacheMiss.ts';

/** Returns what the user can do about a miss; undefined if nothing. */
export function missAdvice(reason: CacheMissReason): string | undefined {
  switch (reason) {
    case 'model_changed':
      return l10n.t('Change models only at the start of a session');
    case 'tools_changed':
      return l10n.t('Connect MCP servers before the session starts');
    case 'tools_reordered':
      return l10n.t('Update the tool that sends them');
    case 'system_changed':
      return l10n.t('Change rules and memory files between sessions');
    case 'system_volatile':
      return l10n.t('Remove the time and counters from rules and prompts');
    case 'settings_changed':
      return l10n.t('Keep the effort and other settings during a session');
    case 'history_removed':
      return l10n.t('Turn off the tool’s trimming of old results');
    case 'expired':
      return l10n.t('Use a longer cache lifetime');
    case 'lookback':
      return l10n.t('Mark the end of each request');
    case 'unmarked':
      return l10n.t('Use a client that marks its requests, or "cache": "auto" for the upstream');
    case 'parallel_start':
      return l10n.t('Start parallel agents after the first answer');
    default:
      return undefined;
  }
}
