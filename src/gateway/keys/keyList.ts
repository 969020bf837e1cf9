import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { createLocalKeySecret, detailsOf, type IssuedKey, type KeyDetails, type KeyTerms } from './issuedKey.ts';
import { checkedName, checkedTerms, LocalKeyError } from './keyTerms.ts';

/** The list after a change, and the key that was changed. */
export interface KeyChange {
  readonly list: KeyList;
  readonly key: IssuedKey;
}

/**
 * The local keys of a user, as an immutable value: every change returns a new list. Times are milliseconds since the
 * epoch.
 */
export class KeyList {
  readonly keys: readonly IssuedKey[];

  constructor(keys: readonly IssuedKey[] = []) {
    this.keys = keys;
  }

  /** The keys without their secrets, in order of creation. */
  get details(): readonly KeyDetails[] {
    return this.keys.map(detailsOf);
  }

  find(id: string): IssuedKey | undefined {
    return this.keys.find((key) => key.id === id);
  }

  /** @throws {LocalKeyError} */
  create(name: string, terms: KeyTerms, now: number): KeyChange {
    const key: IssuedKey = {
      id: randomUUID(),
      name: checkedName(name, this.#names()),
      createdAt: now,
      ...checkedTerms(terms, now),
      secret: createLocalKeySecret(),
    };
    return { list: new KeyList([...this.keys, key]), key };
  }

  /**
   * Replaces the name and all terms of a key.
   * @throws {LocalKeyError}
   */
  change(id: string, name: string, terms: KeyTerms, now: number): KeyChange {
    const { secret, createdAt, rotatedAt } = this.#get(id);
    return this.#replace({
      id,
      name: checkedName(name, this.#names(id)),
      createdAt,
      ...(rotatedAt !== undefined && { rotatedAt }),
      ...checkedTerms(terms, now),
      secret,
    });
  }

  /**
   * Replaces the secret of a key. The earlier secret is no longer valid.
   * @throws {LocalKeyError}
   */
  rotate(id: string, now: number): KeyChange {
    return this.#replace({ ...this.#get(id), rotatedAt: now, secret: createLocalKeySecret() });
  }

  /** @throws {LocalKeyError} */
  revoke(id: string): KeyChange {
    const key = this.#get(id);
    return { list: new KeyList(this.keys.filter((each) => each !== key)), key };
  }

  #get(id: string): IssuedKey {
    const key = this.find(id);
    if (key === undefined) throw new LocalKeyError(l10n.t('This key no longer exists.'));
    return key;
  }

  #replace(key: IssuedKey): KeyChange {
    return { list: new KeyList(this.keys.map((each) => (each.id === key.id ? key : each))), key };
  }

  #names(exceptId?: string): string[] {
    return this.keys.filter(({ id }) => id !== exceptId).map(({ name }) => name);
  }
}
