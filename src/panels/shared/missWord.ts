import * as l10n from '@vscode/l10n';
import type { CacheMissReason } from '../../rules/cacheMiss.ts';

/** Describes what happened before a cache miss, as the beginning of a line. */
export function missWord(reason: CacheMissReason): string {
  switch (reason) {
    case 'cold':
      return l10n.t('Cold start');
    case 'model_changed':
      return l10n.t('Model changed');
    case 'tools_changed':
      return l10n.t('Tools changed');
    case 'tools_reordered':
      return l10n.t('Tools reordered');
    case 'system_changed':
      return l10n.t('System prompt changed');
    case 'system_volatile':
      return l10n.t('Only a date or number changed');
    case 'history_rewritten':
      return l10n.t('History rewritten');
    case 'history_removed':
      return l10n.t('Messages removed');
    case 'history_inserted':
      return l10n.t('Messages inserted');
    case 'compacted':
      return l10n.t('Compacted');
    case 'image_changed':
      return l10n.t('Image encoded again');
    case 'settings_changed':
      return l10n.t('Settings changed');
    case 'expired':
      return l10n.t('Expired');
    case 'lookback':
      return l10n.t('Too many blocks since the last mark');
    case 'below_minimum':
      return l10n.t('Prompt too short for the cache');
    case 'unmarked':
      return l10n.t('No cache mark');
    case 'parallel_start':
      return l10n.t('Sent before the earlier answer began');
    case 'server':
      return l10n.t('Not in the upstream’s cache');
  }
}
