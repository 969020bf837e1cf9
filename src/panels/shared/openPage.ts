import * as l10n from '@vscode/l10n';
import { setLanguage } from '../../display/language.ts';

/** Puts the page into the editor's language. @returns where its content goes. */
export function openPage(): HTMLElement {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no element with the id "root".');
  // The words of the editor's language; none when it is English.
  l10n.config({ contents: root.dataset.strings ?? '{}' });
  setLanguage(document.documentElement.lang);
  return root;
}
