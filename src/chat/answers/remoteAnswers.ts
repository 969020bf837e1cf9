import type { ExchangeRow } from '../../ledger/exchangeQuery.ts';
import type { ChatHostMessage } from '../../pages/chat/protocol.ts';
import type { LiveConversation } from '../conversation/liveConversation.ts';
import type { ConversationRecord } from '../conversation/record.ts';
import { answeredElsewhere, toTurn } from '../panel/turns.ts';

/** How often a conversation's file is checked while another window answers in it, in milliseconds. */
const LOOK_MS = 1000;

export interface RemoteAnswersOptions {
  readonly post: (message: ChatHostMessage) => void;
  /** Reads new records of the conversation shown, because not every file system reports its changes. */
  readonly look: () => void;
  /** Reads the rows of a conversation in the ledger. */
  readonly rowsOf: (conversationId: string) => Promise<readonly ExchangeRow[]>;
  /** Called after answers of the conversation got their final figures, which its sums include. */
  readonly onFinished: () => void;
}

/** Shows the progress of answers in other windows, and checks whether those windows still exist. */
export class RemoteAnswers {
  readonly #conversation: LiveConversation;
  readonly #options: RemoteAnswersOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(conversation: LiveConversation, options: RemoteAnswersOptions) {
    this.#conversation = conversation;
    this.#options = options;
  }

  /** Posts the answers that the new records changed, and those whose window was closed, to the panel. */
  async show(records: readonly ConversationRecord[]): Promise<void> {
    const abandoned = records.length > 0 ? [] : await this.#conversation.stopRemoteOfClosed();
    const grown = records.flatMap((record) => (isOfAnswer(record) ? [record.id] : []));
    for (const id of new Set([...grown, ...abandoned])) this.#postTurn(id);
    if (abandoned.length > 0) await this.finishLost();
    this.follow();
  }

  /** Adds the figures from the ledger to answers whose window was closed. */
  async finishLost(): Promise<void> {
    const conversation = this.#conversation;
    const { unfinished } = conversation.value;
    if (unfinished.length === 0) return;
    const { finishLostAnswers } = await import('../conversation/abandonedAnswers.ts');
    const finished = await finishLostAnswers(conversation, unfinished, this.#options.rowsOf);
    for (const id of finished) this.#postTurn(id);
    if (finished.length > 0) this.#options.onFinished();
  }

  /** Checks again after an interval while another window answers. */
  follow(): void {
    clearTimeout(this.#timer);
    if (this.#conversation.elsewhere.size > 0) this.#timer = setTimeout(this.#options.look, LOOK_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #postTurn(id: string): void {
    const { value, elsewhere } = this.#conversation;
    const answer = value.answer(id);
    if (answer === undefined) return;
    const turn = elsewhere.has(id) ? answeredElsewhere(answer) : answer;
    this.#options.post({ type: 'turnChanged', turn: toTurn(turn, value) });
  }
}

function isOfAnswer(record: ConversationRecord): record is ConversationRecord & { readonly id: string } {
  return record.type === 'delta' || record.type === 'answerEnd' || record.type === 'continued';
}
