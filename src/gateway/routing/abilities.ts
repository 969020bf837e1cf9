import { type Model, readModelCatalog } from '../../service/modelCatalog.ts';
import type { CallerRequest } from '../core/callerRequest.ts';
import type { Candidate } from './callPlan.ts';
import type { ListedModel, ModelLists } from './modelLists.ts';
import type { RequestFacts } from './routes/requestFacts.ts';

/**
 * What the upstreams' lists say about the abilities of their models. An ability that a list does not mention is assumed
 * to exist.
 */
export class Abilities {
  readonly #lists: ModelLists;
  /** Parsed entries of the lists. When a list is read again, its entries are new objects. */
  readonly #read = new WeakMap<ListedModel, Model | undefined>();

  constructor(lists: ModelLists) {
    this.#lists = lists;
  }

  /**
   * @returns a promise if lists must be requested first, because the request needs an ability that not all models have.
   */
  load(candidates: readonly Candidate[], facts: RequestFacts): Promise<unknown> | undefined {
    const unknown = candidates.filter(({ member }) => !this.#lists.isKnown(member));
    if (unknown.length === 0 || !(facts.hasImage || facts.hasTools)) return undefined;
    return Promise.all(unknown.map(({ member }) => this.#lists.load(member)));
  }

  /** Returns what the request needs and the candidate lacks, or `undefined` if nothing is known to be missing. */
  missing(candidate: Candidate, caller: CallerRequest, facts: RequestFacts): string | undefined {
    const model = this.#describe(candidate);
    if (model?.images === false && facts.hasImage) return 'images';
    if (model?.tools === false && facts.hasTools) return 'tools';
    return lacksAnswer(candidate, caller) ? 'previous_response_id' : undefined;
  }

  /**
   * Returns the candidates whose context window is, as far as known, larger than that of the failed one and large
   * enough for the request.
   */
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

/**
 * Whether the request continues an answer that is stored in the gateway and that the upstream therefore does not know.
 */
function lacksAnswer({ member }: Candidate, { format, continuesStoredAnswer }: CallerRequest): boolean {
  return continuesStoredAnswer && member.targets[format.name] === undefined;
}
