/** `/models` for several upstreams, in the caller's format. */
import type { FormatName } from '../../formats/conversation.ts';
import type { JsonObject, JsonValue } from '../../formats/json.ts';
import { askWhole } from '../core/wholeAnswer.ts';
import { parseJsonBody } from '../http/jsonBody.ts';
import type { Member } from './member.ts';

/** Clients wait three seconds for the list. */
const TIMEOUT_MS = 2_000;
/** After an upstream failed to return its list, {@link ModelLists.load} does not ask it again for this time. */
const RETRY_MS = 30_000;

/** A model in an upstream's list, in either format. */
export type ListedModel = JsonObject & { readonly id: string };

/** Asks all upstreams in parallel. For one that does not answer, uses its last list. */
export class ModelLists {
  readonly #members: readonly Member[];
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #now: () => number;
  readonly #lastKnown = new Map<Member, readonly ListedModel[]>();
  /** Requests in progress, which all callers share: a faulty upstream can send 16 MB for each. */
  readonly #asked = new Map<Member, Promise<ListedModel[] | undefined>>();
  /** When an upstream last failed to return its list. */
  readonly #failedAt = new Map<Member, number>();

  /**
   * @param aliases names of aliases and routes, with the model whose entry describes each.
   * @param now returns milliseconds.
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

  /** Returns the models by name: aliases first, then the upstreams' models in the order of the upstreams. */
  async list(localKeyId: string): Promise<ReadonlyMap<string, ListedModel>> {
    const lists = await Promise.all(this.#members.map((member) => this.#ask(member, localKeyId)));
    const models = new Map<string, ListedModel>();
    for (const model of lists.flat()) if (!models.has(model.id)) models.set(model.id, model);
    const aliases = [...this.#aliases].map(([alias, name]) => ({ ...this.find(models, name), id: alias }));
    return new Map([...aliases, ...models.values()].map((model) => [model.id, model]));
  }

  /** Returns the model of a name, which may start with its upstream's ID, as in requests. */
  find(models: ReadonlyMap<string, ListedModel>, name: string): ListedModel | undefined {
    const member = this.#members.find(({ id }) => name.startsWith(`${id}/`));
    const listed = models.get(name) ?? (member && models.get(name.slice(member.id.length + 1)));
    return listed && { ...listed, id: name };
  }

  /** Returns the upstream's entry for the model, or `undefined` if it has none or was not asked yet. */
  known(member: Member, model: string): ListedModel | undefined {
    return this.#lastKnown.get(member)?.find(({ id }) => id === model);
  }

  /** Whether the upstream has returned its list, or failed to do so recently. */
  isKnown(member: Member): boolean {
    const failedAt = this.#failedAt.get(member) ?? Number.NEGATIVE_INFINITY;
    return this.#lastKnown.has(member) || this.#now() - failedAt < RETRY_MS;
  }

  async load(member: Member): Promise<void> {
    if (!this.isKnown(member)) await this.#ask(member, 'probe');
  }

  #answerOf(member: Member, localKeyId: string): Promise<ListedModel[] | undefined> {
    const inProgress = this.#asked.get(member);
    if (inProgress !== undefined) return inProgress;
    const asked = ask(member, localKeyId).finally(() => this.#asked.delete(member));
    this.#asked.set(member, asked);
    return asked;
  }

  async #ask(member: Member, localKeyId: string): Promise<readonly ListedModel[]> {
    const given = member.health.circuit.isOpen ? undefined : await this.#answerOf(member, localKeyId);
    if (given === undefined) this.#failedAt.set(member, this.#now());
    else this.#lastKnown.set(member, given);
    const listed = this.#lastKnown.get(member) ?? [];
    const offered = listed.filter(({ id }) => member.models.fit(id) !== undefined);
    const missing = member.models.names.filter((name) => !offered.some(({ id }) => id === name));
    return [...offered, ...missing.map((id) => ({ id }))];
  }
}

async function ask(member: Member, localKeyId: string): Promise<ListedModel[] | undefined> {
  // A caller that leaves does not end it, because others may wait for it too.
  const answer = await askWhole(member.upstream, member.modelsRequest(localKeyId), TIMEOUT_MS);
  if (answer === undefined || answer.status !== 200) return undefined;
  const body = parseJsonBody(answer.body);
  if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data)) return undefined;
  return body.data.filter(isModel);
}

function isModel(value: unknown): value is ListedModel {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}

/** Members that exist in only one of the formats. All others, such as prices, are copied to both. */
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

/** Seconds since the epoch; 0 if the upstream does not provide the time. */
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
