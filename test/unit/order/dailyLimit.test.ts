/** Several chats that share a daily limit, and everything that is awaited, in any order. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LimitMonitor, type LimitServices } from '../../../src/editor/limits/limitMonitor.ts';
import { AnyOrder } from '../../support/anyOrder.ts';
import { ChatWindow } from '../../support/chatWindow.ts';
import { window as editor } from '../../support/editorApi/vscode.ts';
import type { Disk } from '../../support/memoryStore.ts';
import { runs } from '../../support/randomRuns.ts';

const LIMIT = 1;
/** What a question is expected to cost, which is the most that it does. */
const COST = 0.3;

const never = () => ({ dispose: () => undefined });

describe('chats that share a daily limit, in any order', () => {
  const { answer } = editor;
  let asked: string[];

  beforeEach(() => {
    asked = [];
    // Nobody sends anyway.
    editor.answer = async (_, [options]) => {
      asked.push((options as { readonly detail: string }).detail);
      return undefined;
    };
  });
  afterEach(() => {
    editor.answer = answer;
  });

  it('never spend more than it, ask nothing twice, and keep what it does not pay', async () => {
    const actions = fc.array(fc.tuple(fc.constantFrom('send', 'queue', 'new', 'open', 'stop'), fc.nat(2)), {
      minLength: 4,
      maxLength: 12,
    });
    const costs = fc.array(fc.double({ min: 0.05, max: COST, noNaN: true }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, costs, async (scheduler, done, paid) => {
        const order = new AnyOrder(scheduler);
        let spent = 0;
        const limits = new LimitMonitor({
          worker: {
            onDidExchange: never,
            rpc: {
              readLedger: async () => {
                await order.delay('ask the ledger');
                const sums = { daily: spent, monthly: spent };
                await order.delay('hear of the ledger');
                return sums;
              },
            },
          },
          ledger: 'ledger',
          calls: { onDidRecord: never },
          connection: { open: { kind: 'hosted' }, onDidChange: never },
          settings: { spendingLimits: { daily: LIMIT }, onDidChange: never },
          log: { warn: (_: string, error: unknown) => assert.fail(String(error)) },
        } as unknown as LimitServices);
        const disk: Disk = new Map();
        const person = new ChatWindow({
          disk,
          delay: order.delay,
          limits,
          expectedCost: COST,
          answer: async function* () {
            const cost = paid[person.requests.length % paid.length] ?? COST;
            try {
              yield { type: 'textDelta', index: 0, text: 'answer' };
              await order.delay('answer');
              yield { type: 'finish', reason: 'stop' };
            } finally {
              spent += cost;
            }
          },
        });
        const sent: string[] = [];
        const seen: string[] = [];
        const act = (what: string, at: number, number: number): unknown => {
          const { session } = person;
          if (!seen.includes(session.chat.id)) seen.push(session.chat.id);
          if (what === 'new') return session.startNew();
          if (what === 'open') return session.open(seen[at % seen.length] ?? '');
          if (what === 'stop') return session.chat.stop();
          const text = `question ${number}`;
          sent.push(text);
          return what === 'send' ? session.chat.turns.send(text) : session.chat.queue.add(text);
        };
        order.plan(done.map(([what, at], number) => ({ what: `${what} ${number}`, act: () => act(what, at, number) })));
        await order.run(() => assert.ok(spent <= LIMIT, `${spent} of ${LIMIT} was spent`));
        limits.dispose();
        const texts = person.requests.flatMap(({ text }) => text.split('\n\n'));
        for (const text of sent) {
          assert.ok(texts.filter((one) => one === text).length <= 1, `${text} was asked twice`);
          // A question that is stopped at once is in its chat.
          const asks = [...disk.values()].flatMap((records) => records.map(({ record }) => record));
          const kept = [
            ...asks.map((record) => (record.type === 'question' ? record.text : '')),
            ...person.composed,
            ...seen.flatMap((id) => [person.chats.live(id)?.composition.draft ?? '', person.chats.queued.textIn(id)]),
          ];
          assert.ok(texts.includes(text) || kept.some((one) => one.includes(text)), `${text} is lost`);
        }
      }),
      { numRuns: runs(200) },
    );
    assert.ok(asked.length > 0, 'no schedule has reached the limit');
  });
});
