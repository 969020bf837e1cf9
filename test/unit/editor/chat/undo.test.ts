import assert from 'node:assert/strict';
import type { ChatHostMessage } from '../../../../src/editor/chat/protocol.ts';
import { UndoOffers } from '../../../../src/editor/chat/undo.ts';

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

  const offer = () =>
    offers.offer({
      text: 'Done.',
      undo: () => {
        undone += 1;
      },
    });
  const idOf = (message: ChatHostMessage | undefined) => (message?.type === 'notice' ? message.notice.id : '');

  it('are used only once', async () => {
    offer();
    await offers.undo(idOf(posted[0]));
    await offers.undo(idOf(posted[0]));
    assert.equal(undone, 1);
  });

  it('are withdrawn from the chat if the action was undone elsewhere, and then do nothing', async () => {
    const withdraw = offer();
    withdraw();
    withdraw();
    const id = idOf(posted[0]);
    assert.deepEqual(posted.slice(1), [{ type: 'noticeWithdrawn', noticeId: id }]);
    await offers.undo(id);
    assert.equal(undone, 0);
  });
});
