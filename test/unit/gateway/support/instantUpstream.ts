import type { AnswerSink, Upstream, UpstreamCall, UpstreamRequest } from '../../../../src/gateway/core/upstream.ts';

/** Answers everything immediately with an empty object, and counts its requests. */
export class InstantUpstream implements Upstream {
  readonly id = 'instant';
  asked = 0;

  send(_request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    this.asked++;
    sink.start(200, { 'content-type': 'application/json', 'content-length': 2 });
    sink.data(Buffer.from('{}'));
    sink.end();
    return { pause: () => undefined, resume: () => undefined, cancel: () => undefined };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
