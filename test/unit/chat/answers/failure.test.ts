import assert from 'node:assert/strict';
import { describeFailure } from '../../../../src/chat/answers/failure.ts';
import type { ErrorKind } from '../../../../src/formats/apiError.ts';

const KINDS: readonly ErrorKind[] = [
  'authentication',
  'credit',
  'permission',
  'notFound',
  'rateLimit',
  'overloaded',
  'invalidRequest',
  'tooLarge',
  'timeout',
  'network',
  'malformed',
  'server',
];

describe('the card of a failed answer', () => {
  for (const kind of KINDS) {
    it(`explains what to do after “${kind}” and whether it was charged`, () => {
      const failure = describeFailure({ kind, message: 'The service said so' }, false);
      assert.match(failure.detail, /^The service said so\. /);
      assert.match(failure.detail, /charged/);
      assert.ok(failure.steps.length > 0);
    });
  }

  it('contains the beginning of a message that is very long', () => {
    const { detail } = describeFailure({ kind: 'server', message: 'no '.repeat(300_000) }, false);
    assert.ok(detail.startsWith('no no ') && detail.length < 3_000, `${detail.length} characters`);
  });

  it('refers users of a team’s gateway to their administrator instead of offering to add credit', () => {
    const spent = describeFailure({ kind: 'credit', message: 'The team "docs" has $0.00 left.' }, false, true);
    assert.deepEqual([spent.title, spent.steps[0]], ['A budget is used up', 'askAdministrator']);
    assert.doesNotMatch(spent.detail, /credit/i);
    const revoked = describeFailure({ kind: 'authentication', message: 'Unknown key.' }, false, true);
    assert.match(revoked.detail, /may have been revoked/);
  });

  it('states that nothing was charged unless the service may have generated output', () => {
    const unsent = describeFailure({ kind: 'network', message: 'Nothing responds.' }, false);
    assert.match(unsent.detail, /Nothing was charged\.$/);
    const sent = describeFailure({ kind: 'network', message: 'Lost.', mayBeBilled: true }, false);
    assert.match(sent.detail, /may have been charged/);
  });

  it('offers to continue if text was received, and does not state that nothing was charged', () => {
    const failure = describeFailure({ kind: 'network', message: 'The connection broke.' }, true);
    assert.equal(failure.title, 'The answer was cut off');
    assert.equal(failure.steps[0], 'continue');
    assert.doesNotMatch(failure.detail, /Nothing was charged/);
  });

  it('shows the request id, so that the service can be asked about it', () => {
    assert.match(describeFailure({ kind: 'server', message: 'Broken', requestId: 'req_1' }, false).detail, /req_1/);
  });
});
