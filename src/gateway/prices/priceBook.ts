import { defined } from '../../formats/json.ts';
import type { Offer, UpstreamMember } from '../core/upstream.ts';
import { askWhole } from '../core/wholeAnswer.ts';
import { type Listing, PriceList } from './priceList.ts';

const TIMEOUT_MS = 2_000;

/** Sent as the local key's ID when the gateway itself requests a list of models. */
const LOCAL_KEY_ID = 'prices';

/** The price lists of all upstreams in use. */
export class PriceBook {
  readonly #lists = new WeakMap<UpstreamMember['upstream'], PriceList>();

  /** Returns the listing of a model, or `undefined` if its upstream does not list it. Takes at most two seconds. */
  async find({ member, model }: Offer): Promise<Listing | undefined> {
    return withOwn(await this.#listOf(member).find(model), member, model);
  }

  /** Returns what {@link find} would find without reading the list, or `undefined` if it has to be read. */
  fresh({ member, model }: Offer): { readonly listing: Listing | undefined } | undefined {
    const list = this.#listOf(member);
    if (!list.isFresh) return undefined;
    const listing = list.known(model);
    return { listing: member.priceOf === undefined ? listing : withOwn(listing, member, model) };
  }

  /** Returns what has been read so far, without waiting. Starts to read the list if it was never read. */
  known({ member, model }: Offer): Listing | undefined {
    const listing = this.#listOf(member).known(model);
    return member.priceOf === undefined ? listing : withOwn(listing, member, model);
  }

  #listOf(member: UpstreamMember): PriceList {
    const known = this.#lists.get(member.upstream);
    if (known !== undefined) return known;
    const list = new PriceList(() => askWhole(member.upstream, member.modelsRequest(LOCAL_KEY_ID), TIMEOUT_MS));
    this.#lists.set(member.upstream, list);
    return list;
  }
}

/** What the operator has set replaces the prices of the upstream's list. */
function withOwn(listing: Listing | undefined, member: UpstreamMember, model: string): Listing | undefined {
  const own = member.priceOf?.(model);
  if (own === undefined) return listing;
  const { contextWindow, maxOutputTokens } = listing ?? {};
  return { ...own, ...defined({ contextWindow, maxOutputTokens }) };
}
