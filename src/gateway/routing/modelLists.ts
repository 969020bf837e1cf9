/** `/models` over several upstreams, in the shape that the caller reads. */
import type { FormatName, JsonObject, JsonValue } from '../../formats/conversation.ts';
import { askWhole } from '../core/wholeAnswer.ts';
import { parseJsonBody } from '../http/jsonBody.ts';
import type { Member } from './member.ts';

/** Clients wait three seconds for the list. */
const TIMEOUT_MS = 2_000;
/** An upstream that gave no list is not asked again for so long by requests that would like to know it. */
const RETRY_MS = 30_000;

/** A model as its upstream lists it, in either shape. */
export type ListedModel = JsonObject & { readonly id: string };

/** Asks all upstreams at once. One that does not answer counts with what it listed last. */
export class ModelLists {
  readonly #members: readonly Member[];
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #now: () => number;
  readonly #lastKnown = new Map<Member, readonly ListedModel[]>();
  /** When an upstream gave none. */
  readonly #failedAt = new Map<Member, number>();

  /**
   * @param aliases names for callers, of aliases and routes, with the model that describes each.
   * @param now in milliseconds.
   */
  constructor(
    members: readonly Member[],
    aliases: ReadonlyMap<string, string>,
    now: () => number = () => performance.now(),
  ) {
    this.#now = now;
    this.#members = members;
    this.#aliases = aliases;
  }

  /** By their names: aliases first, then the upstreams in their order. */
  async list(localKeyId: string, signal: AbortSignal): Promise<ReadonlyMap<string, ListedModel>> {
    const lists = await Promise.all(this.#members.map((member) => this.#ask(member, localKeyId, signal)));
    const models = new Map<string, ListedModel>();
    for (const model of lists.flat()) if (!models.has(model.id)) models.set(model.id, model);
    const aliases = [...this.#aliases].map(([alias, name]) => ({ ...this.find(models, name), id: alias }));
    return new Map([...aliases, ...models.values()].map((model) => [model.id, model]));
  }

  /** The model of a name that may have its upstream's id before it, as requests may name it. */
  find(models: ReadonlyMap<string, ListedModel>, name: string): ListedModel | undefined {
    const member = this.#members.find(({ id }) => name.startsWith(`${id}/`));
    const listed = models.get(name) ?? (member && models.get(name.slice(member.id.length + 1)));
    return listed && { ...listed, id: name };
  }

  /** What the upstream has listed about the model; `undefined` when it has not, or was not asked yet. */
  known(member: Member, model: string): ListedModel | undefined {
    return this.#lastKnown.get(member)?.find(({ id }) => id === model);
  }

  /** Whether the upstream has given its list, or will not do so for now. */
  isKnown(member: Member): boolean {
    const failedAt = this.#failedAt.get(member) ?? Number.NEGATIVE_INFINITY;
    return this.#lastKnown.has(member) || this.#now() - failedAt < RETRY_MS;
  }

  /** Asks an upstream for its list, unless it was asked before. */
  async load(member: Member): Promise<void> {
    if (!this.isKnown(member)) await this.#ask(member, 'probe', new AbortController().signal);
  }

  async #ask(member: Member, localKeyId: string, signal: AbortSignal): Promise<readonly ListedModel[]> {
    const given = member.circuit.isOpen ? undefined : await ask(member, localKeyId, signal);
    if (given === undefined) this.#failedAt.set(member, this.#now());
    else this.#lastKnown.set(member, given);
    const listed = this.#lastKnown.get(member) ?? [];
    const offered = listed.filter(({ id }) => member.models.fit(id) !== undefined);
    const missing = member.models.names.filter((name) => !offered.some(({ id }) => id === name));
    return [...offered, ...missing.map((id) => ({ id }))];
  }
}

async function ask(member: Member, localKeyId: string, signal: AbortSignal): Promise<ListedModel[] | undefined> {
  const answer = await askWhole(member.upstream, member.modelsRequest(localKeyId), TIMEOUT_MS, signal);
  if (answer === undefined || answer.status !== 200) return undefined;
  const body = parseJsonBody(answer.body);
  if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data)) return undefined;
  return body.data.filter(isModel);
}

function isModel(value: unknown): value is ListedModel {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}

/** Members that belong to the one shape or the other; the rest, such as prices, is carried in both. */
const OF_A_SHAPE = new Set(['type', 'object', 'display_name', 'created_at', 'created', 'owned_by']);

export function encodeModel(model: ListedModel, format: FormatName): JsonObject {
  const { id, display_name: displayName, owned_by: owner } = model;
  const further = Object.fromEntries(Object.entries(model).filter(([name]) => !OF_A_SHAPE.has(name)));
  const created = creationOf(model);
  if (format !== 'messages') {
    return { id, object: 'model', created, owned_by: typeof owner === 'string' ? owner : 'upstream', ...further };
  }
  const name = typeof displayName === 'string' ? displayName : id;
  return { type: 'model', id, display_name: name, created_at: new Date(created * 1000).toISOString(), ...further };
}

/** Seconds since the epoch; 0 when the upstream does not say. */
function creationOf({ created, created_at: at }: ListedModel): number {
  const seconds = typeof created === 'number' ? created : secondsOf(at);
  return Number.isFinite(seconds) && Math.abs(seconds) < 1e11 ? Math.floor(seconds) : 0;
}

function secondsOf(at: JsonValue | undefined): number {
  return typeof at === 'string' ? Date.parse(at) / 1000 : Number(at ?? 0);
}

export function encodeModels(models: readonly ListedModel[], format: FormatName): JsonObject {
  const data = models.map((model) => encodeModel(model, format));
  if (format !== 'messages') return { object: 'list', data };
  return { data, has_more: false, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null };
}
