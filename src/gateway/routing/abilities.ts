import { type Model, readModelCatalog } from '../../service/modelCatalog.ts';
import type { UpstreamRequest } from '../core/upstream.ts';
import type { ConversationStore } from '../translation/conversationStore.ts';
import type { Candidate } from './candidate.ts';
import type { ListedModel, ModelLists } from './modelLists.ts';
import type { RequestFacts } from './routes/requestFacts.ts';

/** What the upstreams' lists say about their models. What they do not say is taken for possible. */
export class Abilities {
  readonly #lists: ModelLists;
  readonly #store: ConversationStore;
  /** As entries were read; an entry of a new list is a new object. */
  readonly #read = new WeakMap<ListedModel, Model | undefined>();

  constructor(lists: ModelLists, store: ConversationStore) {
    this.#lists = lists;
    this.#store = store;
  }

  /** @returns a promise where lists have to be asked for first, since the request needs an ability that not all have. */
  load(candidates: readonly Candidate[], facts: RequestFacts): Promise<unknown> | undefined {
    const unknown = candidates.filter(({ member }) => !this.#lists.isKnown(member));
    if (unknown.length === 0 || !(facts.hasImage || facts.hasTools)) return undefined;
    return Promise.all(unknown.map(({ member }) => this.#lists.load(member)));
  }

  /** What the request asks for and the candidate cannot do; `undefined` when nothing is known to be missing. */
  missing(candidate: Candidate, request: UpstreamRequest, facts: RequestFacts): string | undefined {
    const model = this.#describe(candidate);
    if (model?.images === false && facts.hasImage) return 'images';
    if (model?.tools === false && facts.hasTools) return 'tools';
    return this.#lacksAnswer(candidate, request, facts) ? 'previous_response_id' : undefined;
  }

  /** Without those whose context window is known not to be larger, or to be too small for the request. */
  async larger(failed: Candidate, others: readonly Candidate[], facts: RequestFacts): Promise<readonly Candidate[]> {
    await Promise.all([failed, ...others].map(({ member }) => this.#lists.load(member)));
    const window = this.#describe(failed)?.contextWindow ?? 0;
    return others.filter((other) => {
      const { contextWindow = Number.POSITIVE_INFINITY } = this.#describe(other) ?? {};
      return contextWindow > window && contextWindow >= facts.tokens;
    });
  }

  /** Whether the request goes on from an answer that is stored here, which the upstream itself does not know. */
  #lacksAnswer({ member }: Candidate, request: UpstreamRequest, facts: RequestFacts): boolean {
    if (request.endpoint !== '/responses' || member.targetFor('responses') !== undefined) return false;
    const id = facts.previousResponseId;
    return id !== undefined && this.#store.find(request.localKeyId, id) !== undefined;
  }

  #describe({ member, model }: Candidate): Model | undefined {
    const listed = this.#lists.known(member, model);
    if (listed === undefined) return undefined;
    if (!this.#read.has(listed)) this.#read.set(listed, readModelCatalog([listed]).models[0]);
    return this.#read.get(listed);
  }
}
