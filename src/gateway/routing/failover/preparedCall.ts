import type { ApiError } from '../../../formats/apiError.ts';
import { SEAL_MARK } from '../../../formats/reasoningSeal.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { CallerRequest } from '../../core/callerRequest.ts';
import { isPassed, PASSED_ENDPOINTS } from '../../core/passedEndpoint.ts';
import type { ResponseStore } from '../../core/responseStore.ts';
import type { AnswerSink, Routing, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { withoutSealedReasoning } from '../../translation/ownReasoning.ts';
import { translate } from '../../translation/translation.ts';
import type { VendorMemory } from '../../translation/vendorMemory.ts';
import type { Candidate } from '../candidate.ts';
import { PassedUsageSink } from '../passedUsage.ts';
import type { AnswerFront } from './answerFront.ts';

/** A request in a format that the upstream understands, and the path of its answer back to the caller. */
export interface PreparedCall {
  readonly request: UpstreamRequest;
  /** Writes the body that the request still lacks. */
  readonly writeBody?: (() => Promise<Buffer>) | undefined;
  readonly routing: Routing;
  /** The upstream's format. */
  readonly format: WireFormat;
  /** False if the upstream has a form of its own, which only its translation can read. */
  readonly isReadable: boolean;
  /** Receives the upstream's answer: the given sink, or the translation in front of it. */
  readonly sink: AnswerSink;
  /** The caller's side of a translation. Undefined if the answer is not translated. */
  readonly front?: AnswerFront;
  readonly isTranslated: boolean;
  /** Wraps the upstream's call for use by the caller, if the answer is translated. */
  readonly attach?: (call: UpstreamCall) => UpstreamCall;
}

/** What is remembered of earlier answers. */
export interface Remembered {
  readonly responses: ResponseStore;
  readonly vendor: VendorMemory;
}

export interface CallerSinks {
  readonly sink: AnswerSink;
  /** Returns what receives a translated answer in front of the sink. */
  readonly createFront: () => AnswerFront;
}

/** @returns the error of the request if the upstream needs a translation that is not possible. */
export function prepareCall(
  caller: CallerRequest,
  { member, model }: Candidate,
  { sink, createFront }: CallerSinks,
  { responses, vendor }: Remembered,
): PreparedCall | ApiError {
  const { format, original } = caller;
  const { endpoint, body } = original;
  if (PASSED_ENDPOINTS.has(endpoint) && isPassed(endpoint)) {
    const passed = new PassedUsageSink(sink, endpoint, body?.length ?? 0);
    const routing: Routing = { upstream: member.id, model };
    return { request: caller.renamed(model), routing, format, isReadable: false, sink: passed, isTranslated: false };
  }
  const target = member.targetFor(format.name);
  if (target === undefined) {
    const renamed = caller.renamed(model);
    const request = renamed.body?.includes(SEAL_MARK) ? withoutSealedReasoning(renamed) : renamed;
    const routing: Routing = { upstream: member.id, model, format: format.name };
    return { request, routing, format, isReadable: true, sink, isTranslated: false };
  }
  const name = member.formatFor(format.name);
  const form = name === undefined ? { hasOwnForm: true as const } : { format: name };
  const routing: Routing = { upstream: member.id, model, ...form };
  const decoded = caller.decoded();
  if ('kind' in decoded) return decoded;
  const translation = translate(original, decoded, target, model, responses, { id: member.id, vendor });
  if ('kind' in translation) return translation;
  const front = createFront();
  const answer = translation.createAnswer(front, member.upstream.mask);
  return {
    request: translation.request,
    writeBody: translation.writeBody,
    routing: { ...routing, dropped: translation.dropped },
    format: target,
    isReadable: name !== undefined,
    sink: answer,
    front,
    isTranslated: true,
    attach: (call) => answer.attach(call),
  };
}
