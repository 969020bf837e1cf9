import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { CallTimes } from '../../calls/callTimes.ts';
import { CallUsage } from '../../calls/callUsage.ts';
import type { CallMeasures } from '../../calls/chatCall.ts';
import { errorText } from '../../display/errors.ts';
import { formatTokensExact } from '../../display/tokens.ts';
import type { ChatEvent, FinishReason } from '../../formats/answer.ts';
import type { ApiError } from '../../formats/apiError.ts';
import { defined } from '../../formats/json.ts';
import type { AnswerCitation, AnswerDelta, AnswerFigures, AnswerTurn, Refuser } from '../../pages/chat/protocol.ts';
import { MAX_CITATIONS, MAX_REASONING_PARTS, MAX_TOOL_CALLS } from '../../rules/answer.ts';
import { SEALED_HEADER } from '../../rules/sealedHeaders.ts';
import type { Model } from '../../service/modelCatalog.ts';
import type { RetryNotice } from '../../service/retry.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { CallOptions } from '../../service/transport.ts';
import { isReasoningOpen } from '../../tokens/price.ts';
import type { AnswerEnd } from '../conversation/record.ts';
import { CitedText } from './citedText.ts';
import { describeFailure } from './failure.ts';
import { type ToolCallEvent, ToolCalls } from './toolCalls.ts';

/** The maximum number of retries after a rate limit or an overload, before the first byte. */
const RETRIES = 4;

export interface AnswerRequest {
  /** Sends the question, and reports its events to the measures. */
  readonly ask: (options: CallOptions, measures: CallMeasures) => AsyncIterable<ChatEvent>;
  /** Counts the request's tokens, used until the service reports its own count. */
  readonly countInput: () => number;
  /** The model with its prices. Undefined if it is not in the catalog. */
  readonly model: Model | undefined;
  /** Finds another model in the catalog that the service has chosen for the answer. */
  readonly findModel: (id: string) => Model | undefined;
  /** The forecast from before the request was sent. */
  readonly forecast: AnswerFigures['forecast'];
  /** Whether the key belongs to a team's gateway. */
  readonly isInTeam?: boolean;
  /** Whether the reasoning is kept in the form in which it must be sent back. */
  readonly keepsReasoning?: boolean;
  /** The answer to continue. Its text and figures are added to the new ones. */
  readonly continued?: AnswerTurn;
}

export interface AnswerListener {
  /** Called with each addition to the answer. */
  readonly onDelta: (delta: AnswerDelta) => void;
  readonly onRetry: (notice: RetryNotice) => void;
  readonly onMalformed: (problem: string) => void;
}

/** One answer in progress: from the request to its end, with its figures. */
export class AnswerRun {
  readonly id: string;
  readonly #asked: AnswerRequest;
  readonly #listener: AnswerListener;
  readonly #abort = new AbortController();
  readonly #times = new CallTimes();
  readonly #usage: CallUsage;
  #hasText: boolean;
  readonly #calls = new ToolCalls();
  readonly #cited: CitedText;
  /** What distinguishes the citations that were reported. */
  readonly #citations = new Set<string>();
  #callCount: number;
  #sealCount: number;
  /** The reasoning that was not sealed yet. */
  #reasoning = '';
  /** How many secrets were replaced in the request. */
  #sealedSecrets: number | undefined;
  #finish: FinishReason | undefined;
  #error: ApiError | undefined;
  /** Stopped in the panel or in the Traffic view. */
  #isStopped = false;

  constructor(asked: AnswerRequest, listener: AnswerListener) {
    this.id = asked.continued?.id ?? randomUUID();
    this.#hasText = (asked.continued?.text ?? '') !== '';
    this.#cited = new CitedText(asked.continued?.text.length ?? 0);
    this.#callCount = asked.continued?.toolCalls?.length ?? 0;
    this.#sealCount = asked.continued?.sealed?.length ?? 0;
    this.#usage = new CallUsage(asked.countInput);
    this.#asked = asked;
    this.#listener = listener;
  }

  /** Cancels the request immediately. `run` then resolves with the status `stopped`. */
  stop(): void {
    this.#abort.abort();
  }

