import { type Model, readModelCatalog } from '../../service/modelCatalog.ts';
import type { CallerRequest } from '../core/callerRequest.ts';
import type { Candidate } from './candidate.ts';
import type { ListedModel, ModelLists } from './modelLists.ts';
import type { RequestFacts } from './routes/requestFacts.ts';

/** What the upstreams' lists say about their models. What they do not say is taken for possible. */
export class Abilities {
  readonly #lists: ModelLists;
  /** As entries were read; an entry of a new list is a new object. */
  readonly #read = new WeakMap<ListedModel, Model | undefined>();

  constructor(lists: ModelLists) {
    this.#lists = lists;
  }

  /** @returns a promise where lists have to be asked for first, since the request needs an ability that not all have. */
  load(candidates: readonly Candidate[], facts: RequestFacts): Promise<unknown> | undefined {
    const unknown = candidates.filter(({ member }) => !this.#lists.isKnown(member));
    if (unknown.length === 0 || !(facts.hasImage || facts.hasTools)) return undefined;
    return Promise.all(unknown.map(({ member }) => this.#lists.load(member)));
  }

  /** What the request asks for and the candidate cannot do; `undefined` when nothing is known to be missing. */
  missing(candidate: Candidate, caller: CallerRequest, facts: RequestFacts): string | undefined {
    const model = this.#describe(candidate);
    if (model?.images === false && facts.hasImage) return 'images';
    if (model?.tools === false && facts.hasTools) return 'tools';
    return lacksAnswer(candidate, caller) ? 'previous_response_id' : undefined;
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

  #describe({ member, model }: Candidate): Model | undefined {
    const listed = this.#lists.known(member, model);
    if (listed === undefined) return undefined;
    if (!this.#read.has(listed)) this.#read.set(listed, readModelCatalog([listed]).models[0]);
    return this.#read.get(listed);
  }
}

/** Whether the request continues an answer that is stored here, which the upstream itself does not know. */
function lacksAnswer({ member }: Candidate, { format, continuesStoredAnswer }: CallerRequest): boolean {
  return continuesStoredAnswer && member.targetFor(format.name) === undefined;
}
