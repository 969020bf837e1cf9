import assert from 'node:assert/strict';
import { type Stage, TurnActions } from '../../../../src/editor/chat/turnActions.ts';

interface Asked {
  readonly onBegun?: () => void;
}

/** A chat whose limits, records, and answers are scripted. */
function scriptedChat() {
  const limits = Promise.withResolvers<boolean>();
  const questions: string[] = [];
  const putBack: string[] = [];
  const requests: PromiseWithResolvers<void>[] = [];
  let ended = Promise.resolve();
  const value = { entries: [], all: [], comparison: [], isEmpty: true, parameters: {} };
  const stage = {
    conversation: {
      id: 'chat',
      value,
      isAnsweredElsewhere: false,
      catchUp: async () => [],
      record: (record: { text?: string }) => record.text !== undefined && questions.push(record.text),
    },
    composition: { attachments: [], take: () => [], putBack: (text: string) => putBack.push(text) },
    edited: {},
    parameters: { acts: false, model: 'small', keepModel: () => undefined },
    images: { keep: async () => undefined, load: async () => undefined },
    undo: { endLasting: () => undefined },
    runs: { isBusy: false },
    update: () => undefined,
    remember: async () => undefined,
    open: async () => true,
  };
  const answers = {
    get areRunning() {
      return requests.length > 0;
    },
    get ended() {
      return ended;
    },
    ask: async ({ onBegun }: Asked) => {
      // The code for answers is loaded with the first question.
      await Promise.resolve();
      const request = Promise.withResolvers<void>();
      requests.push(request);
      ended = request.promise.then(() => void requests.splice(requests.indexOf(request), 1));
      onBegun?.();
      await ended;
    },
  };
  const services = { connection: { open: {} }, store: {}, mayAsk: () => limits.promise };
  type Parameters = ConstructorParameters<typeof TurnActions>;
  const turns = new TurnActions(
    stage as unknown as Stage,
    answers as unknown as Parameters[1],
    services as unknown as Parameters[2],
  );
  return { turns, limits, questions, putBack, requests };
}

/** Resolves when everything that waits for nothing from outside is done. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the actions on questions', () => {
  it('ask one of two questions that are sent while the limits are checked, and put the other back', async () => {
    const { turns, limits, questions, putBack, requests } = scriptedChat();
    const sent = [turns.send('first'), turns.send('second')];
    limits.resolve(true);
    await settled();
    assert.deepEqual([questions, putBack, requests.length], [['first'], ['second'], 1]);
    requests[0]?.resolve();
    await Promise.all(sent);
  });

  it('ask a queued question after the one on its way was answered', async () => {
    const { turns, limits, questions, putBack, requests } = scriptedChat();
    const sent = [turns.send('first'), turns.sendNext('second'), turns.sendNext('third')];
    limits.resolve(true);
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
});
