/** Shows the usage view's states in a plain page, without an editor. `galleryPage.ts` reads the page's address. */

import type { KeptUsage, UsageHostMessage, UsageState, UsageTab } from '../../../src/pages/usage/protocol.ts';
import type { UsagePageMessage, UsageTransport } from '../../../src/pages/usage/usageMessages.ts';
import { startUsage } from '../../../src/panels/usage/usagePage.tsx';
import { openState } from '../shared/openState.tsx';
import { STATES } from './states.ts';

/** A host without an editor. It sends one state, and records the page's messages. */
class ScriptedHost implements UsageTransport {
  readonly posted: UsagePageMessage[] = [];
  #kept: KeptUsage;
  #state: UsageState;
  #receive: ((message: UsageHostMessage) => void) | undefined;

  constructor(state: UsageState, tab: UsageTab = 'spend') {
    this.#state = state;
    this.#kept = { tab };
  }

  post(message: UsagePageMessage): void {
    this.posted.push(message);
    if (message.type === 'choosePeriod') this.#state = { ...this.#state, choice: message.choice };
    this.#receive?.({ type: 'state', state: this.#state });
  }

  listen(receive: (message: UsageHostMessage) => void): () => void {
    this.#receive = receive;
    return () => {
      this.#receive = undefined;
    };
  }

  kept(): KeptUsage {
    return this.#kept;
  }

  keep(kept: KeptUsage): void {
    this.#kept = kept;
  }
}

await openState(STATES, ({ state, tab }, root) => {
  const host = new ScriptedHost(state, tab);
  Object.assign(window, { posted: host.posted });
  startUsage(root, host);
});
