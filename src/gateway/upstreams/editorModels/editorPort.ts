import type { AskEditor, EditorAnswer, EditorReply, EditorRequest } from './protocol.ts';

/** Questions to the editor over the worker's port. */
export class EditorPort {
  readonly #post: (message: EditorRequest) => void;
  readonly #receivers = new Map<number, (answer: EditorAnswer) => void>();
  #lastId = 0;

  constructor(post: (message: EditorRequest) => void) {
    this.#post = post;
  }

  readonly ask: AskEditor = (question, receive) => {
    this.#lastId += 1;
    const questionId = this.#lastId;
    this.#receivers.set(questionId, receive);
    this.#post({ type: 'askEditor', questionId, question });
    return () => {
      if (this.#receivers.delete(questionId)) this.#post({ type: 'cancelEditor', questionId });
    };
  };

  receive({ questionId, answer }: EditorReply): void {
    const receive = this.#receivers.get(questionId);
    if (answer.kind !== 'part') this.#receivers.delete(questionId);
    receive?.(answer);
  }
}
