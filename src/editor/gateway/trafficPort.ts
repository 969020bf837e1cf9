import * as l10n from '@vscode/l10n';
import type { TrafficAnswer, TrafficQuestion, TrafficReply } from '../../gateway/traffic/protocol.ts';
import type { HostMessage } from '../../gateway/worker/protocol.ts';

type AnswerOf<Kind extends TrafficAnswer['kind']> = Extract<TrafficAnswer, { kind: Kind }>;

/** Which answer a question gets. */
interface Answered {
  details: AnswerOf<'details'>['details'];
  body: AnswerOf<'body'>['body'];
  cancel: undefined;
  deleteBodies: undefined;
}

/** Questions to the worker about the exchanges of the gateway. */
export class TrafficPort {
  readonly #send: (message: HostMessage) => void;
  readonly #waiting = new Map<number, (answer: TrafficAnswer) => void>();
  #lastRequestId = 0;

  constructor(send: (message: HostMessage) => void) {
    this.#send = send;
  }

  /** @throws with the gateway's own words when there is no answer. */
  async ask<Question extends TrafficQuestion>(question: Question): Promise<Answered[Question['kind']]> {
    this.#lastRequestId += 1;
    const requestId = this.#lastRequestId;
    const answer = await new Promise<TrafficAnswer>((resolve) => {
      this.#waiting.set(requestId, resolve);
      this.#send({ type: 'askTraffic', requestId, question });
    });
    return contentOf(answer) as Answered[Question['kind']];
  }

  receive({ requestId, answer }: TrafficReply): void {
    this.#waiting.get(requestId)?.(answer);
    this.#waiting.delete(requestId);
  }

  /** The worker has ended. */
  lose(): void {
    for (const requestId of [...this.#waiting.keys()]) {
      const problem = l10n.t('The gateway’s worker exited.');
      this.receive({ type: 'trafficAnswer', requestId, answer: { kind: 'problem', problem } });
    }
  }
}

function contentOf(answer: TrafficAnswer): Answered[keyof Answered] {
  switch (answer.kind) {
    case 'details':
      return answer.details;
    case 'body':
      return answer.body;
    case 'done':
      return undefined;
    case 'problem':
      throw new Error(answer.problem);
  }
}
