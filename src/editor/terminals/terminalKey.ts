import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import { LocalKeyError } from '../../gateway/keys/keyTerms.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';

/** Not translated, because it also names the key in the ledger. */
const NAME = 'Terminals';

/** Returns the terminals' local key, and creates it if needed. Its terms can be changed like those of any other key. */
export async function terminalKey(localKeys: LocalKeyStore): Promise<IssuedKey> {
  const known = await find(localKeys);
  if (known !== undefined) return known;
  try {
    return await localKeys.create(NAME, {});
  } catch (error) {
    // Another window may have created it first.
    const made = error instanceof LocalKeyError ? await find(localKeys) : undefined;
    if (made === undefined) throw error;
    return made;
  }
}

async function find(localKeys: LocalKeyStore): Promise<IssuedKey | undefined> {
  return (await localKeys.read()).keys.find(({ name }) => name === NAME);
}
