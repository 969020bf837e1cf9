import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { capAllows } from '../../src/editor/limits/capQuestion.ts';
import { notifyOfSession, type SessionNoticeServices } from '../../src/editor/localKeys/sessionNotices.ts';
import type { CapNotice, LoopNotice } from '../../src/gateway/core/sessionNotice.ts';
import type { TrafficQuestion } from '../../src/gateway/traffic/protocol.ts';
import { inSandbox } from './extension.ts';

interface Shown {
  readonly text: string;
  readonly detail?: string;
  readonly isModal: boolean;
  readonly choices: readonly string[];
}

/** Notifications with buttons, which a test answers. */
class Notifications {
  readonly shown: Shown[] = [];
  readonly #show = vscode.window.showWarningMessage;
  choice: string | undefined;

  constructor() {
    vscode.window.showWarningMessage = async (text: string, ...items: readonly unknown[]): Promise<never> => {
      const [options] = items.filter((item): item is vscode.MessageOptions => typeof item === 'object');
      const choices = items.filter((item) => typeof item === 'string');
      const { detail } = options ?? {};
      this.shown.push({ text, isModal: options?.modal === true, choices, ...(detail !== undefined && { detail }) });
      return this.choice as never;
    };
  }

  dispose(): void {
    vscode.window.showWarningMessage = this.#show;
  }
}

