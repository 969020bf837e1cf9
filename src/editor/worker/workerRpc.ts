import type { TrafficAnswer, TrafficQuestion } from '../../gateway/traffic/protocol.ts';
import type { AskCommand, HostMessage, WorkerAnswer, WorkerMessage } from '../../gateway/worker/protocol.ts';
import type { LedgerQuestion, LedgerQuestions } from '../../ledger/ledgerQuestion.ts';
import { RpcClient } from '../../rpc/rpcClient.ts';

type Reply = Extract<WorkerMessage, { readonly requestId: number }>;
type ReplyOf<Type extends Reply['type']> = Extract<Reply, { readonly type: Type }>;
type Request =
  | Omit<AskCommand, 'requestId'>
  | { readonly type: 'readLedger'; readonly question: LedgerQuestion }
  | { readonly type: 'openSampleSession'; readonly ledger: string }
  | { readonly type: 'askTraffic'; readonly question: TrafficQuestion };

type TrafficAnswerOf<Kind extends TrafficAnswer['kind']> = Extract<TrafficAnswer, { kind: Kind }>;

/** The result type of each kind of traffic question. */
interface TrafficResults {
  details: TrafficAnswerOf<'details'>['details'];
  body: TrafficAnswerOf<'body'>['body'];
  captured: TrafficAnswerOf<'captured'>['ids'];
  cancel: undefined;
  deleteBodies: undefined;
  queues: TrafficAnswerOf<'queues'>['queues'];
  health: TrafficAnswerOf<'health'>['problems'];
  refusals: TrafficAnswerOf<'refusals'>['refusals'];
  forgetRefusals: undefined;
  fileNames: TrafficAnswerOf<'fileNames'>['names'];
  cappedSessions: TrafficAnswerOf<'cappedSessions'>['sessions'];
  decideSession: undefined;
}

export type WorkerQuestion = Pick<AskCommand, 'endpoint' | 'body' | 'route'>;

/**
 * Sends one request to the sandbox or a route. `receive` gets the answer's messages until it ends or the returned function cancels
 * it. That of a route ends after it was canceled, too, because only then its cost is known.
 */
export type AskWorker = (question: WorkerQuestion, receive: (message: WorkerAnswer) => void) => () => void;

/** This window's requests to the gateway's worker, each typed with its reply. */
export class WorkerRpc {
  readonly #send: (message: HostMessage) => void;
  readonly #client: RpcClient<Request, Reply>;

  constructor(send: (message: HostMessage) => void) {
    this.#send = send;
    this.#client = new RpcClient<Request, Reply>({
      send: (requestId, request) => send({ ...request, requestId }),
      isLast: ({ type }) => type !== 'answerStart' && type !== 'answerData',
    });
  }

  /** @throws if the ledger cannot be read. */
  async readLedger<Name extends keyof LedgerQuestions>(
    name: Name,
    asks: LedgerQuestions[Name]['asks'],
  ): Promise<LedgerQuestions[Name]['answer']> {
    const question = { name, asks } as LedgerQuestion;
    const { answer, problem } = (await this.#client.call({ type: 'readLedger', question })) as ReplyOf<'ledgerAnswer'>;
    if (answer === undefined) throw new Error(problem);
    return answer as LedgerQuestions[Name]['answer'];
  }

  /**
   * Returns the ID of the session of a sample agent in the ledger. It is recorded if the ledger does not have it.
   * @throws if it cannot be recorded.
   */
  async openSampleSession(ledger: string): Promise<string> {
    const { sessionId, problem } = (await this.#client.call({
      type: 'openSampleSession',
      ledger,
    })) as ReplyOf<'sampleSession'>;
    if (sessionId === undefined) throw new Error(problem);
    return sessionId;
  }

  /** @throws an error with the gateway's explanation if there is no answer. */
  async askTraffic<Question extends TrafficQuestion>(question: Question): Promise<TrafficResults[Question['kind']]> {
    const { answer } = (await this.#client.call({ type: 'askTraffic', question })) as ReplyOf<'trafficAnswer'>;
    return resultOf(answer) as TrafficResults[Question['kind']];
  }

  readonly ask: AskWorker = (question, receive) => {
    const requestId = this.#client.stream(
      { type: 'ask', ...question },
      (message) => receive(message as WorkerAnswer),
      ({ message }) => receive({ type: 'answerFail', requestId, message }),
    );
    return () => {
      const isPending = question.route !== undefined || this.#client.cancel(requestId);
      if (isPending) this.#send({ type: 'cancel', requestId });
    };
  };

  receive(reply: Reply): void {
    this.#client.receive(reply.requestId, reply);
  }

  /** Fails all pending requests because the worker has exited. */
  fail(error: Error): void {
    this.#client.fail(error);
  }
}

function resultOf(answer: TrafficAnswer): TrafficResults[keyof TrafficResults] {
  switch (answer.kind) {
    case 'details':
      return answer.details;
    case 'body':
      return answer.body;
    case 'captured':
      return answer.ids;
    case 'queues':
      return answer.queues;
    case 'health':
      return answer.problems;
    case 'refusals':
      return answer.refusals;
    case 'fileNames':
      return answer.names;
    case 'cappedSessions':
      return answer.sessions;
    case 'done':
      return undefined;
    case 'problem':
      throw new Error(answer.problem);
  }
}
