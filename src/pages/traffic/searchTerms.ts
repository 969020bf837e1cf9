import * as l10n from '@vscode/l10n';
import type { RequestSource } from '../../rules/exchange.ts';
import { SEARCH_FIELDS, type SearchTerm } from '../../rules/exchangeFilter.ts';

/**
 * The words by which users may search for the sources of calls: as the list shows them, and by their names in the
 * ledger.
 */
const SOURCE_WORDS: readonly { readonly source: RequestSource; readonly words: () => readonly string[] }[] = [
  { source: 'chatPanel', words: () => [l10n.t('Chat'), 'chatPanel'] },
  { source: 'chatTitle', words: () => [l10n.t('Chat title'), 'chatTitle'] },
  { source: 'codeMerge', words: () => [l10n.t('Merge of code'), 'codeMerge'] },
  { source: 'nativeChat', words: () => [l10n.t('Editor’s chat'), 'nativeChat'] },
  { source: 'inlineSuggestion', words: () => [l10n.t('Inline suggestion'), 'inlineSuggestion'] },
  { source: 'command', words: () => [l10n.t('Command'), 'command'] },
];

/** Splits the text of the filter, such as `tool:chat 402`, into terms. All of them must match. */
export function searchTerms(text: string, keyNames: Readonly<Record<string, string>>): SearchTerm[] {
  return text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => term(word, keyNames));
}

function term(word: string, keyNames: Readonly<Record<string, string>>): SearchTerm {
  const field = SEARCH_FIELDS.find((name) => word.toLowerCase().startsWith(`${name}:`));
  const text = (field === undefined ? word : word.slice(field.length + 1)).toLowerCase();
  const has = (name: string) => name.toLowerCase().includes(text);
  return {
    ...(field !== undefined && { field }),
    text,
    localKeyIds: Object.keys(keyNames).filter((id) => has(keyNames[id] ?? '')),
    sources: SOURCE_WORDS.filter(({ words }) => words().some(has)).map(({ source }) => source),
  };
}
