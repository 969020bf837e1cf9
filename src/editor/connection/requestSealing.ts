import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { BodySealer } from '../../secrets/bodySealer.ts';
import type { Settings } from '../settings/settings.ts';
import type { SecretValues } from './secretValues.ts';

const KEY = 'modelAccess.standInKey';
/** How many replaced texts are remembered, for questions about what a model wants to do with them. */
const MAX_TEXTS = 1_000;

/** Replaces secrets in the extension's own requests, if the user wants that. Its code is loaded with the first one. */
export class RequestSealing {
  readonly #settings: Settings;
  readonly #stored: vscode.SecretStorage;
  readonly #values: SecretValues;
  readonly #texts = new Set<string>();
  #sealer: Promise<BodySealer> | undefined;

  constructor(settings: Settings, stored: vscode.SecretStorage, values: SecretValues) {
    this.#settings = settings;
    this.#stored = stored;
    this.#values = values;
  }

  /** Returns a `fetch` that follows the policy of the settings at the time of each request. */
  wrap(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return (input, init) => {
      const { secretPolicy: policy } = this.#settings;
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
    policy: Exclude<Settings['secretPolicy'], 'off'>,
  ): Promise<Response> {
    this.#sealer ??= this.#createSealer();
    const [sealer, known, { sealedFetch }] = await Promise.all([
      this.#sealer,
      this.#values.read(),
      import('../../secrets/sealedFetch.ts'),
    ]);
    const refusal = (kinds: readonly string[]) =>
      l10n.t(
        'The request was not sent because it contains secrets: {0}. Remove them, or change the setting {1}.',
        kinds.join(', '),
        'modelAccess.secrets.policy',
      );
    const onSealed = (texts: Iterable<string>) => this.#remember(texts);
    return sealedFetch(input, init, { fetch, sealer, known, policy, refusal, onSealed });
  }

  async #createSealer(): Promise<BodySealer> {
    const [{ BodySealer }, { StandIns }, { locateSecrets }, key] = await Promise.all([
      import('../../secrets/bodySealer.ts'),
      import('../../secrets/standIns.ts'),
      import('../../secrets/secretFinder.ts'),
      this.#readKey(),
    ]);
    return new BodySealer({ standIns: new StandIns(key), find: locateSecrets });
  }

  /** The same key in all sessions keeps the caches of services valid. */
  async #readKey(): Promise<Uint8Array> {
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