describe('the notice of a session at its cap', () => {
  let notifications: Notifications;

  beforeEach(() => {
    notifications = new Notifications();
  });
  afterEach(() => notifications.dispose());

  describe('of a local key', () => {
    const NOTICE: CapNotice = {
      ...{ kind: 'nearlySpent', sessionId: 's', keyName: 'Terminal agent', spent: 4.07, cap: 5, step: 5 },
    };
    /** The beginning of the session. */
    const AT = new Date(2026, 10, 21, 14, 2).getTime();
    let asked: TrafficQuestion[];
    let services: SessionNoticeServices;
    let readSessions: () => readonly { readonly at: number; readonly turns: number; readonly subagentCost?: number }[];

    before(async () => {
      const { gateway, worker, ledger, log } = await inSandbox();
      await gateway.start(0);
      const askTraffic = async (question: TrafficQuestion) => {
        asked.push(question);
        return undefined as never;
      };
      const readLedger = async () => ({ sessions: readSessions() });
      const rpc = Object.assign(Object.create(worker.rpc), { askTraffic, readLedger });
      services = { gateway, worker: { rpc }, ledger, log };
    });
    beforeEach(() => {
      asked = [];
      readSessions = () => [{ at: AT, turns: 18 }];
    });
    after(() => services.gateway.stop());

    it('shows at 80 % what is used and left, and offers to raise the cap', async () => {
      await notifyOfSession(NOTICE, services);
      assert.deepEqual(notifications.shown, [
        {
          text: 'Terminal agent · 21 Nov 14:02 has used $4.07 of its session cap of $5.00: $0.93 left, about 4 turns.',
          isModal: false,
          choices: ['Raise by $5.00', 'Open Session'],
        },
      ]);
      assert.deepEqual(asked, []);
    });

    it('is shown without the start of the session where the ledger cannot be read', async () => {
      readSessions = () => {
        throw new Error('The ledger is away.');
      };
      await notifyOfSession(NOTICE, services);
      assert.equal(
        notifications.shown[0]?.text,
        'A session of “Terminal agent” has used $4.07 of its session cap of $5.00: $0.93 left.',
      );
    });

    it('asks before the request that would exceed it, and raises it by what the key allows', async () => {
      notifications.choice = 'Raise by $5.00';
      await notifyOfSession({ ...NOTICE, kind: 'waits', spent: 4.97, needs: 0.057 }, services);
      assert.deepEqual(notifications.shown, [
        {
          text: 'Terminal agent · 21 Nov 14:02 would exceed its session cap of $5.00: $4.97 is spent, and its next request needs ≈\u2009$0.057. It waits for your answer.',
          isModal: false,
          choices: ['Raise by $5.00', 'End Session', 'Open Session'],
        },
      ]);
      assert.deepEqual(asked, [{ kind: 'decideSession', sessionId: 's', decision: { cap: 10 } }]);
    });

    it('names the part of subagents when it asks', async () => {
      readSessions = () => [{ at: AT, turns: 18, subagentCost: 0.38 }];
      await notifyOfSession({ ...NOTICE, kind: 'waits', spent: 4.97, needs: 0.057 }, services);
      await notifyOfSession({ ...NOTICE, kind: 'waits', spent: 5.01 }, services);
      assert.deepEqual(
        notifications.shown.map(({ text }) => text),
        [
          'Terminal agent · 21 Nov 14:02 would exceed its session cap of $5.00: $4.97 is spent, $0.38 of it by subagents, and its next request needs ≈\u2009$0.057. It waits for your answer.',
          'Terminal agent · 21 Nov 14:02 has used $5.01 of its session cap of $5.00, $0.38 of it by subagents. Its next request waits for your answer.',
        ],
      );
    });

    it('ends the session where this is chosen', async () => {
      notifications.choice = 'End Session';
      await notifyOfSession({ ...NOTICE, kind: 'waits', spent: 5.01 }, services);
      assert.equal(
        notifications.shown[0]?.text,
        'Terminal agent · 21 Nov 14:02 has used $5.01 of its session cap of $5.00. Its next request waits for your answer.',
      );
      assert.deepEqual(asked, [{ kind: 'decideSession', sessionId: 's', decision: 'end' }]);
    });

    describe('that repeats itself', () => {
      const LOOP: LoopNotice = { kind: 'loops', sessionId: 's', keyName: 'Migration bot', rounds: 6, isEnded: false };

      it('reports how often, and ends it only if the user chooses that', async () => {
        await notifyOfSession(LOOP, services);
        notifications.choice = 'Continue Anyway';
        await notifyOfSession(LOOP, services);
        assert.deepEqual(asked, []);
        notifications.choice = 'End Session';
        await notifyOfSession(LOOP, services);
        assert.deepEqual(asked, [{ kind: 'decideSession', sessionId: 's', decision: 'end' }]);
        const text = 'Migration bot · 21 Nov 14:02 has made the same call with the same result 6 times in a row.';
        const notice = { text, isModal: false, choices: ['End Session', 'Continue Anyway', 'Open Session'] };
        assert.deepEqual(notifications.shown, [notice, notice, notice]);
      });

      it('reports that it was ended if the setting ends it', async () => {
        await notifyOfSession({ ...LOOP, rounds: 3, isEnded: true }, services);
        const text =
          'Migration bot · 21 Nov 14:02 was ended: it made the same call with the same result 3 times in a row.';
        assert.deepEqual(notifications.shown, [{ text, isModal: false, choices: ['Open Session'] }]);
        assert.deepEqual(asked, []);
      });
    });

    it('decides nothing when it is closed', async () => {
      await notifyOfSession({ ...NOTICE, kind: 'waits' }, services);
      assert.deepEqual(asked, []);
    });
  });

  describe('of the chat panel', () => {
    it('shows at 80 % what is used and left, and sends the question', async () => {
      assert.equal(await capAllows({ id: 'nearly', spent: 4.07, cost: 0.05, cap: 5 }), true);
      assert.deepEqual(notifications.shown, [
        {
          text: 'This chat has used $4.07 of its cap of $5.00. $0.93 is left.',
          isModal: false,
          choices: ['Raise by $5.00'],
        },
      ]);
    });

    it('asks before the question that would exceed it, and keeps it back where the cap is not raised', async () => {
      assert.equal(await capAllows({ id: 'full', spent: 4.97, cost: 0.057, cap: 5 }), false);
      assert.deepEqual(notifications.shown, [
        {
          text: 'This chat has used $4.97 of its cap of $5.00.',
          detail:
            'This request costs ≈\u2009$0.057. If you do not raise the cap, the question stays in the message box.',
          isModal: true,
          choices: ['Raise by $5.00'],
        },
      ]);
    });

    it('sends the question, and the next ones, once the cap was raised', async () => {
      notifications.choice = 'Raise by $5.00';
      assert.equal(await capAllows({ id: 'raised', spent: 4.97, cost: 0.057, cap: 5 }), true);
      assert.equal(await capAllows({ id: 'raised', spent: 5.03, cost: 0.057, cap: 5 }), true);
      assert.equal(notifications.shown.length, 1);
    });
  });
});
