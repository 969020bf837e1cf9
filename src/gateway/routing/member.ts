import { FORMAT_NAMES, type FormatName } from '../../formats/conversation.ts';
import type { Upstream, UpstreamMember, UpstreamRequest } from '../upstreams/upstream.ts';
import { Circuit } from './circuit.ts';
import { ModelPatterns } from './modelPattern.ts';
import { askWhole } from './wholeAnswer.ts';

export interface MemberSettings {
  readonly upstream: Upstream;
  /** All when absent. */
  readonly formats?: readonly FormatName[];
  /** Patterns; all names when absent. */
  readonly models?: readonly string[];
  /** Whether it tells the balance of a key. */
  readonly hasBalance?: boolean;
  /** Whether it ends with the router; a shared one does not. */
  readonly isShared?: boolean;
}

const PROBE_TIMEOUT_MS = 5_000;

/** One of several upstreams. */
export class Member implements UpstreamMember {
  readonly upstream: Upstream;
  readonly formats: readonly FormatName[];
  readonly models: ModelPatterns;
  readonly hasBalance: boolean;
  readonly circuit = new Circuit(() => this.#answers());
  readonly #isShared: boolean;

  constructor(settings: MemberSettings) {
    const { upstream, formats = FORMAT_NAMES, models = ['*'], hasBalance = false, isShared = false } = settings;
    this.upstream = upstream;
    this.formats = formats;
    this.models = new ModelPatterns(models);
    this.hasBalance = hasBalance;
    this.#isShared = isShared;
  }

  get id(): string {
    return this.upstream.id;
  }

  /** The format to speak to it for a caller of this one. */
  formatFor(caller: FormatName): FormatName {
    return this.formats.includes(caller) ? caller : (this.formats[0] ?? caller);
  }

  /** The question for its list of models. */
  modelsRequest(localKeyId: string): UpstreamRequest {
    const isMessages = this.formats.every((format) => format === 'messages');
    return {
      endpoint: '/models',
      method: 'GET',
      subpath: '',
      // That format's list comes in pages.
      query: isMessages ? '?limit=1000' : '',
      headers: { accept: 'application/json', ...(isMessages && { 'anthropic-version': '2023-06-01' }) },
      localKeyId,
    };
  }

  async close(): Promise<void> {
    this.circuit.dispose();
    if (!this.#isShared) await this.upstream.close();
  }

  async #answers(): Promise<boolean> {
    const answer = await askWhole(this.upstream, this.modelsRequest('probe'), PROBE_TIMEOUT_MS);
    return answer !== undefined && answer.status < 500;
  }
}
