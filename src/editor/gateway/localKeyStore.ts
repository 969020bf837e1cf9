import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { IssuedKey, KeyTerms } from '../../gateway/keys/issuedKey.ts';
import { type KeyChange, KeyList, parseKeys, serializeKeys } from '../../gateway/keys/keyList.ts';
import type { Log } from '../log/log.ts';
import { WorkQueue } from '../workQueue.ts';

const SECRET = 'modelAccess.localKeys';
/** The place where earlier versions kept their only secret. */
const EARLIER_SECRET = 'modelAccess.localKey';
const FIRST_NAME = 'default';

/**
 * The local keys of this user's gateway, stored as one text in SecretStorage, which all windows share. They survive
 * restarts, so that tools keep working.
 */
export class LocalKeyStore implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #changed = new vscode.EventEmitter<KeyList>();
  readonly #subscription: vscode.Disposable;
  /** Each change starts from what the previous one stored. */
  readonly #queue = new WorkQueue();
  /** The text that was last read, written, or announced. */
  #known: string | undefined;

  /** Fires in every window when a key was created, changed, rotated, or revoked in any of them. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, log: Log) {
    this.#secrets = secrets;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key !== SECRET) return;
      this.#queue.run(() => this.#notify()).catch((error) => log.error('The local keys could not be read', error));
    });
  }

  /**
   * Reads the keys. Creates a first key without terms if there has never been one.
   * @throws {LocalKeyError} if they cannot be read.
   */
  read(): Promise<KeyList> {
    return this.#queue.run(() => this.#read());
  }

  /** @throws {LocalKeyError} */
  create(name: string, terms: KeyTerms): Promise<IssuedKey> {
    return this.#change((list) => list.create(name, terms, Date.now()));
  }

  /**
   * Replaces the name and all terms of a key.
   * @throws {LocalKeyError}
   */
  change(id: string, name: string, terms: KeyTerms): Promise<IssuedKey> {
    return this.#change((list) => list.change(id, name, terms, Date.now()));
  }

  /**
   * Changes a part of a key's name and terms. The key may have been changed while the user was asked.
   * @param change returns the name and all terms, from those that the key has now.
   * @throws {LocalKeyError}
   */
  adjust(id: string, change: (key: IssuedKey) => { name: string; terms: KeyTerms }): Promise<IssuedKey> {
    return this.#change((list) => {
      const key = list.find(id);
      const { name, terms } = key === undefined ? { name: '', terms: {} } : change(key);
      return list.change(id, name, terms, Date.now());
    });
  }

  /**
   * Replaces a key's secret. The previous secret no longer grants access.
   * @throws {LocalKeyError}
   */
  rotate(id: string): Promise<IssuedKey> {
    return this.#change((list) => list.rotate(id, Date.now()));
  }

  /** @throws {LocalKeyError} */
  revoke(id: string): Promise<IssuedKey> {
    return this.#change((list) => list.revoke(id));
  }

  /**
   * Stores the keys that another window reports, since not every host shares secrets with all windows or reports
   * changes. If the storage itself has newer content, that is used instead.
   */
  async adopt(keys: readonly IssuedKey[]): Promise<void> {
    await this.#queue.run(async () => {
      const text = await this.#secrets.get(SECRET);
      const list = new KeyList(keys);
      if (text !== undefined && text !== this.#known) this.#announce(text, parseKeys(text));
      else if (text === undefined || canonical(text) !== canonical(serializeKeys(list))) await this.#store(list);
    });
  }

  /** Discards a list that can no longer be read. None of its keys grants access to the gateway afterwards. */
  async reset(): Promise<void> {
    await this.#queue.run(() => this.#store(new KeyList()));
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#changed).dispose();
  }

  #change(change: (list: KeyList) => KeyChange): Promise<IssuedKey> {
    return this.#queue.run(async () => {
      const { list, key } = change(await this.#read());
      await this.#store(list);
      return key;
    });
  }

  async #read(): Promise<KeyList> {
    const text = await this.#secrets.get(SECRET);
    if (text !== undefined) {
      this.#known ??= text;
      return parseKeys(text);
    }
    const list = await this.#first();
    await this.#store(list);
    await this.#secrets.delete(EARLIER_SECRET);
    return list;
  }

  async #first(): Promise<KeyList> {
    const { list, key } = new KeyList().create(FIRST_NAME, {}, Date.now());
    const secret = await this.#secrets.get(EARLIER_SECRET);
    return secret === undefined ? list : new KeyList([{ ...key, secret }]);
  }

  async #store(list: KeyList): Promise<void> {
    const text = serializeKeys(list);
    await this.#secrets.store(SECRET, text);
    if ((await this.#secrets.get(SECRET)) !== text) {
      throw new Error(l10n.t('This system could not store the local keys. Set up a keyring for the editor.'));
    }
    this.#announce(text, list);
  }

  /** Announces keys that another window may have changed. */
  async #notify(): Promise<void> {
    const text = await this.#secrets.get(SECRET);
    if (text !== undefined) this.#announce(text, parseKeys(text));
  }

  #announce(text: string, list: KeyList): void {
    if (text === this.#known) return;
    this.#known = text;
    this.#changed.fire(list);
  }
}

/** Returns the same text for equal lists, regardless of their formatting. */
function canonical(text: string): string {
  return serializeKeys(parseKeys(text));
}
