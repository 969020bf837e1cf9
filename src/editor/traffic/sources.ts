import * as l10n from '@vscode/l10n';
import type { Source } from '../../rules/exchange.ts';

/**
 * The words by which users may search for the sources of calls: as the list shows them, and by their names in the
 * ledger.
 */
export const SOURCE_WORDS: readonly { readonly source: Source; readonly words: () => readonly string[] }[] = [
  { source: 'chatPanel', words: () => [l10n.t('Chat'), 'chatPanel'] },
  { source: 'nativeChat', words: () => [l10n.t('Editor’s chat'), 'nativeChat'] },
  { source: 'command', words: () => [l10n.t('Command'), 'command'] },
];
