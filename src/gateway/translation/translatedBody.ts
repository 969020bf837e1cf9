import type { ChatResponse } from '../../formats/answer.ts';
import { type ApiError, FormatError, malformed } from '../../formats/apiError.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { KeyMask } from '../core/keyMask.ts';
import type { AnswerSink } from '../core/upstream.ts';
import { BoundedBytes, MAX_WHOLE_BYTES } from '../http/byteList.ts';
import { decompress } from '../http/contentEncoding.ts';
import { withHeaderCost } from '../http/headers.ts';
import { parseJsonBody } from '../http/jsonBody.ts';
import type { AnswerRestorer } from './answerRestorer.ts';
import type { AnswerSender } from './answerSender.ts';
import { readWhole, type TranslationContext, withoutKey, withUsage } from './wholeAnswer.ts';

export interface BodyOptions {
  readonly upstream: WireFormat;
  readonly caller: WireFormat;
  readonly request: ChatRequest;
  readonly mask?: KeyMask | undefined;
  readonly status: number;
  /** Empty if the answer is not compressed. */
  readonly encoding: string;
  readonly onResponse?: ((response: ChatResponse) => void) | undefined;
}

/** An answer in one piece, which is translated when all of it has arrived. */
export class TranslatedBody {
  readonly bytes = new BoundedBytes();
  readonly #options: BodyOptions;
  readonly #sender: AnswerSender;
  readonly #restorer: AnswerRestorer;
  readonly #context: TranslationContext;

  constructor(options: BodyOptions, sender: AnswerSender, restorer: AnswerRestorer, context: TranslationContext) {
    this.#options = options;
    this.#sender = sender;
    this.#restorer = restorer;
    this.#context = context;
  }

  /** Returns the function that sends the answer to the caller, or why it cannot be read. */
  end(sink: AnswerSink): (() => void) | ApiError {
    const { upstream, caller, request, encoding, status, mask, onResponse } = this.#options;
    const sender = this.#sender;
    const compressed = this.bytes.concat();
    // Some servers name a compression that they have not applied.
    const isPlain = encoding === '' || parseJsonBody(compressed) !== undefined;
    const body = isPlain ? compressed : decompress(compressed, encoding, MAX_WHOLE_BYTES);
    if (body === undefined) return malformed("The upstream's answer could not be decompressed.");
    if (status >= 400) return () => sender.refusal(status, body.toString());
    try {
      const read = readWhole(upstream, body);
      const counted = withUsage(read, this.#context);
      const isEstimated = counted.usage !== read.usage;
      const { usage } = counted;
      if (usage !== undefined) {
        const billed = isEstimated ? usage : withHeaderCost(usage, sender.upstreamHeaders);
        sink.used?.({ usage: billed, isEstimated, model: read.model });
      }
      const response = this.#restorer.response(mask === undefined ? counted : withoutKey(counted, mask));
      return () => {
        onResponse?.(response);
        sender.drop([...(response.dropped ?? []), ...caller.droppedFromAnswer(response, request)]);
        sender.response(response);
      };
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof SyntaxError)) throw error;
      return malformed(`The upstream's answer is not valid: ${error.message}`);
    }
  }
}
