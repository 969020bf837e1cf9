import { randomUUID } from 'node:crypto';
import { errorText } from '../../../display/errorText.ts';
import type { ApiError } from '../../../formats/apiError.ts';
import type { ChatEvent, FinishReason, Usage } from '../../../formats/conversation.ts';
import { defined } from '../../../formats/defined.ts';
import type { Model } from '../../../service/modelCatalog.ts';
import type { RetryNotice } from '../../../service/retry.ts';
import { ServiceError } from '../../../service/serviceError.ts';
import type { CallOptions } from '../../../service/transport.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';
import { priceOf } from '../../../tokens/price.ts';
import { CallTimes } from '../../calls/callTimes.ts';
import type { AnswerEnd } from '../conversation/record.ts';
import type { AnswerCitation, AnswerDelta, AnswerFigures, AnswerTurn, Refuser } from '../protocol.ts';
import { CitedText } from './citedText.ts';
import { describeFailure } from './failure.ts';
import { sumOfFigures } from './figures.ts';
import { type ToolCallEvent, ToolCalls } from './toolCalls.ts';

/** Sent again at most this often after a rate limit or an overload, before the first byte. */
const RETRIES = 4;

export interface AnswerRequest {
  /** Sends the question, and reports what comes to `times`. */
  readonly ask: (options: CallOptions, times: CallTimes) => AsyncIterable<ChatEvent>;
  /** For the price; absent when the catalog does not know the model. */
  readonly model: Model | undefined;
  /** What was said before sending. Its tokens count until the service reports usage. */
  readonly forecast: AnswerFigures['forecast'];
  /** An answer that goes on: what came and what it took count with what comes now. */
  readonly continued?: AnswerTurn;
}

export interface AnswerListener {
  /** What the answer grows by. */
  readonly onDelta: (delta: AnswerDelta) => void;
  readonly onRetry: (notice: RetryNotice) => void;
  readonly onMalformed: (problem: string) => void;
}

/** One answer on its way: from the request to its end, with its figures. */
export class AnswerRun {
  readonly id: string;
  readonly #asked: AnswerRequest;
  readonly #listener: AnswerListener;
  readonly #abort = new AbortController();
  readonly #times = new CallTimes();
  #estimatedOutput = 0;
  #hasText: boolean;
  readonly #calls = new ToolCalls();
  readonly #cited: CitedText;
  #usage: Usage | undefined;
  #finish: FinishReason | undefined;
  #error: ApiError | undefined;
  /** Here, or where all traffic is shown. */
  #isStopped = false;

  constructor(asked: AnswerRequest, listener: AnswerListener) {
    this.id = asked.continued?.id ?? randomUUID();
    this.#hasText = (asked.continued?.text ?? '') !== '';
    this.#cited = new CitedText(asked.continued?.text.length ?? 0);
    this.#asked = asked;
    this.#listener = listener;
  }

  /** Closes the request at once; `run` then resolves with status `stopped`. */
  stop(): void {
    this.#abort.abort();
  }

