import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeOver } from '../../../../../src/chat/conversation/abandonedAnswers.ts';
import { ConversationStore } from '../../../../../src/chat/conversation/conversationStore.ts';
import { LiveConversation } from '../../../../../src/chat/conversation/liveConversation.ts';
import { Answers, type AnswersServices } from '../../../../../src/editor/chat/answers/answers.ts';
import type { ChatEvent } from '../../../../../src/formats/answer.ts';
import type { CallOptions } from '../../../../../src/service/transport.ts';
import { header, question } from '../../../chat/conversation/records.ts';

describe('running answers', () => {
  let folder: string;
  let signal: AbortSignal | undefined;
  const stores: ConversationStore[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answers-'));
    signal = undefined;
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.whenWritten()));
    await rm(folder, { recursive: true });
  });

  async function opened(): Promise<{ store: ConversationStore; live: LiveConversation }> {
    const store = new ConversationStore(folder);
    stores.push(store);
    const stored = await store.readAndFollow('c');
    assert.ok(stored !== undefined);
    return { store, live: new LiveConversation(stored, store, (error) => assert.fail(String(error))) };
  }

  /** Sends some text, and then nothing until the request is closed. */
  async function* untilClosed({ options }: { readonly options: CallOptions }): AsyncGenerator<ChatEvent> {
    signal = options.signal;
    yield { type: 'textDelta', index: 0, text: 'one ' };
    assert.ok(signal !== undefined);
    await once(signal, 'abort');
    throw new DOMException('closed', 'AbortError');
  }

  /** The few services of a window that an answer needs. */
  function servicesWith(chat: typeof untilClosed): AnswersServices {
    const services = {
      calls: { chat },
      connection: { open: { kind: 'service' } },
      models: { find: () => undefined },
      balance: { refreshAfterCharge: async () => undefined, state: { connection: 'hosted' } },
      estimator: { forecastFor: () => undefined, learn: async () => undefined },
      parameters: {
        modelOf: () => 'familya-sonnet-4.6',
        formatOf: () => 'messages',
        requestSettings: () => ({ model: 'familya-sonnet-4.6', systemPrompt: '', maxTokens: 100 }),
      },
      images: { lookup: () => undefined },
      customizations: { ready: async () => undefined },
      post: () => undefined,
      log: { warn: () => undefined },
    };
    return services as unknown as AnswersServices;
  }

  it('abort their request and report it once another window has taken over', async () => {
    await new ConversationStore(folder).append('c', [header('c'), question('q', 'why?', { parent: null })]);
    const mine = await opened();
    let shownOf = 0;
    const answers = new Answers(servicesWith(untilClosed), {
      onDidChange: () => undefined,
      onEnded: () => undefined,
      look: () => undefined,
      onTakenOver: () => {
        shownOf += 1;
      },
    });
    const ask = await answers.ready();
    const asking = ask({ conversation: mine.live, entries: mine.live.value.entries });
    while (answers.turns[0]?.text !== 'one ') await new Promise((resolve) => setTimeout(resolve, 5));
    const answer = answers.turns[0];
    await mine.store.append('c', [{ type: 'delta', id: answer.id, text: 'one ' }]);
    const other = await opened();
    const own = takeOver(other.live, { ...answer, status: 'stopped' });
    await other.store.whenWritten();

    await mine.live.catchUp();
    assert.equal(signal?.aborted, false);
    answers.yieldToSuccessor();
    await asking;
    assert.equal(signal?.aborted, true);
    assert.equal(shownOf, 1);
    assert.equal(answers.areRunning, false);
    assert.equal(mine.live.value.answer(answer.id)?.status, 'stopped');
    assert.equal(mine.live.value.entries.at(-1)?.id, own.id);
  });
});
