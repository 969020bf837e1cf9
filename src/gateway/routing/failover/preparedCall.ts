import type { ApiError } from '../../../formats/apiError.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { CallerRequest } from '../../core/callerRequest.ts';
import type { ResponseStore } from '../../core/responseStore.ts';
import type { AnswerSink, Routing, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { translate } from '../../translation/translation.ts';
import type { Candidate } from '../candidate.ts';

/** A request as one upstream understands it, and the way back of its answer. */
export interface PreparedCall {
  readonly request: UpstreamRequest;
  /** Writes the body that the request still lacks. */
  readonly writeBody?: (() => Promise<Uint8Array>) | undefined;
  readonly routing: Routing;
  /** In which the upstream answers. */
  readonly format: WireFormat;
  /** False for a form of its own, which only its translation reads. */
  readonly isReadable: boolean;
  /** Where the upstream's answer goes: the given sink, or the translation before it. */
  readonly sink: AnswerSink;
  readonly isTranslated: boolean;
  /** The call as it is to be used from outside. */
  readonly attach: (call: UpstreamCall) => UpstreamCall;
}

/** @returns what is wrong with the request, where the upstream would need a translation that is not possible. */
export function prepareCall(
  caller: CallerRequest,
  { member, model }: Candidate,
  sink: AnswerSink,
  responses: ResponseStore,
): PreparedCall | ApiError {
  const { format, original } = caller;
  const target = member.targetFor(format.name);
  const name = member.formatFor(format.name);
  const spoken = name === undefined ? { hasOwnForm: true as const } : { format: name };
  const routing: Routing = { upstream: member.id, model, ...spoken };
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
