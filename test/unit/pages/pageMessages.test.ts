import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readPanelMessage } from '../../../src/pages/chat/panelMessages.ts';
import { readConnectMessage } from '../../../src/pages/connectTool/connectMessages.ts';
import { readKeyMessage } from '../../../src/pages/localKey/keyMessages.ts';
import { readRoutesMessage } from '../../../src/pages/routes/routesMessages.ts';
import { readSessionMessage } from '../../../src/pages/session/sessionMessages.ts';
import { readTrafficMessage } from '../../../src/pages/traffic/trafficMessages.ts';
import { readUsageMessage } from '../../../src/pages/usage/usageMessages.ts';
import { runs } from '../../support/randomRuns.ts';

const READERS = {
  chat: readPanelMessage,
  'local key': readKeyMessage,
  routes: readRoutesMessage,
  session: readSessionMessage,
  'connect tool': readConnectMessage,
  traffic: readTrafficMessage,
  usage: readUsageMessage,
} as const;

/** Members that only their own type allows, with values that a page could have been made to send. */
const TYPES = [
  'decide',
  'raiseCap',
  'setLimits',
  'send',
  'act',
  'create',
  'choosePeriod',
  'connect',
  'toString',
  '__proto__',
];

describe('what a page sends', () => {
  for (const [page, read] of Object.entries(READERS)) {
    it(`is never an error, and has its type, from the page ${page}`, () => {
      const member = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, maxDepth: 3 });
      const messages = fc.oneof(
        member,
        fc.record({ type: fc.oneof(fc.constantFrom(...TYPES), member) }),
        fc
          .tuple(fc.constantFrom(...TYPES), fc.dictionary(fc.string(), member))
          .map(([type, rest]) => ({ ...rest, type })),
      );
      fc.assert(
        fc.property(messages, (received) => {
          const message = read(received);
          if (message !== undefined) assert.equal(message.type, (received as { type: string }).type);
        }),
        { numRuns: runs(100) },
      );
    });
  }

  it('is dropped unless it is a message with all its members', () => {
    const malformed = [null, undefined, [], 'stop', 7, {}, { type: 'stop ' }, { type: ['stop'] }, { type: 'send' }];
    for (const received of [...malformed, { type: 'send', text: 7 }, { type: 'send', text: 'a', models: 'b' }]) {
      assert.equal(readPanelMessage(received), undefined, JSON.stringify(received));
    }
    const { type, text } = { type: 'send', text: 'a' };
    assert.equal(readPanelMessage(Object.create({ type, text })), undefined);
  });

  it('allows nothing by a choice that does not exist', () => {
    for (const choice of ['yes', 'ONCE', true, 1, null, ['once'], { toString: 'once' }, undefined]) {
      assert.equal(readPanelMessage({ type: 'decide', question: 1, choice }), undefined);
    }
    assert.deepEqual(readPanelMessage({ type: 'decide', question: 1, choice: 'deny' }), {
      type: 'decide',
      question: 1,
      choice: 'deny',
    });
  });

  it('raises no limit by what is not an amount', () => {
    for (const by of [-1, Number.NaN, Number.POSITIVE_INFINITY, '1', [1], null]) {
      assert.equal(readPanelMessage({ type: 'raiseCap', by }), undefined);
      assert.equal(readPanelMessage({ type: 'setLimits', cap: by }), undefined);
      assert.equal(readSessionMessage({ type: 'raiseCap', raise: by }), undefined);
    }
    assert.equal(readPanelMessage({ type: 'setLimits', maxSteps: 1e308 }), undefined);
    assert.deepEqual(readPanelMessage({ type: 'setLimits', cap: 0 }), { type: 'setLimits', cap: 0 });
  });

  it('has no members beyond its own, and no other prototype', () => {
    const received = JSON.parse('{"type":"showInTraffic","from":1,"__proto__":{"to":2},"sessionId":"other"}');
    const message = readSessionMessage(received);
    assert.deepEqual(Object.keys(message ?? {}), ['type', 'from']);
    assert.equal((message as unknown as Record<string, unknown>).to, undefined);
  });

  it('starts a page whatever an earlier version has kept', () => {
    assert.deepEqual(readUsageMessage({ type: 'ready', choice: { kind: 'year' } })?.type, 'ready');
    assert.deepEqual(readTrafficMessage({ type: 'ready', choice: 'all' })?.type, 'ready');
    assert.deepEqual(readSessionMessage({ type: 'ready', sessionId: 5 })?.type, 'ready');
  });
});
