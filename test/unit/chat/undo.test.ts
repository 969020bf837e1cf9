import assert from 'node:assert/strict';
import { UndoOffers } from '../../../src/chat/undo.ts';
import type { ChatHostMessage } from '../../../src/pages/chat/protocol.ts';

describe('undo offers', () => {
  let posted: ChatHostMessage[];
  let offers: UndoOffers;
  let undone: number;

  beforeEach(() => {
    posted = [];
    undone = 0;
    offers = new UndoOffers((message) => posted.push(message));
  });
  afterEach(() => offers.dispose());

  const undoable = () => ({
    text: 'Done.',
    undo: () => {
      undone += 1;
    },
  });
  const idOf = (message: ChatHostMessage | undefined) => (message?.type === 'notice' ? message.notice.id : '');

  it('are used only once', async () => {
    offers.offer(undoable());
    await offers.undo(idOf(posted[0]));
    await offers.undo(idOf(posted[0]));
    assert.equal(undone, 1);
  });

  it('that last are shown again until they are ended, and then do nothing', async () => {
    offers.offerLasting(undoable());
    offers.offer(undoable());
    const id = idOf(posted[0]);
    const notice = { type: 'notice', notice: { id, text: 'Done.', lasts: true } } as const;
    posted.length = 0;
    offers.repeat();
    offers.endLasting();
    offers.endLasting();
    offers.repeat();
    assert.deepEqual(posted, [notice, { type: 'noticeWithdrawn', noticeId: id }]);
    await offers.undo(id);
    assert.equal(undone, 0);
  });

  it('that last give way to the next one, and are not shown again once they were used', async () => {
    offers.offerLasting(undoable());
    offers.offerLasting(undoable());
    const [first, withdrawn, second] = posted;
    assert.deepEqual(withdrawn, { type: 'noticeWithdrawn', noticeId: idOf(first) });
    await offers.undo(idOf(first));
    assert.equal(undone, 0);
    await offers.undo(idOf(second));
    assert.equal(undone, 1);
    offers.repeat();
    assert.equal(posted.length, 3);
  });
});
