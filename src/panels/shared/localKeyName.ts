import * as l10n from '@vscode/l10n';
import { ownClientWord } from '../../display/sessionName.ts';

/** Number of characters of an ID that are shown to distinguish keys whose names are not known. */
const SHOWN_CHARACTERS = 8;

/**
 * Returns the name that the user chose for the key. The sample session has a key of its own, which is in no list.
 * @param names names of the keys by ID. Only those of keys that were revoked long ago are missing.
 */
export function localKeyName(id: string, names: Readonly<Record<string, string>>): string {
  return names[id] ?? ownClientWord(id) ?? l10n.t('Revoked key {0}', id.slice(0, SHOWN_CHARACTERS));
}
