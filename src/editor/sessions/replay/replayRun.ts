import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { errorText } from '../../../display/errors.ts';
import { formatMoney } from '../../../display/money.ts';
import { REPLAY_CLIENT } from '../../../display/sessionName.ts';
import { formatTokens, formatWindow } from '../../../display/tokens.ts';
import { wireFormats } from '../../../formats/index.ts';
import type { ExchangeRecord } from '../../../gateway/core/exchangeRecord.ts';
import { compareAnswers, unmarked } from '../../../pages/session/replay/compareAnswers.ts';
import type { AnswerView, Replay, ReplayedRequest, ReplaySummary } from '../../../pages/session/replay/protocol.ts';
import { type ReplayContent, readAnswer } from '../../../pages/session/replay/readAnswer.ts';
import type { ReplayCost } from '../../../pages/session/replay/replayCost.ts';
import { refusesReasoning, withoutReasoning } from '../../../pages/session/replay/withoutReasoning.ts';
import { MIN_FAILED_STATUS } from '../../../rules/exchange.ts';
import { readErrorBody } from '../../../service/errorBody.ts';
import type { Model } from '../../../service/modelCatalog.ts';
import type { RecordedRequest } from './recordedRequest.ts';

/** After this many failures in a row, the replay stops, because the others would probably fail as well. */
const MAX_FAILURES = 3;
/** A key or a balance that was refused is refused for every request. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([401, 402, 403]);

export interface ReplayOptions {
  readonly model: Model;
  readonly requests: readonly RecordedRequest[];
  /** Undefined if the price of the model is unknown. */
  readonly cost: ReplayCost | undefined;
  /** The gateway's address, and the secret of the local key that pays. */
  readonly address: string;
  readonly secret: string;
  /** Reports the exchanges of the gateway that have ended. Returns a function that ends this. */
  readonly onExchange: (listener: (record: ExchangeRecord) => void) => () => void;
  /** Called when a request, or the whole replay if undefined, has changed. */
  readonly onChange: (request: ReplayedRequest | undefined) => void;
}

interface ReplayReply {
  readonly status: number;
  readonly body: string;
  readonly durationMs: number;
}

