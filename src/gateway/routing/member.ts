import { FORMAT_NAMES, type FormatName } from '../../formats/conversation.ts';
import { wireFormats } from '../../formats/index.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { Prices } from '../../service/modelPrices.ts';
import type { HealthProblem } from '../core/healthProblem.ts';
import { bestMatch, ModelPatterns } from '../core/modelPattern.ts';
import type { MemberSettings, Upstream, UpstreamMember, UpstreamRequest } from '../core/upstream.ts';
import { askWhole } from '../core/wholeAnswer.ts';
import { UpstreamHealth } from './upstreamHealth.ts';

const PROBE_TIMEOUT_MS = 5_000;

export class Member implements UpstreamMember {
  readonly upstream: Upstream;
  readonly id: string;
  readonly formats: readonly FormatName[];
  /** The format into which a request of each format is translated, or `undefined` if it is sent unchanged. */
  readonly targets: Readonly<Record<FormatName, WireFormat | undefined>>;
  /** Whether the upstream has a form of its own, which has no name in records. */
  readonly hasOwnForm: boolean;
  readonly models: ModelPatterns;
  readonly hasBalance: boolean;
  readonly health: UpstreamHealth;
  /** From a request to its first output; 0 means no limit. */
  readonly firstTokenSeconds: number;
  readonly #isShared: boolean;
  /** Undefined if the operator has set no prices. */
  readonly priceOf?: (model: string) => Prices | undefined;

  /** @param health kept from a previous router with the same upstream, if there was one. */
  constructor(settings: MemberSettings, health = new UpstreamHealth()) {
    this.health = health;
    health.circuit.attach(this.#probe);
    const { upstream, format, formats = FORMAT_NAMES, models = ['*'], hasBalance = false, isShared = false } = settings;
    this.upstream = upstream;
    this.id = upstream.id;
    this.formats = formats;
    this.hasOwnForm = format !== undefined;
    const [first] = formats;
    const target = format ?? (first && wireFormats[first]);
    const targetOf = (caller: FormatName) => (format === undefined && formats.includes(caller) ? undefined : target);
    this.targets = {
      'chat-completions': targetOf('chat-completions'),
      messages: targetOf('messages'),
      responses: targetOf('responses'),
    };
    this.models = new ModelPatterns(models);
    this.hasBalance = hasBalance;
    this.firstTokenSeconds = settings.limits?.firstTokenSeconds ?? 0;
    this.#isShared = isShared;
    const { prices } = settings;
    if (prices !== undefined) this.priceOf = (model) => bestMatch(prices, model);
  }

  /** Why requests go to other upstreams first. */
  get problems(): readonly HealthProblem[] {
    const upstream = this.id;
    const since = this.health.circuit.failingSince;
    return [
      ...(since === undefined ? [] : [{ upstream, reason: 'failing' as const, since }]),
      ...this.health.pauses.problems.map((pause) => ({ upstream, ...pause })),
    ];
  }

  /** Whether the upstream may be able to count tokens. */
  get countsAsMessages(): boolean {
    return this.formats.includes('messages');
  }

  modelsRequest(localKeyId: string): UpstreamRequest {
    const isMessages = this.formats.every((format) => format === 'messages');
    return {
      endpoint: '/models',
      method: 'GET',
      subpath: '',
      // The list of the messages format is paged.
      query: isMessages ? '?limit=1000' : '',
      headers: { accept: 'application/json', ...(isMessages && { 'anthropic-version': '2023-06-01' }) },
      localKeyId,
      callerFormat: isMessages ? 'messages' : 'chat-completions',
    };
  }

  async close(): Promise<void> {
    this.health.circuit.release(this.#probe);
    if (!this.#isShared) await this.upstream.close();
  }

  readonly #probe = async (): Promise<boolean> => {
    const answer = await askWhole(this.upstream, this.modelsRequest('probe'), PROBE_TIMEOUT_MS);
    return answer !== undefined && answer.status < 500;
  };
}
