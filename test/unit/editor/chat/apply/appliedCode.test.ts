import assert from 'node:assert/strict';
import { AppliedCode } from '../../../../../src/editor/chat/apply/appliedCode.ts';
import type { ChatHostMessage } from '../../../../../src/pages/chat/protocol.ts';
import { codeKey } from '../../../../../src/rules/codeKey.ts';

describe('code that was applied', () => {
  let values: Map<string, unknown>;
  let posted: ChatHostMessage[];

  beforeEach(() => {
    [values, posted] = [new Map(), []];
  });

  /** As after a reload of the window. */
  function again(): AppliedCode {
    const memory = {
      get: (key: string, other: unknown) => values.get(key) ?? other,
      update: async (key: string, value: unknown) => values.set(key, value),
    };
    return new AppliedCode(memory as never, (message) => posted.push(message));
  }

  it('is known to a panel that is loaded later, until it is undone', async () => {
    await again().add(['a();', 'b();']);
    await again().remove(['a();']);
    posted = [];
    again().repeat();
    assert.deepEqual(posted, [{ type: 'applied', codes: [codeKey('b();')] }]);
  });

  it('is forgotten after 200 others', async () => {
    await again().add(['first']);
    await again().add(Array.from({ length: 200 }, (_, index) => `${index}`));
    const last = posted.at(-1);
    assert.ok(last?.type === 'applied' && last.codes.length === 200 && !last.codes.includes(codeKey('first')));
  });
});