/** Sends recorded requests to another model, one after the other. Each contains the conversation as it was recorded. */
export class ReplayRun {
  readonly id = randomUUID();
  readonly #options: ReplayOptions;
  readonly #at = Date.now();
  readonly #steps: ReplayedRequest[];
  readonly #stopped = new AbortController();
  /** Called when the replay is forgotten: the record of the last request can arrive after its answer. */
  readonly #stopListening: () => void;
  /** US dollars by the IDs of exchanges. */
  readonly #costs = new Map<string, number>();
  #sessionId: string | undefined;
  #isRunning = true;
  #isWithoutReasoning = false;
  #problem: string | undefined;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#steps = options.requests.map((request, index) => stepOf(request, index + 1));
    this.#stopListening = options.onExchange((record) => this.#learn(record));
  }

  /** The session of the replay in the ledger. Undefined until the first request has ended. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get summary(): ReplaySummary {
    return {
      id: this.id,
      model: this.#options.model.id,
      at: this.#at,
      isRunning: this.#isRunning,
      requests: this.#steps.length,
      answered: this.#steps.filter(({ state }) => state === 'answered').length,
      cost: this.#cost,
    };
  }

  get state(): Replay {
    const { cost } = this.#options;
    return {
      ...this.summary,
      steps: this.#steps,
      ...(cost !== undefined && { agreed: { low: cost.low, high: cost.high } }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  /** Resolves when the last request has ended. */
  async run(): Promise<void> {
    try {
      await this.#sendAll();
    } finally {
      this.#isRunning = false;
      this.#options.onChange(undefined);
    }
  }

  /** Ends the request in progress, and sends no other. */
  stop(problem = l10n.t('You stopped the replay.')): void {
    if (!this.#isRunning) return;
    this.#problem ??= problem;
    this.#stopped.abort();
  }

  dispose(): void {
    this.stop();
    this.#stopListening();
  }

  get #cost(): number {
    return [...this.#costs.values()].reduce((sum, cost) => sum + cost, 0);
  }

  async #sendAll(): Promise<void> {
    const { requests, cost } = this.#options;
    let failures = 0;
    for (const [index, request] of requests.entries()) {
      if (cost !== undefined && this.#cost >= cost.max && cost.max > 0) {
        this.stop(l10n.t('Stopped at {0}, the maximum that you approved.', formatMoney(this.#cost)));
      }
      if (failures >= MAX_FAILURES) this.stop(l10n.t('Stopped after {0} failures in a row.', failures));
      if (this.#stopped.signal.aborted) return;
      await this.#replay(index, request);
      failures = this.#steps[index]?.state === 'failed' ? failures + 1 : 0;
    }
  }

  async #replay(index: number, request: RecordedRequest): Promise<void> {
    const window = this.#options.model.contextWindow;
    const { inputTokens } = request.row.usage;
    if (window !== undefined && window < inputTokens) {
      const problem = l10n.t('does not fit, {0} of {1}', formatTokens(inputTokens), formatWindow(window));
      this.#change(index, { state: 'skipped', problem });
      return;
    }
    this.#change(index, { state: 'running' });
    try {
      this.#finish(index, request, await this.#ask(index, request));
    } catch (error) {
      if (this.#stopped.signal.aborted) this.#change(index, { state: 'stopped' });
      else this.#change(index, { state: 'failed', problem: errorText(error) });
    }
  }

  /** If the model refuses the recorded reasoning, this request and all later ones are sent without it. */
  async #ask(index: number, request: RecordedRequest): Promise<ReplayReply> {
    const reply = await this.#send(index, request);
    if (this.#isWithoutReasoning || reply.status < MIN_FAILED_STATUS) return reply;
    if (!refusesReasoning(reply.status, readErrorBody(reply.body).message ?? '')) return reply;
    this.#isWithoutReasoning = true;
    return this.#send(index, request);
  }

  async #send(index: number, { row, body, headers }: RecordedRequest): Promise<ReplayReply> {
    const { address, secret, model } = this.#options;
    const format = wireFormats[row.callerFormat];
    const sent = this.#isWithoutReasoning ? withoutReasoning(body, row.callerFormat) : body;
    const startedAt = performance.now();
    const answer = await fetch(address + format.path, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'user-agent': this.#userAgent(index),
        'x-model-access-session': this.id,
        'x-model-access-turn': String(row.turn),
      },
      body: JSON.stringify({ ...sent, model: model.id }),
      signal: this.#stopped.signal,
    });
    const text = await answer.text();
    return { status: answer.status, body: text, durationMs: performance.now() - startedAt };
  }

  /** The first word of this header is part of the record, and the ledger keeps it up to the slash. */
  #userAgent(index: number): string {
    return `${REPLAY_CLIENT}/${index + 1}-${this.id}`;
  }

  #finish(index: number, request: RecordedRequest, { status, body, durationMs }: ReplayReply): void {
    const format = wireFormats[request.row.callerFormat];
    if (status >= MIN_FAILED_STATUS) {
      const problem = readErrorBody(body).message ?? l10n.t('Status {0}', status);
      this.#change(index, { state: 'failed', problem });
      if (FINAL_STATUSES.has(status)) this.stop(l10n.t('Stopped because every request would be refused: {0}', problem));
      return;
    }
    const { problem, ...answer } = readAnswer(body, format);
    this.#change(index, {
      ...this.#compared(index, request.answer, answer, durationMs),
      state: problem === undefined ? 'answered' : 'failed',
      ...(problem !== undefined && { problem }),
      ...(this.#isWithoutReasoning && { isWithoutReasoning: true }),
    });
  }

  #compared(index: number, recorded: ReplayContent | undefined, answer: ReplayContent, durationMs: number) {
    const { recorded: figures, replayed } = this.#steps[index] ?? {};
    if (recorded === undefined) return { replayed: { ...replayed, durationMs, ...unmarked(answer) } };
    const compared = compareAnswers(recorded, answer);
    return {
      recorded: { ...figures, ...compared.recorded },
      replayed: { ...replayed, durationMs, ...compared.replayed },
      comparison: compared.comparison,
    };
  }

  /** Adds the figures of a record, which can arrive before the end of the answer was read. */
  #learn({ id, userAgent, sessionId, usage, cost }: ExchangeRecord): void {
    const index = this.#steps.findIndex((_, place) => userAgent === this.#userAgent(place));
    const step = this.#steps[index];
    if (step === undefined) return;
    this.#sessionId ??= sessionId;
    if (cost !== undefined) this.#costs.set(id, cost);
    if (usage === undefined) return;
    const known = step.replayed ?? { segments: [], calls: [] };
    const sum = (known.cost ?? 0) + (cost ?? 0);
    this.#change(index, { replayed: { ...known, ...figuresOf(usage), ...(cost !== undefined && { cost: sum }) } });
  }

  #change(index: number, changes: Partial<ReplayedRequest>): void {
    const step = this.#steps[index];
    if (step === undefined) return;
    const changed = { ...step, ...changes };
    this.#steps[index] = changed;
    this.#options.onChange(changed);
  }
}

function stepOf({ row, question, results, answer }: RecordedRequest, number: number): ReplayedRequest {
  const { turn, at, model = '', usage, cost, durationMs } = row;
  const figures: AnswerView = {
    ...unmarked(answer ?? { text: '', calls: [] }),
    ...figuresOf(usage),
    durationMs,
    ...(cost !== undefined && { cost }),
  };
  const isAnswerKnown = answer !== undefined;
  return {
    number,
    turn,
    at,
    question,
    results,
    recordedModel: model,
    recorded: figures,
    isAnswerKnown,
    state: 'waiting',
  };
}

function figuresOf({ inputTokens, outputTokens, cachedInputTokens = 0 }: RecordedRequest['row']['usage']) {
  return { inputTokens, outputTokens, readTokens: cachedInputTokens };
}
