import { RpcClient } from '../../../rpc/rpcClient.ts';
import type { AskEditor, EditorAnswer, EditorQuestion, EditorReply, EditorRequest } from './protocol.ts';

export class EditorPort {
  readonly #post: (message: EditorRequest) => void;
  readonly #client: RpcClient<EditorQuestion, EditorAnswer>;

  constructor(post: (message: EditorRequest) => void) {
    this.#post = post;
    this.#client = new RpcClient<EditorQuestion, EditorAnswer>({
      send: (questionId, question) => post({ type: 'askEditor', questionId, question }),
      isLast: ({ kind }) => kind !== 'part',
    });
  }

  readonly ask: AskEditor = (question, receive) => {
    const questionId = this.#client.stream(question, receive);
    return () => {
      if (this.#client.cancel(questionId)) this.#post({ type: 'cancelEditor', questionId });
    };
  };

  receive({ questionId, answer }: EditorReply): void {
    this.#client.receive(questionId, answer);
  }
}
