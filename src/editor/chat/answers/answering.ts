import { type AnswerRequest, AnswerRun } from '../../../chat/answers/answerRun.ts';
import { AnswerWriter } from '../../../chat/answers/answerWriter.ts';
import type { LiveConversation } from '../../../chat/conversation/liveConversation.ts';
import { toTurn } from '../../../chat/panel/turns.ts';
import type { ChatRequest, FormatName } from '../../../formats/conversation.ts';
import { defined } from '../../../formats/json.ts';
import type { AnswerTurn, ChatHostMessage } from '../../../pages/chat/protocol.ts';
import type { OpenConnection } from '../../../service/connection.ts';
import type { RetryNotice } from '../../../service/retry.ts';
import type { CallRecorder } from '../../calls/callRecorder.ts';

export interface AskedStep {
  /** The ID of the question that the run answers. */
  readonly run: string;
  /** The number of the request in its run, counted from 1. */
  readonly number: number;
  /** Whether the answer is a summary of the messages in the request. */
  readonly isSummary?: true;
  /** The ID of the entry that the answer follows, unless it is the last one sent. */
  readonly parent?: string | undefined;
  /** The instructions that its run began with, in place of the current ones. */
  readonly instructions?: string | undefined;
  /** Set for a step of a helper: its ID and role, and the chat and the run that it works for. */
  readonly helper?: { readonly id: string; readonly role: string; readonly chat: string; readonly run: string };
  /** Changes the request: adds the tools and what the model must know about them. */
  readonly prepare: (request: ChatRequest) => ChatRequest;
}

export interface AnsweringOptions extends Omit<AnswerRequest, 'ask' | 'keepsReasoning'> {
  readonly calls: CallRecorder;
  readonly connection: OpenConnection;
  readonly conversation: LiveConversation;
  readonly format: FormatName;
  readonly request: ChatRequest;
  /** The ID of the entry that is answered. */
  readonly parent: string | undefined;
  /** Set for an answer that is shown beside others until one of them is kept. */
  readonly comparison?: string;
  /** Set for a step of the agent. */
  readonly step?: AskedStep;
  /** Posts a message to the panel or tab that shows the chat. */
  readonly post: (message: ChatHostMessage) => void;
  readonly warn: (message: string) => void;
}

/** An answer in progress: its deltas go to the conversation, to its file, and to the panel. */
export class Answering {
  readonly #options: AnsweringOptions;
  readonly #run: AnswerRun;
  readonly #writer: AnswerWriter;
  /** The wait before the next retry, and when it began, in milliseconds since the epoch. */
  #retryWait: { readonly notice: RetryNotice; readonly since: number } | undefined;

  constructor(options: AnsweringOptions) {
    const { calls, connection, conversation, format, request, parent, step, post, warn, continued } = options;
    const { helper } = step ?? {};
    const place = {
      conversationId: helper?.chat ?? conversation.id,
      ...defined({ turnId: helper?.run ?? step?.run ?? parent, step: step?.number, helper }),
    };
    const call = { connection, format, request, source: 'chatPanel', ...place } as const;
    this.#options = options;
    this.#run = new AnswerRun(
      {
        ...options,
        keepsReasoning: step !== undefined,
        ask: (callOptions, measures) => calls.chat({ ...call, ...own(), ...measures, options: callOptions }),
      },
      {
        onDelta: (delta) => this.#writer.write(delta),
        onRetry: (notice) => this.#waitForRetry(notice),
        onMalformed: (problem) => warn(`An event of the answer was skipped: ${problem}`),
      },
    );
    const { id } = this.#run;
    // The ledger's row has the answer's ID, so that its figures are found if this process crashes. A continued answer
    // gets a row of its own.
    const own = () => (continued === undefined ? { id } : {});
    this.#writer = new AnswerWriter(id, {
      toPanel: (delta) => {
        conversation.apply({ type: 'delta', id, ...delta });
        post({ type: 'delta', turnId: id, ...delta, ...defined({ figures: this.#run.figures }) });
      },
      toFile: (record) =>
        conversation.write(
          record.type === 'delta' ? { ...record, ...defined({ figures: this.#run.figures }) } : record,
        ),
    });
  }

  /** Whether another window continues it in an answer of its own, because this window seemed to be closed. */
  get isTakenOver(): boolean {
    return this.#options.conversation.value.successorOf(this.#run.id) !== undefined;
  }

  /** Records the start of the answer. */
  begin(): void {
    const { conversation, format, request, connection, parent = null, comparison, continued } = this.#options;
    const { run, isSummary } = this.#options.step ?? {};
    const { id } = this.#run;
    if (continued !== undefined) {
      conversation.record({ type: 'continued', id });
      this.#postTurn();
      return;
    }
    const sandbox = connection.kind === 'sandbox';
    const place = { id, at: Date.now(), parent, ...defined({ comparison, run, isSummary }) };
    conversation.record({ type: 'answer', ...place, model: request.model, format, sandbox });
  }

  /** Waits for the answer's end, whether it succeeds or fails. */
  async finish(): Promise<AnswerTurn | undefined> {
    const { conversation } = this.#options;
    const { id } = this.#run;
    const end = await this.#run.run();
    this.#retryWait = undefined;
    this.#writer.finish(end);
    conversation.end(id, end);
    conversation.yieldToSuccessor(id);
    this.#postTurn();
    return conversation.value.answer(id);
  }

  stop(): void {
    this.#run.stop();
  }

  /** Ends the wait before the next retry. */
  retryNow(): void {
    this.#retryWait?.notice.skip();
  }

  /** The turn as the panel shows it, including a wait for the next retry. */
  get turn(): AnswerTurn | undefined {
    const answer = this.#options.conversation.value.answer(this.#run.id);
    if (answer === undefined || this.#retryWait === undefined || answer.status !== 'waiting') return answer;
    const { notice, since } = this.#retryWait;
    const { attempt, attempts, waitMs, reason } = notice;
    return { ...answer, retry: { attempt, attempts, waitMs, reason, at: since + waitMs } };
  }

  #waitForRetry(notice: RetryNotice): void {
    this.#retryWait = { notice, since: Date.now() };
    this.#postTurn();
  }

  #postTurn(): void {
    const { post, conversation } = this.#options;
    const turn = this.turn;
    if (turn !== undefined) post({ type: 'turnChanged', turn: toTurn(turn, conversation.value) });
  }
}
