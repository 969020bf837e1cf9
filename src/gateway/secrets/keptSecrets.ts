import type { KnownSecret } from '../../secrets/secretTable.ts';

type Texts = readonly (readonly [standIn: string, text: string])[];

interface OfKey {
  readonly texts: Map<string, string>;
  readonly secrets: Map<string, KnownSecret>;
}

const MAX_KEYS = 500;
const MAX_OF_KEY = 2_000;

/**
 * The secrets of earlier requests, by local key, in memory. Needed for conversations that a service keeps: their later
 * requests do not repeat the earlier ones, but their answers can.
 */
export class KeptSecrets {
  readonly #keys = new Map<string, OfKey>();

  add(localKeyId: string, texts: Texts, secrets: readonly KnownSecret[]): void {
    const kept = this.#keys.get(localKeyId) ?? { texts: new Map(), secrets: new Map() };
    this.#keys.delete(localKeyId);
    this.#keys.set(localKeyId, kept);
    for (const [standIn, text] of texts) addRecent(kept.texts, standIn, text);
    for (const secret of secrets) addRecent(kept.secrets, secret.value, secret);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > MAX_KEYS && oldest !== undefined) this.#keys.delete(oldest);
  }

  of(localKeyId: string): { readonly texts: Iterable<Texts[number]>; readonly secrets: Iterable<KnownSecret> } {
    const kept = this.#keys.get(localKeyId);
    return { texts: kept?.texts ?? [], secrets: kept?.secrets.values() ?? [] };
  }
}

function addRecent<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_OF_KEY && oldest !== undefined) map.delete(oldest);
}
