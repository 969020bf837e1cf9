import type { Prices } from '../../service/modelPrices.ts';
import type { ExchangeRecord } from '../exchanges/record.ts';
import { askWhole } from '../routing/wholeAnswer.ts';
import type { Upstream, UpstreamRequest } from '../upstreams/upstream.ts';
import { PriceList } from './priceList.ts';

const TIMEOUT_MS = 2_000;

/** Whose question it is for the list of models: not one of a person. */
const LOCAL_KEY_ID = 'prices';

const MODELS_REQUEST: UpstreamRequest = {
  endpoint: '/models',
  method: 'GET',
  subpath: '',
  query: '',
  headers: { accept: 'application/json' },
  localKeyId: LOCAL_KEY_ID,
};

/** The price lists of all upstreams that are in use. */
export class PriceBook {
  readonly #lists = new WeakMap<Upstream, PriceList>();

  /**
   * What the model of an exchange costs where it was answered. Takes two seconds at most.
   * @param asked the upstream that the gateway asked, which may stand for several.
   */
  async find(record: ExchangeRecord, asked: Upstream): Promise<Prices | undefined> {
    const model = record.upstreamModel ?? record.model;
    const member = record.upstream === undefined ? undefined : asked.member?.(record.upstream);
    if (model === undefined) return undefined;
    const request = member?.modelsRequest(LOCAL_KEY_ID) ?? MODELS_REQUEST;
    return this.#list(member?.upstream ?? asked, request).find(model);
  }

  #list(upstream: Upstream, request: UpstreamRequest): PriceList {
    const known = this.#lists.get(upstream);
    if (known !== undefined) return known;
    const list = new PriceList(() => askWhole(upstream, request, TIMEOUT_MS));
    this.#lists.set(upstream, list);
    return list;
  }
}
