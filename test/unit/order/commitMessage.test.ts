/** Commit messages that a person asks for, stops, and edits, in any order of what is done and awaited. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { CommitMessage, type CommitMessageServices } from '../../../src/editor/codeCommands/commitMessage.ts';
import type { ChatEvent } from '../../../src/formats/answer.ts';
import { AnyOrder, moments, type Step } from '../../support/anyOrder.ts';
import { commands, extensions, Uri, window } from '../../support/editorApi/vscode.ts';
import { schedules } from '../../support/randomRuns.ts';

type Action = 'write' | 'write twice' | 'stop' | 'type';

const ACTIONS: readonly Action[] = ['write', 'write', 'write twice', 'stop', 'type', 'type'];
const MESSAGE = 'Parcels\n\n- Add the parcel';
const FAILURE = 'The service is down.';

/** The editor's input box: it has line feeds only, and reports each text that was set again, a moment later. */
class InputBox {
  readonly #order: AnyOrder;
  readonly #reports: string[] = [];
  #text = '';

  constructor(order: AnyOrder) {
    this.#order = order;
  }

  get value(): string {
    return this.#text;
  }

  set value(written: string) {
    const text = written.replaceAll('\r\n', '\n');
    this.#text = text;
    this.#reports.push(text);
    void this.#order.delay('report the text').then(() => {
      this.#text = this.#reports.shift() ?? this.#text;
    });
  }

  /** What was set before is reported first. */
  type(text: string): string {
    this.#text = `${this.#reports.splice(0).at(-1) ?? this.#text}${text}`;
    return this.#text;
  }
}

class Person {
  readonly #order: AnyOrder;
  readonly #box: InputBox;
  readonly #message: CommitMessage;
  readonly #fails: boolean;
  #requests = 0;
  #typed = 0;
  /** The message that is being written: what the box had before, and what was typed since. */
  #writing: { earlier?: string; typed?: string; isStopped: boolean } | undefined;
  /** Whether the button stops instead of writes. */
  #isStopShown = false;

  constructor(order: AnyOrder, fails: boolean) {
    this.#order = order;
    this.#fails = fails;
    this.#box = new InputBox(order);
    this.#message = new CommitMessage(this.#services);
    const repository = {
      rootUri: Uri.file('/workspace'),
      inputBox: this.#box,
      state: { mergeChanges: [] },
      diff: async () => {
        if (this.#writing !== undefined) this.#writing.earlier = this.#box.value;
        await order.delay('diff');
        return '+parcel\n';
      },
    };
    const api = { repositories: [repository], getRepository: () => repository };
    const git = { isActive: true, exports: { enabled: true, getAPI: () => api } };
    Object.assign(extensions, { getExtension: () => git });
    Object.assign(commands, {
      executeCommand: async (_command: string, _key: string, isWriting: boolean) => {
        if (isWriting) this.#writing = { isStopped: false };
        else this.#end();
        await order.delay('set the context');
        this.#isStopShown = isWriting;
      },
    });
  }

  do(action: Action): unknown {
    switch (action) {
      case 'write':
        return this.#message.write(undefined);
      case 'write twice':
        return Promise.all([this.#message.write(undefined), this.#message.write(undefined)]);
      case 'stop':
        if (this.#writing !== undefined) this.#writing.isStopped = true;
        return this.#message.stop();
      case 'type': {
        this.#typed += 1;
        const typed = this.#box.type(` #${this.#typed}`);
        // What was typed before is what the message must say.
        if (this.#writing?.earlier !== undefined) this.#writing.typed = typed;
        return undefined;
      }
    }
  }

  /** What is true when everything has ended. */
  check(): void {
    assert.deepEqual([this.#requests, this.#isStopShown, this.#writing], [0, false, undefined]);
  }

  get #services(): CommitMessageServices {
    const model = { id: 'm', raw: {}, inputPrice: 3, outputPrice: 15 };
    return {
      promptLibrary: { read: async () => [] },
      modelUses: { modelFor: () => 'm' },
      models: { find: () => model },
      counter: { estimate: () => ({ tokens: 10 }) },
      limits: { reserve: () => this.#order.delay('limits').then(() => () => undefined) },
      connection: { open: { kind: 'hosted' }, current: { kind: 'hosted' } },
      balance: { refreshAfterCharge: async () => undefined },
      settings: { maxTokens: 4096, commandsAskAbove: 1, chatFormat: 'messages' },
      calls: { chat: (call: { readonly options: { readonly signal: AbortSignal } }) => this.#answer(call.options) },
    } as unknown as CommitMessageServices;
  }

  async *#answer({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<ChatEvent> {
    this.#requests += 1;
    assert.equal(this.#requests, 1, 'two messages are written at once');
    try {
      for (const text of MESSAGE.replaceAll('\n', '\r\n').split(/(?= )/)) {
        await this.#order.delay('answer');
        signal.throwIfAborted();
        yield { type: 'textDelta', index: 0, text };
      }
      if (this.#fails) throw new Error(FAILURE);
      yield { type: 'finish', reason: 'stop' };
    } finally {
      this.#requests -= 1;
    }
  }

  /** The box has its final text when the button is about to write again. */
  #end(): void {
    const { value } = this.#box;
    const { earlier, typed, isStopped } = this.#writing ?? assert.fail('Nothing is written.');
    this.#writing = undefined;
    if (typed !== undefined) assert.equal(value, typed, 'what was typed is lost');
    else if (isStopped) assert.ok([earlier, MESSAGE].includes(value), `${value} is left`);
    else assert.equal(value, this.#fails ? earlier : MESSAGE);
  }
}

describe('commit messages, in any order of what is done and awaited', () => {
  const [before, git, command] = [{ ...window }, { ...extensions }, { ...commands }];

  beforeEach(() => {
    const progress = (_: unknown, work: (...given: unknown[]) => unknown) =>
      work(undefined, { onCancellationRequested: () => undefined });
    Object.assign(window, { withProgress: progress });
  });
  afterEach(() => {
    Reflect.deleteProperty(window, 'withProgress');
    Object.assign(window, before);
    Object.assign(extensions, git);
    Object.assign(commands, command);
  });

  it('are written one at a time, and leave the earlier text, the message, or what the person has typed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        moments(fc.constantFrom(...ACTIONS)),
        fc.boolean(),
        async (scheduler, done, fails) => {
          const order = new AnyOrder(scheduler);
          const person = new Person(order, fails);
          for (const together of done) {
            order.plan(together.map((action): Step => ({ what: action, act: () => person.do(action) })));
            await order.run();
          }
          for (const error of order.errors) assert.equal(String(error), `Error: ${FAILURE}`);
          person.check();
        },
      ),
      { numRuns: schedules(150) },
    );
  });
});
