import { isDeepStrictEqual } from 'node:util';
import type { FormatName } from '../../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../../src/formats/index.ts';
import { Router } from '../../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../../src/gateway/upstreams/compatible.ts';
import { send } from '../../support/client.ts';
import { closeLater, type RunningGateway, startGateway } from '../../support/gateway.ts';
import { type ScriptedService, startService } from '../../support/scriptedService.ts';
import { BARE_ANSWERS, BARE_REQUESTS } from './bare.ts';
import type { AnswerFeature, RequestFeature, Wire } from './feature.ts';

/** `—`: the caller's format (for answers, the upstream's) cannot express it. */
export type Verdict = 'preserved' | 'approximated' | 'dropped' | 'refused' | '—';

const DROPPED_HEADER = 'x-model-access-dropped';

/** A gateway with an upstream of each format, whose answers can be set and whose requests can be read. */
export class Laboratory {
  readonly #gateways: ReadonlyMap<FormatName, RunningGateway>;
  readonly #services: ReadonlyMap<FormatName, ScriptedService>;

  static async open(formats: readonly FormatName[]): Promise<Laboratory> {
    const gateways = new Map<FormatName, RunningGateway>();
    const services = new Map<FormatName, ScriptedService>();
    for (const format of formats) {
      const service = await startService();
      closeLater(() => service.close());
      const settings = { id: format, baseUrl: service.baseAddress, formats: [format], models: ['*'] };
      const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
      closeLater(() => router.close());
      gateways.set(format, await startGateway({ upstream: router }));
      services.set(format, service);
    }
    return new Laboratory(gateways, services);
  }

  private constructor(
    gateways: ReadonlyMap<FormatName, RunningGateway>,
    services: ReadonlyMap<FormatName, ScriptedService>,
  ) {
    this.#gateways = gateways;
    this.#services = services;
  }

  /** Returns what happens to the feature between this caller and this upstream. */
  async request(
    { name, said, see, unasked }: RequestFeature,
    caller: FormatName,
    upstream: FormatName,
  ): Promise<Verdict> {
    const members = said[caller];
    if (members === undefined) return '—';
    const body = { ...BARE_REQUESTS[caller], ...members };
    const asked = JSON.stringify(body);
    const { answer, received } = await this.#exchange(caller, upstream, asked, BARE_ANSWERS[upstream]);
    if (answer.status === 400 || answer.status === 404) return 'refused';
    if (answer.status !== 200) throw new Error(`${name}: ${answer.body}`);
    const wanted = see(wireFormats[caller].decodeRequest(body), body);
    if (wanted === undefined) throw new Error(`${name}: nothing of it is in the request of a ${caller} client.`);
    if (received === asked) return 'preserved';
    const got = see(wireFormats[upstream].decodeRequest(JSON.parse(received)), JSON.parse(received));
    if (got !== undefined) return isDeepStrictEqual(got, wanted) ? 'preserved' : 'approximated';
    if (unasked?.includes(upstream)) return 'approximated';
    if (answer.headers[DROPPED_HEADER] === undefined) throw new Error(`${name}: dropped in silence on ${upstream}.`);
    return 'dropped';
  }

  async answer({ name, said, see }: AnswerFeature, caller: FormatName, upstream: FormatName): Promise<Verdict> {
    const members = said[upstream];
    if (members === undefined) return '—';
    const body = { ...BARE_ANSWERS[upstream], ...members };
    const { answer } = await this.#exchange(caller, upstream, JSON.stringify(BARE_REQUESTS[caller]), body);
    const [given, text] = [JSON.stringify(body), answer.body.toString()];
    if (answer.status !== 200) throw new Error(`${name}: ${text}`);
    if (text === given) return 'preserved';
    const wanted = see(wireFormats[upstream].decodeResponse(body), given);
    if (wanted === undefined) throw new Error(`${name}: nothing of it is in the answer of a ${upstream} service.`);
    const got = see(wireFormats[caller].decodeResponse(JSON.parse(text)), text);
    if (got === undefined) {
      if (answer.headers[DROPPED_HEADER] === undefined) throw new Error(`${name}: dropped in silence for ${caller}.`);
      return 'dropped';
    }
    return isDeepStrictEqual(got, wanted) ? 'preserved' : 'approximated';
  }

  async #exchange(caller: FormatName, upstream: FormatName, body: string, answerBody: Wire) {
    const service = this.#services.get(upstream);
    const gateway = this.#gateways.get(upstream);
    if (service === undefined || gateway === undefined) throw new Error(`There is no upstream of ${upstream}.`);
    service.script = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerBody));
    const answer = await send({ port: gateway.port, path: `/api/v1${wireFormats[caller].path}`, body });
    return { answer, received: service.requests.at(-1)?.body.toString() ?? '' };
  }
}