  /** Never rejects: failures are reported in the answer's end. */
  async run(): Promise<AnswerEnd> {
    const options: CallOptions = {
      signal: this.#abort.signal,
      retries: RETRIES,
      onRetry: this.#listener.onRetry,
      onResponse: ({ headers }) => {
        this.#sealedSecrets = Number(headers.get(SEALED_HEADER)) || undefined;
      },
    };
    try {
      const measures = { times: this.#times, usage: this.#usage };
      for await (const event of this.#asked.ask(options, measures)) this.#receive(event);
    } catch (error) {
      this.#isStopped = this.#abort.signal.aborted || isAbort(error);
      if (!this.#isStopped) this.#error = this.#toApiError(error);
    }
    this.#cite(this.#cited.end());
    return this.#end();
  }

  /**
   * The figures so far; undefined if nothing was used. Tokens are estimates until the service has reported its own
   * count.
   */
  get figures(): AnswerFigures | undefined {
    const before = this.#asked.continued?.figures;
    const own = this.#ownFigures;
    return own === undefined ? before : sumOfFigures(before, own);
  }

  get #ownFigures(): AnswerFigures | undefined {
    const { count } = this.#usage;
    if (count === undefined) return undefined;
    const { usage, isEstimated } = count;
    const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens } = usage;
    const { model: requested, findModel, forecast, continued } = this.#asked;
    const prices = this.#usage.pricesOf(requested, findModel);
    const { firstTokenMs } = this.#times;
    return {
      inputTokens,
      outputTokens,
      estimated: isEstimated || isReasoningOpen(usage, prices),
      ...defined({
        reasoningTokens: reasoningTokens || undefined,
        cachedTokens: cachedInputTokens || undefined,
        cost: this.#usage.costAt(prices),
        answeredBy: this.#usage.routed?.answeredBy,
        sealedSecrets: this.#sealedSecrets,
        firstTokenMs: firstTokenMs === undefined ? undefined : Math.round(firstTokenMs),
        tokensPerSecond: this.#speed(outputTokens),
        forecast: isEstimated || continued !== undefined ? undefined : forecast,
      }),
    };
  }

  #receive(event: ChatEvent): void {
    if ('index' in event && event.type !== 'textDelta' && event.type !== 'citation')
      this.#cite(this.#cited.begin(event.index));
    switch (event.type) {
      case 'textDelta':
        this.#hasText = true;
        this.#cite(this.#cited.add(event.index, event.text));
        this.#listener.onDelta({ text: event.text });
        return;
      case 'refusalDelta':
        this.#hasText = true;
        this.#listener.onDelta({ refusal: event.text });
        return;
      case 'reasoningDelta':
        this.#listener.onDelta({ reasoning: event.text });
        this.#reasoning += event.text;
        return;
      case 'reasoningSeal':
        this.#seal(event);
        return;
      case 'toolCallStart':
      case 'toolCallDelta':
      case 'toolCallEnd':
        this.#call(event);
        return;
      case 'citation':
        this.#cite(this.#cited.cite(event));
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

  #seal({ type: _, index: __, ...seal }: Extract<ChatEvent, { type: 'reasoningSeal' }>): void {
    if (this.#asked.keepsReasoning === true) {
      this.#sealCount += 1;
      if (this.#sealCount > MAX_REASONING_PARTS) {
        throw new Error(
          l10n.t('The answer has more than {0} parts of reasoning.', formatTokensExact(MAX_REASONING_PARTS)),
        );
      }
      this.#listener.onDelta({ sealed: { text: this.#reasoning, ...seal } });
    }
    this.#reasoning = '';
  }

  /** Reports each citation once. Those that the answer would not keep are written nowhere. */
  #cite(citations: readonly AnswerCitation[]): void {
    for (const citation of citations) {
      const { url, title, quote, span } = citation;
      const key = JSON.stringify([url, title, quote, span?.start, span?.end]);
      if (this.#citations.size >= MAX_CITATIONS || this.#citations.has(key)) continue;
      this.#citations.add(key);
      this.#listener.onDelta({ citation });
    }
  }

  /** @throws if there are more calls than an answer keeps. To drop the rest would show another answer than was given. */
  #call(event: ToolCallEvent): void {
    if (event.type === 'toolCallStart') this.#callCount += 1;
    if (this.#callCount > MAX_TOOL_CALLS) {
      throw new Error(l10n.t('The answer has more than {0} tool calls.', formatTokensExact(MAX_TOOL_CALLS)));
    }
    const toolCall = this.#calls.receive(event);
    if (toolCall !== undefined) this.#listener.onDelta({ toolCall });
  }

  /**
   * Tokens per second since the first one, rounded. Undefined in the first half second, when it is too early to tell.
   */
  #speed(outputTokens: number): number | undefined {
    const seconds = (this.#times.sinceFirstTokenMs ?? 0) / 1000;
    return seconds < 0.5 ? undefined : Math.round(outputTokens / seconds);
  }

  #toApiError(error: unknown): ApiError {
    if (error instanceof ServiceError) return error.toApiError();
    const mayBeBilled = this.#usage.count !== undefined;
    return { kind: 'malformed', message: errorText(error), ...(mayBeBilled && { mayBeBilled }) };
  }

  #end(): AnswerEnd {
    const { continued } = this.#asked;
    const { reasoningMs } = this.#times;
    const base = {
      ...(continued === undefined && reasoningMs !== undefined && { reasoningMs: Math.round(reasoningMs) }),
      ...defined({ figures: this.figures, refusedBy: refuserOf(this.#finish) }),
    };
    if (this.#error !== undefined) {
      return { status: 'failed', ...base, failure: describeFailure(this.#error, this.#hasText, this.#asked.isInTeam) };
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

/**
 * The figures of an answer that was generated in two parts: the sum of tokens and costs, and the times of the later
 * part.
 */
function sumOfFigures(before: AnswerFigures | undefined, now: AnswerFigures): AnswerFigures {
  if (before === undefined) return now;
  return defined({
    ...now,
    inputTokens: sum(before.inputTokens, now.inputTokens),
    outputTokens: before.outputTokens + now.outputTokens,
    cachedTokens: sum(before.cachedTokens, now.cachedTokens),
    reasoningTokens: sum(before.reasoningTokens, now.reasoningTokens),
    cost: sum(before.cost, now.cost),
    firstTokenMs: before.firstTokenMs ?? now.firstTokenMs,
    estimated: before.estimated || now.estimated,
  });
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
