import type { TrafficHostMessage } from '../../../src/pages/traffic/protocol.ts';
import type { TrafficPageMessage, TrafficTransport } from '../../../src/pages/traffic/trafficMessages.ts';
import { BODIES } from './bodies.ts';
import { DETAILS, SURROUNDINGS } from './samples.ts';
import type { GalleryState } from './states.ts';
import { sessionPageOf, TREE_TITLES } from './treeSamples.ts';

/** A host without an editor. It sends one state, and records the page's messages. */
export class ScriptedHost implements TrafficTransport {
  readonly posted: TrafficPageMessage[] = [];
  readonly #state: GalleryState;
  #receive: (message: TrafficHostMessage) => void = () => undefined;

  constructor(state: GalleryState) {
    this.#state = state;
  }

  post(message: TrafficPageMessage): void {
    this.posted.push(message);
    for (const answer of this.#answers(message)) this.#receive(answer);
  }

  listen(receive: (message: TrafficHostMessage) => void): () => void {
    this.#receive = receive;
    return () => {
      this.#receive = () => undefined;
    };
  }

  kept(): undefined {
    return undefined;
  }

  /** Sends a message to the page without a request. */
  readonly send = (message: TrafficHostMessage): void => this.#receive(message);

  keep(): void {
    // State is not stored: each page of the gallery starts from its own state.
  }

  #answers(message: TrafficPageMessage): TrafficHostMessage[] {
    const { rows, live = [], choice = {}, viewContext, problem, isForgotten, context } = this.#state;
    switch (message.type) {
      case 'ready':
      case 'choose': {
        const chosen = message.type === 'choose' ? message.choice : choice;
        const sumOf = (some: typeof rows) => some.reduce((sum, row) => sum + (row.cost ?? 0), 0);
        const cost = sumOf(rows.filter(({ upstream }) => upstream !== 'sandbox'));
        const sampleCost = sumOf(rows.filter(({ upstream }) => upstream === 'sandbox'));
        const list = { choice: chosen, rows, hasMore: false, exchanges: rows.length, cost, sampleCost };
        return [
          { type: 'viewContext', viewContext: { ...SURROUNDINGS, ...viewContext } },
          { type: 'list', ...list, ...(problem !== undefined && { problem }) },
          { type: 'live', rows: live },
          ...(chosen.view === 'sessions'
            ? [{ type: 'sessions' as const, ...sessionPageOf(rows), titles: TREE_TITLES }]
            : []),
        ];
      }
      case 'readSession': {
        const { sessionId } = message;
        const ofSession = rows.filter((row) => (row.sessionId ?? '') === sessionId);
        return [{ type: 'sessionRequests', sessionId, rows: ofSession, hasMore: false }];
      }
      case 'readDetails': {
        const { id } = message;
        const { record, ...running } = DETAILS;
        const isRunning = live.some((row) => row.id === id);
        const details = { ...running, ...(!isRunning && record && { record }), id, ...(isRunning && { bodies: [] }) };
        return [{ type: 'details', id, ...(isForgotten !== true && { details }) }];
      }
      case 'readContext':
        return [{ type: 'context', id: message.id, ...(context !== undefined && { context }) }];
      case 'readBody':
        return [{ type: 'body', id: message.id, part: message.part, body: BODIES[message.part] }];
      default:
        return [];
    }
  }
}
