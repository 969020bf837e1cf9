import type { OutgoingHttpHeaders } from 'node:http';
import type { JsonRecord } from '../../../formats/json.ts';
import {
  type Attempts,
  ExperimentRun,
  learnedFrom,
  MAX_EXPERIMENTS,
  NO_ATTEMPTS,
  type RefusedRequest,
} from '../../../formats/repairs/experiment.ts';
import type { KnownModel } from '../../../formats/repairs/simplification.ts';
import type { AnswerSink, Endpoint, UpstreamRequest } from '../../core/upstream.ts';
import { decompress } from '../../http/contentEncoding.ts';
import { encodingOf } from '../../http/headers.ts';
import { parsedBody } from './repairedBody.ts';

/** Something that the gateway adds to requests, which the upstream may refuse. */
export interface AddedMember {
  readonly endpoints: readonly Endpoint[];
  /** Names by which a refusal is recognized. The first one is remembered. */
  readonly members: readonly [string, ...string[]];
  /** Whether it can be added to a body that is still arriving. */
  readonly addsToStreams: boolean;
  /** Whether it can be added to what a translation has written. */
  readonly addsToTranslated: boolean;
  add(request: UpstreamRequest): UpstreamRequest | undefined;
  /** Called when the upstream has accepted it. */
  accepted?(): void;
  /** Returns the sink for the answer to a request with the addition. */
  wrap?(sink: AnswerSink, request: UpstreamRequest): AnswerSink;
}

export interface WrittenRequest {
  readonly request: UpstreamRequest;
  readonly added: readonly AddedMember[];
  /** Names of the members that were removed or replaced, for the caller. */
  readonly lost: readonly string[];
}

/** Sets of changes; see `repairedBody`. */
export type ChangeSets = readonly (readonly string[])[];

export interface Writing {
  /** Asks the upstream what it lists of the model. */
  readonly knownModel: () => Promise<KnownModel>;
  /** Writes a request with these changes. */
  readonly write: (sets: ChangeSets, original: UpstreamRequest) => WrittenRequest;
  /** Called when the upstream has accepted a request with changes, which it has refused without them. */
  readonly learn: (sets: ChangeSets) => void;
  /** Whether no change has helped requests of this shape lately. */
  readonly isUnhelped: (shape: string) => boolean;
  readonly learnUnhelped: (shapes: readonly string[]) => void;
}

/** Statuses with which servers refuse the form of a request, and the one with which some refuse it by their words. */
export const REFUSALS: ReadonlySet<number> = new Set([400, 422]);
export const FAULT = 500;
const MAX_REFUSAL_BYTES = 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);

export interface RefusedAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer[];
}

/** What is tried after an upstream has refused a request, and what is learned from that. */
export class Experiments {
  readonly #writing: Writing;
  #attempts: Attempts = NO_ATTEMPTS;
  /** Undefined for a caller's own request, and for one that cannot be read. */
  readonly #trial: ExperimentRun | undefined;
  #known: Promise<KnownModel> | undefined;
  /** The last refusal of the request as its words were followed, before anything else was tried. */
  #clearest: RefusedAnswer | undefined;

  /**
   * @param original the request before anything was added.
   * @param first the request that was refused first.
   */
  constructor(writing: Writing, original: UpstreamRequest, first: WrittenRequest) {
    this.#writing = writing;
    const body = original.isTranslated === true ? parsedBody(first.request.body ?? NO_BYTES) : undefined;
    // Of one key, so that no caller can keep the requests of another one from being repaired.
    this.#trial = body && new ExperimentRun(body, original.localKeyId, writing.isUnhelped);
  }

  /**
   * Returns the changes with which the request is sent again, at once unless the upstream is asked about the model
   * before. Undefined if nothing is left to try, or nothing has helped requests like this one lately.
   * @param sent the request that was refused.
   */
  next(refusal: RefusedAnswer, sent: WrittenRequest): Next | Promise<Next> {
    const refused = this.#refused(refusal, sent);
    if (refused === undefined || !this.#trial?.needsModel(refused.request, refused.body)) {
      return this.#changes(refusal, sent, refused);
    }
    this.#known ??= this.#writing.knownModel();
    return this.#known.then((known) =>
      this.#changes(refusal, sent, { ...refused, request: { ...refused.request, known } }),
    );
  }

  #changes(refusal: RefusedAnswer, sent: WrittenRequest, refused: Refused | undefined): Next {
    const next = this.#next(refusal, sent, refused);
    if (next === undefined) {
      const tried = [...(this.#trial?.tried ?? [])];
      if (REFUSALS.has(refusal.status) && tried.length > 0) this.#writing.learnUnhelped(tried);
      return undefined;
    }
    this.#clearest = next.guessed.length === 0 ? undefined : (this.#clearest ?? refusal);
    this.#attempts = next;
    return [...next.named, ...next.guessed].map((change) => [change]);
  }

  /** Returns the refusal that the caller gets: that of a request that was changed only as it was asked for. */
  given(refusal: RefusedAnswer): RefusedAnswer {
    return this.#clearest ?? refusal;
  }

  succeeded(): void {
    const learned = learnedFrom(this.#attempts);
    if (learned.length > 0) this.#writing.learn(learned);
  }

  #refused({ status, headers, body }: RefusedAnswer, sent: WrittenRequest): Refused | undefined {
    const refused = this.#trial && parsedBody(sent.request.body ?? NO_BYTES);
    return refused && { request: { status, answer: readable(Buffer.concat(body), headers) }, body: refused };
  }

  #next(refusal: RefusedAnswer, sent: WrittenRequest, refused: Refused | undefined): Attempts | undefined {
    if (this.#attempts.rounds >= MAX_EXPERIMENTS) return undefined;
    const answer = refused?.request.answer ?? readable(Buffer.concat(refusal.body), refusal.headers);
    const { named, guessed, rounds } = this.#attempts;
    // Without an addition, the request is the caller's own, so any mention of it is a reason to try that.
    const ofAdditions = sent.added
      .filter(({ members }) => members.some((member) => answer.includes(member)))
      .map(({ members: [member] }) => member)
      .filter((member) => !named.includes(member));
    if (ofAdditions.length > 0) return { named: [...named, ...ofAdditions], guessed, rounds: rounds + 1 };
    if (refused === undefined || this.#trial === undefined) return undefined;
    this.#trial.attempts = this.#attempts;
    return this.#trial.next(refused.request, refused.body);
  }
}

type Next = ChangeSets | undefined;

/** A refused request, as far as it can be read. */
interface Refused {
  readonly request: RefusedRequest;
  readonly body: JsonRecord;
}

function readable(body: Buffer, headers: OutgoingHttpHeaders): string {
  return decompress(body, encodingOf(headers), MAX_REFUSAL_BYTES)?.toString() ?? '';
}
