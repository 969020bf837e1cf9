import assert from 'node:assert/strict';
import type { CallUsage } from '../../../../src/calls/callUsage.ts';
import { askModel, type ModelCallServices } from '../../../../src/editor/codeCommands/modelCall.ts';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import { ProgressLocation, window } from '../../../support/editorApi/vscode.ts';

/** An expected answer of 100 tokens, and one that costs $0.0021. */
const MODEL = { id: 'm', raw: {}, inputPrice: 3, outputPrice: 15 };
const EVENTS: readonly ChatEvent[] = [
  { type: 'textDelta', index: 0, text: 'Add it' },
  { type: 'usage', usage: { inputTokens: 200, outputTokens: 100 } },
  { type: 'finish', reason: 'stop' },
];

describe('a request of a code command', () => {
  const original = { ...window };
  let progress: { readonly location: number; readonly title: string }[];
  let said: string[];

  beforeEach(() => {
    [progress, said] = [[], []];
    Object.assign(window, {
      withProgress: (options: (typeof progress)[number], work: (...args: unknown[]) => unknown) => {
        progress.push(options);
        return work(undefined, { onCancellationRequested: () => undefined });
      },
      setStatusBarMessage: (text: string) => said.push(text),
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(window, 'withProgress');
    Object.assign(window, original);
  });

  async function ask(inputTokens: number, kind: 'hosted' | 'sandbox' = 'hosted') {
    const services = {
      modelUses: { modelFor: () => 'm' },
      models: { find: () => MODEL },
      counter: { estimate: () => ({ tokens: inputTokens }) },
      limits: { reserve: async () => () => undefined },
      connection: { open: { kind }, current: { kind } },
      balance: { refreshAfterCharge: async () => undefined },
      settings: { maxTokens: 4096, commandsAskAbove: 0.1, chatFormat: 'messages' },
      calls: {
        async *chat({ usage }: { readonly usage: CallUsage }) {
          usage.send();
          for (const event of EVENTS) {
            usage.see(event);
            yield event;
          }
        },
      },
    } as unknown as ModelCallServices;
    const question = {
      use: 'commitMessage',
      prompt: 'Describe',
      attachments: [],
      expectedTokens: 100,
      title: 'Writing',
    };
    return askModel(services, question as never, ProgressLocation.SourceControl);
  }

  it('says what its answer has cost', async () => {
    assert.equal((await ask(200))?.text, 'Add it');
    assert.deepEqual(said, ['The answer cost $0.0021']);
    await ask(200, 'sandbox');
    assert.match(said[1] ?? '', /sample/);
  });

  it('shows its price before the answer where there is room for it, from a cent on', async () => {
    await ask(200);
    await ask(5000);
    assert.deepEqual(
      progress.map(({ location }) => location),
      [ProgressLocation.SourceControl, ProgressLocation.Notification],
    );
    assert.match(progress[1]?.title ?? '', /^Writing · ≈\s5\.0k tokens, ≈\s\$0\.017$/);
  });
});
