import type { ExchangeRow } from '../../../gateway/ledger/exchangeQuery.ts';
import type { LiveConversation } from '../conversation/liveConversation.ts';
import type { ConversationRecord } from '../conversation/record.ts';
import { answeredElsewhere, toTurn } from '../panel/turns.ts';
import type { ChatHostMessage } from '../protocol.ts';

/** How often the file of a conversation is looked at while another window answers in it, in milliseconds. */
const LOOK_MS = 1000;

/** Shows how answers of other windows grow, and looks whether those windows are still there. */
export class RemoteAnswers {
  readonly #post: (message: ChatHostMessage) => void;
  readonly #look: () => void;
  readonly #rowsOf: (conversationId: string) => Promise<readonly ExchangeRow[]>;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param look reads on in the conversation that shows: not every file system tells of its changes.
   * @param rowsOf the rows of a conversation in the ledger.
   */
  constructor(
    post: (message: ChatHostMessage) => void,
    look: () => void,
    rowsOf: (conversationId: string) => Promise<readonly ExchangeRow[]>,
  ) {
    this.#post = post;
    this.#look = look;
    this.#rowsOf = rowsOf;
  }

  /** Tells the panel of the answers that have changed with what was read, and of those whose window is gone. */
  async show(conversation: LiveConversation, records: readonly ConversationRecord[]): Promise<void> {
    const gone = records.length > 0 ? [] : await conversation.stopRemoteOfClosed();
    const grown = records.flatMap((record) => (isOfAnswer(record) ? [record.id] : []));
    for (const id of new Set([...grown, ...gone])) this.#postTurn(conversation, id);
    if (gone.length > 0) await this.settle(conversation);
    this.follow(conversation);
  }

  /** Gives answers whose window has gone the figures of the ledger. */
  async settle(conversation: LiveConversation): Promise<void> {
    const { unfinished } = conversation.value;
    if (unfinished.length === 0) return;
    const { settleLost } = await import('../conversation/lostAnswers.ts');
    for (const id of await settleLost(conversation, unfinished, this.#rowsOf)) this.#postTurn(conversation, id);
  }

  /** Looks again after a while as long as another window answers. */
  follow({ elsewhere }: LiveConversation): void {
    clearTimeout(this.#timer);
    if (elsewhere.size > 0) this.#timer = setTimeout(this.#look, LOOK_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #postTurn({ value, elsewhere }: LiveConversation, id: string): void {
    const answer = value.answer(id);
    if (answer === undefined) return;
    const turn = elsewhere.has(id) ? answeredElsewhere(answer) : answer;
    this.#post({ type: 'turnChanged', turn: toTurn(turn, value) });
  }
}

function isOfAnswer(record: ConversationRecord): record is ConversationRecord & { readonly id: string } {
  return record.type === 'delta' || record.type === 'answerEnd' || record.type === 'continued';
}
