import * as l10n from '@vscode/l10n';

/** Characters of an id that tell revoked keys apart. */
const SHOWN_CHARACTERS = 8;

/** The name that its user chose. @param names of the existing keys, by id. */
export function localKeyName(id: string, names: Readonly<Record<string, string>>): string {
  return names[id] ?? l10n.t('Revoked key {0}', id.slice(0, SHOWN_CHARACTERS));
}
