import assert from 'node:assert/strict';
import { TurnActions } from '../../../../src/editor/chat/turnActions.ts';

/** A chat whose limits, records, and answers are scripted. */
function scriptedChat() {
  const limits = Promise.withResolvers<boolean>();
  const code = Promise.withResolvers<void>();
  const questions: string[] = [];
  const putBack: string[] = [];
  const attached: string[] = [];
  const released: string[] = [];
  const requests: PromiseWithResolvers<void>[] = [];
  let ended = Promise.resolve();
  const value = { entries: [], all: [], comparison: [], isEmpty: true, parameters: {} };
  const conversation = {
    id: 'chat',
    value,
    isAnsweredElsewhere: false,
    catchUp: async () => [],
    record: (record: { text?: string }) => record.text !== undefined && questions.push(record.text),
  };
  const chat = {
    conversation,
    composition: {
      attachments: [],
      take: () => ['a.ts'],
      putBack: (text: string) => putBack.push(text),
      attach: (...names: string[]) => attached.push(...names),
    },
    edited: {},
    parameters: { acts: false, model: 'small', keepModel: () => undefined },
    images: { keep: async () => undefined, load: async () => undefined },
    undo: { endLasting: () => undefined },
    runs: { isBusy: false, ended: async () => undefined },
    update: () => undefined,
  };
  const answers = {
    get areRunning() {
      return requests.length > 0;
    },
    get ended() {
      return ended;
    },
    ready: async () => {
      // The code for answers is loaded with the first question.
      await code.promise;
      return () => {
        const request = Promise.withResolvers<void>();
        requests.push(request);
        ended = request.promise.then(() => void requests.splice(requests.indexOf(request), 1));
        return ended;
      };
    },
  };
  const reserve = async () => ((await limits.promise) ? () => released.push('') : undefined);
  type Parameters = ConstructorParameters<typeof TurnActions>;
  const shown: boolean[] = [];
  const turns: TurnActions = new TurnActions(
    { ...chat, checkMayRun: () => undefined, estimates: { reserve } } as unknown as Parameters[0],
    answers as unknown as Parameters[1],
    { open: {} } as Parameters[2],
    () => shown.push(turns.isAsking),
  );
  return { turns, limits, code, questions, putBack, attached, requests, released, shown };
}

/** Resolves when everything that waits for nothing from outside is done. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the actions on questions', () => {
  it('ask one of two questions that are sent while the limits are checked, and put the other back', async () => {
    const { turns, limits, code, questions, putBack, requests } = scriptedChat();
    const sent = [turns.send('first'), turns.send('second')];
    limits.resolve(true);
    code.resolve();
    await settled();
    assert.deepEqual([questions, putBack, requests.length], [['first'], ['second'], 1]);
    requests[0]?.resolve();
    await Promise.all(sent);
  });

  it('ask a queued question after the one on its way was answered', async () => {
    const { turns, limits, code, questions, putBack, requests } = scriptedChat();
    const sent = [turns.send('first'), turns.sendNext('second'), turns.sendNext('third')];
    limits.resolve(true);
    code.resolve();
    await settled();
    assert.deepEqual(questions, ['first']);
    requests[0]?.resolve();
    await settled();
    assert.deepEqual(questions, ['first', 'second']);
    requests[0]?.resolve();
    await settled();
    requests[0]?.resolve();
    await Promise.all(sent);
    assert.deepEqual([questions, putBack], [['first', 'second', 'third'], []]);
  });

  it('ask the next question after the limits have refused one', async () => {
    const { turns, limits, questions, putBack } = scriptedChat();
    limits.resolve(false);
    await turns.send('first');
    await turns.send('second');
    assert.deepEqual([questions, putBack], [[], ['first', 'second']]);
  });

  it('put a question back that is stopped while the limits are checked', async () => {
    const { turns, limits, code, questions, putBack, requests } = scriptedChat();
    const sent = turns.send('first');
    turns.claim.stop();
    limits.resolve(true);
    code.resolve();
    await sent;
    assert.deepEqual([questions, putBack, requests.length], [[], ['first'], 0]);
  });

  it('put a question back with its attachments if it is stopped right before its request', async () => {
    const { turns, limits, code, questions, putBack, attached, requests } = scriptedChat();
    limits.resolve(true);
    const sent = turns.send('first');
    await settled();
    turns.claim.stop();
    code.resolve();
    await sent;
    assert.deepEqual([questions, putBack, attached, requests.length], [[], ['first'], ['a.ts'], 0]);
  });

  it('report that a question is on its way until it is asked', async () => {
    const { turns, limits, code, requests, shown } = scriptedChat();
    const sent = turns.send('first');
    assert.deepEqual([turns.isAsking, shown], [true, [true]]);
    limits.resolve(true);
    code.resolve();
    await settled();
    assert.deepEqual([turns.isAsking, shown, requests.length], [false, [true, false], 1]);
    requests[0]?.resolve();
    await sent;
  });

  it('reserve the cost of a question until its request has ended, or it is not sent', async () => {
    const { turns, limits, code, requests, released } = scriptedChat();
    limits.resolve(true);
    code.resolve();
    const sent = turns.send('first');
    await settled();
    assert.deepEqual([requests.length, released.length], [1, 0]);
    requests[0]?.resolve();
    await sent;
    assert.equal(released.length, 1);
    const stopped = turns.send('second');
    turns.claim.stop();
    await stopped;
    assert.equal(released.length, 2);
  });
});
