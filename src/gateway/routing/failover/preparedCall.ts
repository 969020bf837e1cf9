import type { ApiError } from '../../../formats/apiError.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { CallerRequest } from '../../core/callerRequest.ts';
import type { ResponseStore } from '../../core/responseStore.ts';
import type { AnswerSink, Routing, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { translate } from '../../translation/translation.ts';
import type { Candidate } from '../candidate.ts';

/** A request in a format that the upstream understands, and the path of its answer back to the caller. */
export interface PreparedCall {
  readonly request: UpstreamRequest;
  /** Writes the body that the request still lacks. */
  readonly writeBody?: (() => Promise<Uint8Array>) | undefined;
  readonly routing: Routing;
  /** The upstream's format. */
  readonly format: WireFormat;
  /** False if the upstream has a form of its own, which only its translation can read. */
  readonly isReadable: boolean;
  /** Receives the upstream's answer: the given sink, or the translation in front of it. */
  readonly sink: AnswerSink;
  readonly isTranslated: boolean;
  /** Wraps the upstream's call for use by the caller. */
  readonly attach: (call: UpstreamCall) => UpstreamCall;
}

/** @returns the error of the request if the upstream needs a translation that is not possible. */
export function prepareCall(
  caller: CallerRequest,
  { member, model }: Candidate,
  sink: AnswerSink,
  responses: ResponseStore,
): PreparedCall | ApiError {
  const { format, original } = caller;
  const target = member.targetFor(format.name);
  const name = member.formatFor(format.name);
  const form = name === undefined ? { hasOwnForm: true as const } : { format: name };
  const routing: Routing = { upstream: member.id, model, ...form };
  if (target === undefined) {
    const request = caller.renamed(model);
    return { request, routing, format, isReadable: true, sink, isTranslated: false, attach: (call) => call };
  }
  const decoded = caller.decoded();
  if ('kind' in decoded) return decoded;
  const translation = translate(original, decoded, target, model, responses);
  if ('kind' in translation) return translation;
  const answer = translation.createAnswer(sink, member.upstream.mask);
  return {
    request: translation.request,
    writeBody: translation.writeBody,
    routing: { ...routing, dropped: translation.dropped },
    format: target,
    isReadable: name !== undefined,
    sink: answer,
    isTranslated: true,
    attach: (call) => answer.attach(call),
  };
}
