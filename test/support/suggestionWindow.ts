/** A window in which a person types and asks for inline suggestions. */
import assert from 'node:assert/strict';
import { SuggestionProvider } from '../../src/editor/inlineSuggestions/suggestionProvider.ts';
import { InlineCompletionTriggerKind, Position, Range, Uri, window, workspace } from './editorApi/vscode.ts';
import type { Delay } from './memoryStore.ts';

const MODEL = { id: 'small', inputPrice: 1, outputPrice: 1 };

type Change = Parameters<SuggestionProvider['provideInlineCompletionItems']>[0];

/** A document in which the person types at the end of its second line. */
class TypedDocument {
  readonly uri = new Uri('untitled', 'Untitled-1');
  readonly languageId = 'typescript';
  readonly isUntitled = true;
  readonly isClosed = false;
  readonly lineCount = 3;
  readonly eol = 1;
  typed = '';

  get #lines(): readonly string[] {
    return ['function area(width: number, height: number) {', `  return ${this.typed}`, '}'];
  }

  get end(): Position {
    return new Position(1, (this.#lines[1] ?? '').length);
  }

  lineAt(line: number): { readonly text: string } {
    return { text: this.#lines[line] ?? '' };
  }

  getText(): string {
    return this.#lines.join('\n');
  }

  positionAt(offset: number): Position {
    const before = this.getText().slice(0, offset).split('\n');
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  }
}

/** A cancellation token of the editor. */
class Token {
  readonly #listeners: (() => void)[] = [];
  isCancellationRequested = false;

  readonly onCancellationRequested = (listener: () => void) => {
    this.#listeners.push(listener);
    return { dispose: () => undefined };
  };

  cancel(): void {
    this.isCancellationRequested = true;
    for (const listener of this.#listeners) listener();
  }
}

interface Call {
  readonly request: unknown;
  readonly options: { readonly signal: AbortSignal };
}

/** What the editor has asked for. */
interface Asked {
  readonly token: Token;
  /** Whether suggestions were shown; undefined while they are awaited. */
  isShown?: boolean;
}

/** A window with one document, whose requests take as long as the schedule wants. */
export class SuggestionWindow {
  readonly provider: SuggestionProvider;
  readonly asked: Asked[] = [];
  /** Requests to the model that have not ended. */
  readonly #running = new Set<{ readonly signal: AbortSignal; readonly text: string }>();
  readonly #before = { window: { ...window }, workspace: { ...workspace } };
  readonly state = { status: 'on', isAsking: false, succeeded: () => undefined, failed: assert.fail };
  readonly #document = new TypedDocument();
  #change: (event: unknown) => void = () => undefined;
  sent = 0;

  /** @param kind the connection's. */
  constructor(delay: Delay, kind: 'hosted' | 'sandbox' = 'hosted') {
    Object.assign(workspace, {
      onDidChangeTextDocument: (listener: (event: unknown) => void) => {
        this.#change = listener;
        return { dispose: () => undefined };
      },
    });
    const figures = {
      firstTokenMs: new Map(),
      refresh: () => delay('read the sums'),
      shown: () => delay('count'),
      accepted: async () => undefined,
      ended: () => undefined,
    };
    const services = {
      models: { state: { models: [MODEL] } },
      settings: { upstreams: { upstreams: [] }, chatFormat: 'chat-completions' },
      connection: { open: { kind } },
      limits: {
        admit: async () => {
          await delay('check the limits');
          return () => undefined;
        },
      },
      calls: {
        chat: (call: Call) => this.#answer(delay, call),
      },
      balance: { refreshAfterCharge: async () => undefined },
      log: { warn: (_: string, error: unknown) => assert.fail(String(error)) },
    };
    const settings = { model: '', contextTokens: 1500, maxWait: 60_000, inComments: false, isOnFor: () => true };
    const wait = () => delay('pause');
    this.provider = new SuggestionProvider({ services, settings, figures, state: this.state, wait } as never);
  }

  /** Requests that have neither ended nor been aborted. */
  get live(): readonly { readonly text: string }[] {
    return [...this.#running].filter(({ signal }) => !signal.aborted);
  }

  dispose(): void {
    this.provider.dispose();
    Object.assign(window, this.#before.window);
    Object.assign(workspace, this.#before.workspace);
  }

  /** Presses a key, which cancels what the editor waits for. */
  type(): Promise<void> {
    const document = this.#document;
    const at = document.end;
    const rangeOffset = document.getText().indexOf('\n}');
    document.typed += document.typed.length % 2 === 0 ? '(' : ' ';
    this.#showCursor();
    const change = { range: new Range(at, at), rangeOffset, rangeLength: 0, text: document.typed.slice(-1) };
    this.#change({ document, contentChanges: [change], reason: undefined });
    for (const { token } of this.asked) token.cancel();
    return this.ask(InlineCompletionTriggerKind.Automatic);
  }

  async ask(triggerKind: number): Promise<void> {
    const asked: Asked = { token: new Token() };
    this.asked.push(asked);
    this.#showCursor();
    const items = await this.provider.provideInlineCompletionItems(
      this.#document as unknown as Change,
      this.#document.end as never,
      { triggerKind } as never,
      asked.token as never,
    );
    asked.isShown = items !== undefined && items.length > 0;
  }

  #showCursor(): void {
    const selection = { active: this.#document.end, isEmpty: true };
    Object.assign(window, { activeTextEditor: { document: this.#document, selection, selections: [selection] } });
  }

  async *#answer(delay: Delay, { request, options: { signal } }: Call) {
    signal.throwIfAborted();
    this.sent += 1;
    const name = `request ${this.sent}`;
    const running = { signal, text: JSON.stringify(request) };
    this.#running.add(running);
    try {
      await delay(`answer ${name}`);
      signal.throwIfAborted();
      yield { type: 'textDelta', text: `width * height ${this.sent};` };
      yield { type: 'finish', reason: 'stop' };
    } finally {
      this.#running.delete(running);
    }
  }
}
