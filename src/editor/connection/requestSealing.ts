import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { SearchThread } from '../../gateway/secrets/searchThread.ts';
import { type SecretPolicy, stricter } from '../../rules/secretPolicy.ts';
import type { SealAnswer } from '../../secrets/sealAnswer.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import type { SecretValues } from './secretValues.ts';

const KEY = 'modelAccess.standInKey';
/** How many replaced texts are remembered, for questions about what a model wants to do with them. */
const MAX_TEXTS = 1_000;

interface SealingParts {
  readonly settings: Settings;
  readonly secrets: vscode.SecretStorage;
  readonly secretValues: SecretValues;
  readonly log: Log;
  readonly extensionUri: vscode.Uri;
}

/**
 * Replaces secrets in the extension's own requests, if the user wants that. They are searched in a thread, so that no
 * request delays the editor.
 */
export class RequestSealing implements vscode.Disposable {
  readonly #settings: Settings;
  readonly #stored: vscode.SecretStorage;
  readonly #values: SecretValues;
  readonly #texts = new Set<string>();
  readonly #thread: SearchThread;
  readonly #log: Log;
  #key: Promise<Uint8Array> | undefined;

  constructor({ settings, secrets, secretValues, log, extensionUri }: SealingParts) {
    this.#thread = new SearchThread(`${extensionUri}/dist/extension.js`);
    this.#settings = settings;
    this.#stored = secrets;
    this.#values = secretValues;
    this.#log = log;
  }

  dispose(): void {
    void this.#thread.close();
  }

  /**
   * Returns a `fetch` that follows the policy of the settings at the time of each request.
   * @param least the policy that applies if that of the settings is less strict.
   */
  wrap(fetch: typeof globalThis.fetch, least: SecretPolicy = 'off'): typeof globalThis.fetch {
    return (input, init) => {
      const policy = stricter(this.#settings.secretPolicy, least);
      return policy === 'off' || init?.body === undefined ? fetch(input, init) : this.#seal(input, init, fetch, policy);
    };
  }

  /** Returns how many replaced texts a text contains. */
  countIn(text: string): number {
    return [...this.#texts].filter((secret) => text.includes(secret)).length;
  }

  async #seal(
    input: Parameters<typeof globalThis.fetch>[0],
    init: RequestInit,
    fetch: typeof globalThis.fetch,
    policy: Exclude<SecretPolicy, 'off'>,
  ): Promise<Response> {
    const [key, known, { sealedFetch }] = await Promise.all([
      this.#readKey(),
      this.#values.read(),
      import('../../secrets/sealedFetch.ts'),
    ]);
    const seal = async (body: Buffer): Promise<SealAnswer | undefined> => {
      try {
        return await this.#thread.seal({ body, key, known });
      } catch (error) {
        this.#log.error('Could not search a request for secrets', error);
        return undefined;
      }
    };
    return sealedFetch(input, init, { fetch, seal, policy, refusal, onSealed: (texts) => this.#remember(texts) });
  }

  /** The same key in all sessions keeps the caches of services valid. */
  #readKey(): Promise<Uint8Array> {
    this.#key ??= this.#storedKey();
    return this.#key;
  }

  async #storedKey(): Promise<Uint8Array> {
    const stored = await this.#stored.get(KEY);
    if (stored !== undefined) return Buffer.from(stored, 'base64');
    const key = randomBytes(32);
    await this.#stored.store(KEY, key.toString('base64'));
    return key;
  }

  #remember(texts: Iterable<string>): void {
    for (const text of texts) {
      this.#texts.delete(text);
      this.#texts.add(text);
      const [oldest] = this.#texts;
      if (this.#texts.size > MAX_TEXTS && oldest !== undefined) this.#texts.delete(oldest);
    }
  }
}

function refusal(kinds: readonly string[] | undefined): string {
  return kinds === undefined
    ? l10n.t('The request was not sent because it could not be searched for secrets. The log has the reason.')
    : l10n.t(
        'The request was not sent because it contains secrets: {0}. Remove them, or change the setting {1}.',
        kinds.join(', '),
        'modelAccess.secrets.policy',
      );
}
