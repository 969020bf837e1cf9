import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import { LocalKeyError } from '../../gateway/keys/keyTerms.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';

/** Not translated: it names the key in the ledger, too. */
const NAME = 'Terminals';

/** The local key of the terminals, made when there is none. Its terms can be changed like those of any other. */
export async function terminalKey(localKeys: LocalKeyStore): Promise<IssuedKey> {
  const known = await find(localKeys);
  if (known !== undefined) return known;
  try {
    return await localKeys.create(NAME, {});
  } catch (error) {
    // Another window may have been first.
    const made = error instanceof LocalKeyError ? await find(localKeys) : undefined;
    if (made === undefined) throw error;
    return made;
  }
}

async function find(localKeys: LocalKeyStore): Promise<IssuedKey | undefined> {
  return (await localKeys.read()).keys.find(({ name }) => name === NAME);
}
