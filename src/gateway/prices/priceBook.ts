import type { Offer, UpstreamMember } from '../core/upstream.ts';
import { askWhole } from '../core/wholeAnswer.ts';
import { type Listing, PriceList } from './priceList.ts';

const TIMEOUT_MS = 2_000;

/** Whose question it is for the list of models: not one of a person. */
const LOCAL_KEY_ID = 'prices';

/** The price lists of all upstreams that are in use. */
export class PriceBook {
  readonly #lists = new WeakMap<UpstreamMember['upstream'], PriceList>();

  /** What a model costs there, `undefined` when it does not say. Takes two seconds at most. */
  find({ member, model }: Offer): Promise<Listing | undefined> {
    return this.#listOf(member).find(model);
  }

  /** Whether {@link known} tells what {@link find} would find. */
  isFresh(member: UpstreamMember): boolean {
    return this.#listOf(member).isFresh;
  }

  /** The same as far as it was read, without asking: the list is asked for when there is none yet. */
  known({ member, model }: Offer): Listing | undefined {
    return this.#listOf(member).known(model);
  }

  #listOf(member: UpstreamMember): PriceList {
    const known = this.#lists.get(member.upstream);
    if (known !== undefined) return known;
    const list = new PriceList(() => askWhole(member.upstream, member.modelsRequest(LOCAL_KEY_ID), TIMEOUT_MS));
    this.#lists.set(member.upstream, list);
    return list;
  }
}
