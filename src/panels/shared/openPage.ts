import * as l10n from '@vscode/l10n';
import { setLanguage } from '../../display/language.ts';

/**
 * Sets the page to the editor's language.
 * @returns the root element for its content.
 */
export function openPage(): HTMLElement {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no element with the id "root".');
  // The translations for the editor's language; empty in English.
  l10n.config({ contents: root.dataset.strings ?? '{}' });
  setLanguage(document.documentElement.lang);
  return root;
}
