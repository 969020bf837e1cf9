import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { IssuedKey, KeyTerms } from '../../gateway/keys/issuedKey.ts';
import type { KeyChange, KeyList } from '../../gateway/keys/keyList.ts';
import type { SharedKeys } from '../../gateway/sharing/protocol.ts';
import type { Log } from '../log/log.ts';
import { WorkQueue } from '../workQueue.ts';

const SECRET = 'modelAccess.localKeys';
const FIRST_NAME = 'default';
/** Some systems drop what is stored without an error. Other windows replace it only while they store something. */
const MAX_ATTEMPTS = 10;

/** Loaded when the keys are first needed. */
const keyLists = () => import('../../gateway/keys/keyList.ts');

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
  /**
   * What this window knows of the keys. Storing replaces what other windows have stored at the same moment, so that
   * each of them merges it with what it knows, and stores that again.
   */
  #known: KeyList | undefined;

  /** Fires in every window when a key was created, changed, rotated, or revoked in any of them. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, log: Log) {
    this.#secrets = secrets;
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key !== SECRET) return;
      this.#queue.run(() => this.#read()).catch((error) => log.error('The local keys could not be read', error));
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
   * Changes the name and the terms of a key.
   * @param asked the key when the user was asked for them: what they leave as it was then stays as it is now. If
   *   undefined, all terms are replaced.
   * @throws {LocalKeyError}
   */
  change(id: string, name: string, terms: KeyTerms, asked?: IssuedKey): Promise<IssuedKey> {
    return this.#change((list) => list.change(id, name, terms, Date.now(), asked));
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

  /** Adds what another window reports, since not every host shares secrets with all windows or reports changes. */
  async adopt({ localKeys, revokedKeys }: SharedKeys): Promise<void> {
    await this.#queue.run(async () => {
      const lists = await keyLists();
      const known = await this.#read();
      const merged = known.merge(new lists.KeyList(localKeys, revokedKeys));
      if (!merged.equals(known)) await this.#store(merged);
    });
  }

  /** Discards a list that can no longer be read. None of its keys grants access to the gateway afterwards. */
  async reset(): Promise<void> {
    await this.#queue.run(async () => {
      const lists = await keyLists();
      await this.#store(new lists.KeyList([], { ids: [], before: Date.now() + 1 }));
    });
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#changed).dispose();
  }

  #change(change: (list: KeyList) => KeyChange): Promise<IssuedKey> {
    return this.#queue.run(async () => {
      const { list, key } = change(await this.#read());
      return (await this.#store(list)).find(key.id) ?? key;
    });
  }

  /** If the storage has less than what this window knows, another window has just replaced it. */
  async #read(): Promise<KeyList> {
    const { parseKeys } = await keyLists();
    const text = await this.#secrets.get(SECRET);
    const known = this.#known;
    if (text === undefined) return known === undefined ? this.#first() : this.#store(known);
    const stored = parseKeys(text);
    const list = known?.merge(stored) ?? stored;
    if (!list.equals(stored)) return this.#store(list);
    if (known === undefined) this.#known = list;
    else this.#announce(list);
    return list;
  }

  async #first(): Promise<KeyList> {
    const lists = await keyLists();
    return this.#store(lists.KeyList.first(FIRST_NAME, Date.now()));
  }

  /** Stores a list until the storage has it, together with what other windows store at the same moment. */
  async #store(list: KeyList): Promise<KeyList> {
    const { parseKeys, serializeKeys } = await keyLists();
    let wanted = list;
    for (let attempt = 1; ; attempt += 1) {
      const text = serializeKeys(wanted);
      await this.#secrets.store(SECRET, text);
      const stored = await this.#secrets.get(SECRET);
      if (stored === text) break;
      if (stored === undefined || attempt === MAX_ATTEMPTS) {
        throw new Error(l10n.t('This system could not store the local keys. Set up a keyring for the editor.'));
      }
      wanted = wanted.merge(parseKeys(stored));
    }
    this.#announce(wanted);
    return wanted;
  }

  #announce(list: KeyList): void {
    if (this.#known?.equals(list) === true) return;
    this.#known = list;
    this.#changed.fire(list);
  }
}