  /** Never rejects: whatever goes wrong is told in the end of the answer. */
  async run(): Promise<AnswerEnd> {
    const options = { signal: this.#abort.signal, retries: RETRIES, onRetry: this.#listener.onRetry };
    try {
      for await (const event of this.#asked.ask(options, this.#times)) this.#receive(event);
    } catch (error) {
      this.#isStopped = this.#abort.signal.aborted || isAbort(error);
      if (!this.#isStopped) this.#error = toApiError(error);
    }
    this.#cite(this.#cited.end());
    return this.#end();
  }

  /** What is known so far. Tokens are estimates until the service reports its own. */
  get figures(): AnswerFigures {
    return sumOfFigures(this.#asked.continued?.figures, this.#ownFigures);
  }

  get #ownFigures(): AnswerFigures {
    const input = this.#usage?.inputTokens ?? this.#asked.forecast?.inputTokens;
    const output = this.#usage?.outputTokens || this.#estimatedOutput;
    const cost = this.#cost(input, output);
    const speed = this.#speed(output);
    const { firstTokenMs } = this.#times;
    const { forecast, continued } = this.#asked;
    return {
      outputTokens: output,
      estimated: this.#usage === undefined,
      ...(input !== undefined && { inputTokens: input }),
      ...(this.#usage?.reasoningTokens && { reasoningTokens: this.#usage.reasoningTokens }),
      ...(cost !== undefined && { cost }),
      ...(firstTokenMs !== undefined && { firstTokenMs: Math.round(firstTokenMs) }),
      ...(speed !== undefined && { tokensPerSecond: speed }),
      ...(this.#usage !== undefined && continued === undefined && forecast !== undefined && { forecast }),
    };
  }

  #receive(event: ChatEvent): void {
    if ('index' in event && event.type !== 'textDelta' && event.type !== 'citation')
      this.#cite(this.#cited.begin(event.index));
    switch (event.type) {
      case 'textDelta':
        this.#say(event.text);
        this.#cite(this.#cited.add(event.index, event.text));
        this.#listener.onDelta({ text: event.text });
        return;
      case 'refusalDelta':
        this.#say(event.text);
        this.#listener.onDelta({ refusal: event.text });
        return;
      case 'reasoningDelta':
        this.#count(event.text);
        this.#listener.onDelta({ reasoning: event.text });
        return;
      case 'toolCallStart':
      case 'toolCallDelta':
      case 'toolCallEnd':
        this.#call(event);
        return;
      case 'citation':
        this.#cite(this.#cited.cite(event));
        return;
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'finish':
        this.#finish = event.reason;
        return;
      case 'error':
        this.#error = event.error;
        return;
      case 'malformed':
        this.#listener.onMalformed(event.problem);
        return;
    }
  }

  #cite(citations: readonly AnswerCitation[]): void {
    for (const citation of citations) this.#listener.onDelta({ citation });
  }

  #say(text: string): void {
    this.#hasText = true;
    this.#count(text);
  }

  #call(event: ToolCallEvent): void {
    if (event.type === 'toolCallDelta') this.#count(event.arguments);
    const toolCall = this.#calls.receive(event);
    if (toolCall !== undefined) this.#listener.onDelta({ toolCall });
  }

  #count(text: string): void {
    this.#estimatedOutput += estimateTokens(text);
  }

  #cost(inputTokens: number | undefined, outputTokens: number): number | undefined {
    const { model } = this.#asked;
    if (model === undefined || inputTokens === undefined) return undefined;
    return priceOf({ ...this.#usage, inputTokens, outputTokens }, model);
  }

  /** Whole tokens a second since the first one; too early to say in the first half second. */
  #speed(outputTokens: number): number | undefined {
    const seconds = (this.#times.sinceFirstTokenMs ?? 0) / 1000;
    return seconds < 0.5 ? undefined : Math.round(outputTokens / seconds);
  }

  #end(): AnswerEnd {
    const { continued } = this.#asked;
    const { reasoningMs, firstTokenMs } = this.#times;
    const figures = firstTokenMs === undefined ? continued?.figures : this.figures;
    const base = {
      ...(continued === undefined && reasoningMs !== undefined && { reasoningMs: Math.round(reasoningMs) }),
      ...defined({ figures, refusedBy: refuserOf(this.#finish) }),
    };
    if (this.#error !== undefined) {
      return { status: 'failed', ...base, failure: describeFailure(this.#error, this.#hasText) };
    }
    if (this.#isStopped || this.#abort.signal.aborted) return { status: 'stopped', ...base };
    return { status: this.#finish === 'length' ? 'cut' : 'complete', ...base };
  }
}

function refuserOf(finish: FinishReason | undefined): Refuser | undefined {
  if (finish === 'refusal') return 'model';
  return finish === 'contentFilter' ? 'filter' : undefined;
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ServiceError) return error.toApiError();
  return { kind: 'malformed', message: errorText(error) };
}
