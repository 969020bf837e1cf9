import * as vscode from 'vscode';
import type { Hole } from '../../suggestions/prompt.ts';
import { type SuggestionModel, suggestionModel } from '../../suggestions/suggestionModel.ts';
import { type Urgency, urgencyAt } from '../../suggestions/text/occasion.ts';
import type { CursorContext } from '../../suggestions/text/place.ts';
import type { InlineSuggestion } from '../../suggestions/text/placed.ts';
import { Rhythm } from '../../suggestions/text/rhythm.ts';
import { SuggestionReader } from '../../suggestions/text/suggestion.ts';
import type { SuggestionSettings } from '../settings/suggestionSettings.ts';
import { type Anchor, anchorAt, ShownSuggestions } from './shownSuggestions.ts';
import type { SuggestionFigures } from './suggestionFigures.ts';
import type { SuggestionServices } from './suggestionServices.ts';
import { answerForm, askModel, sandboxSuggests } from './suggestionSource.ts';
import type { SuggestionState } from './suggestionState.ts';
import { DocumentContext } from './surroundings.ts';
import { Typing } from './typing.ts';

/** Documents in which people write. Others, such as an output channel, are only shown. */
const SCHEMES: ReadonlySet<string> = new Set([
  'file',
  'untitled',
  'vscode-notebook-cell',
  'vscode-remote',
  'vscode-vfs',
]);
/** How many suggestions a person gets who asks for one, and how long they may take, in milliseconds. */
const CHOICES = 3;
const MAX_EXPLICIT_WAIT_MS = 10_000;
/** The service is asked for its balance at most this often while suggestions are charged, in milliseconds. */
const BALANCE_MS = 60_000;

export interface ProviderParts {
  readonly services: SuggestionServices;
  readonly settings: SuggestionSettings;
  readonly figures: SuggestionFigures;
  readonly state: SuggestionState;
  /** Waits for a time in milliseconds, or until the token is canceled. */
  readonly wait?: (ms: number, token: vscode.CancellationToken) => Promise<void>;
}

interface SuggestionRequest {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
  readonly place: CursorContext;
  readonly anchor: Anchor;
  readonly isExplicit: boolean;
  /** Later requests have higher numbers. */
  readonly number: number;
}

/** The request that may ask the model. */
interface RunningRequest {
  readonly number: number;
  readonly abort: AbortController;
}

/** Suggests text at the cursor. There is one request at a time; the next key cancels it, and a later one replaces it. */
export class SuggestionProvider implements vscode.InlineCompletionItemProvider, vscode.Disposable {
  readonly #parts: ProviderParts;
  readonly #surroundings = new DocumentContext();
  readonly #shown = new ShownSuggestions();
  readonly #rhythm = new Rhythm();
  readonly #typing = new Typing();
  readonly #subscriptions: vscode.Disposable[];
  #running: RunningRequest | undefined;
  #requests = 0;
  #balanceReadAt = 0;

  constructor(parts: ProviderParts) {
    this.#parts = parts;
    this.#subscriptions = [
      this.#typing,
      vscode.workspace.onDidChangeTextDocument((event) => this.#see(event)),
      vscode.languages.registerInlineCompletionItemProvider({ pattern: '**' }, this),
    ];
  }

  /** The model that is asked; undefined if there is none. */
  get model(): SuggestionModel | undefined {
    const { services, settings, figures } = this.#parts;
    const { models, settings: all } = services;
    return suggestionModel(settings.model, models.state.models, all.upstreams.upstreams, figures.firstTokenMs);
  }

  async provideInlineCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    context: vscode.InlineCompletionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlineCompletionItem[] | undefined> {
    const isExplicit = context.triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
    if (!this.#isPossible(document, context, isExplicit)) return undefined;
    const along = this.#shown.along(document, position);
    if (along.length > 0 && !isExplicit) return along.map((each) => itemOf(each, document, position));
    if (!isExplicit && !this.#typing.isAt(document, position)) return undefined;
    const { settings } = this.#parts;
    const place = this.#surroundings.placeAt(document, position, settings.contextTokens);
    const urgency = isExplicit ? 'now' : urgencyAt(place, settings);
    const anchor = anchorAt(document, position);
    if (urgency === undefined) return undefined;
    this.#requests += 1;
    const number = this.#requests;
    if (!isExplicit && (this.#shown.isDismissed(anchor, Date.now()) || !(await this.#pause(urgency, token))))
      return undefined;
    const found = await this.#ask({ document, position, place, anchor, isExplicit, number }, token);
    const suggestions = [...along, ...found].filter(isFirst).slice(0, CHOICES);
    if (token.isCancellationRequested || suggestions.length === 0) return undefined;
    this.#shown.add(anchor, suggestions);
    await this.#parts.figures.shown();
    return suggestions.map((each) => itemOf(each, document, position));
  }

  /** The person has hidden what was shown. */
  dismiss(): void {
    this.#shown.dismiss(Date.now());
  }

  dispose(): void {
    this.#running?.abort.abort();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #see(event: vscode.TextDocumentChangeEvent): void {
    const { document, contentChanges, reason } = event;
    const [change, ...others] = contentChanges;
    if (change === undefined || !SCHEMES.has(document.uri.scheme)) return;
    this.#surroundings.edited(document);
    const isAccepted = reason === undefined && others.length === 0 && this.#shown.isAccepted(document, change);
    if (this.#typing.see(event, isAccepted)) this.#rhythm.key(performance.now());
    if (isAccepted) void this.#parts.figures.accepted();
  }

  #isPossible(document: vscode.TextDocument, context: vscode.InlineCompletionContext, isExplicit: boolean): boolean {
    const { settings, state } = this.#parts;
    if (!SCHEMES.has(document.uri.scheme) || !settings.isOnFor(document)) return false;
    const { status } = state;
    // A person who asks while suggestions rest wants one now.
    if (status !== 'on' && !(isExplicit && (status === 'failed' || status === 'snoozed'))) return false;
    const editor = vscode.window.activeTextEditor;
    const hasOneCursor = editor?.document !== document || (editor.selections.length === 1 && editor.selection.isEmpty);
    return hasOneCursor && context.selectedCompletionInfo === undefined;
  }

  /** Waits until the person pauses. Returns whether they did. */
  async #pause(urgency: Urgency, token: vscode.CancellationToken): Promise<boolean> {
    const { wait = waitFor } = this.#parts;
    await wait(this.#rhythm.waitFor(urgency, performance.now()), token);
    return !token.isCancellationRequested;
  }

  /** Takes the place of an earlier request before it waits for anything, and leaves it to a later one. */
  async #ask(asking: SuggestionRequest, token: vscode.CancellationToken): Promise<readonly InlineSuggestion[]> {
    const { number } = asking;
    if (this.#running !== undefined && this.#running.number > number) return [];
    this.#running?.abort.abort();
    const abort = new AbortController();
    const running: RunningRequest = { number, abort };
    this.#running = running;
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      return await this.#answersTo(asking, abort.signal);
    } finally {
      subscription.dispose();
      if (this.#running === running) this.#parts.state.isAsking = false;
    }
  }

  async #answersTo(asking: SuggestionRequest, signal: AbortSignal): Promise<readonly InlineSuggestion[]> {
    const { services, settings, figures, state } = this.#parts;
    const { document, position, place, isExplicit } = asking;
    const { model } = this;
    if (model === undefined || (model.kind === 'chat' && services.connection.open === undefined)) return [];
    await figures.refresh();
    if (state.status === 'capped' || !(await this.#surroundings.mayShare(document))) return [];
    const hole = await this.#surroundings.holeAt(document, position, place, settings.contextTokens);
    if (hole === undefined || signal.aborted) return [];
    const isOfSandbox = model.kind === 'chat' && services.connection.open?.kind === 'sandbox';
    if (isOfSandbox && !(await sandboxSuggests(model, hole))) return [];
    this.#rhythm.request(performance.now());
    state.isAsking = true;
    try {
      return await this.#answers(model, hole, signal, isExplicit);
    } finally {
      this.#refreshBalance(model);
    }
  }

  async #answers(
    model: SuggestionModel,
    hole: Hole,
    signal: AbortSignal,
    isExplicit: boolean,
  ): Promise<readonly InlineSuggestion[]> {
    const count = isExplicit ? CHOICES : 1;
    const answers = await Promise.all(
      Array.from({ length: count }, () => this.#answer(model, hole, signal, isExplicit)),
    );
    return answers.filter((answer) => answer !== undefined);
  }

  /** Reads an answer until a whole suggestion has arrived, or the time is over. */
  async #answer(
    model: SuggestionModel,
    hole: Hole,
    canceled: AbortSignal,
    isExplicit: boolean,
  ): Promise<InlineSuggestion | undefined> {
    const { services, settings, figures, state } = this.#parts;
    const late = AbortSignal.timeout(isExplicit ? MAX_EXPLICIT_WAIT_MS : settings.maxWait);
    const reader = new SuggestionReader(hole.place, answerForm(model));
    const startedAt = performance.now();
    const ended = (outcome: Parameters<SuggestionFigures['ended']>[1]) =>
      figures.ended(performance.now() - startedAt, outcome);
    let isCut = false;
    try {
      for await (const part of askModel(services, model, hole, AbortSignal.any([canceled, late]))) {
        isCut ||= part.isCut === true;
        if (reader.push(part.text)) break;
      }
    } catch (error) {
      if (canceled.aborted) {
        ended('canceled');
        return undefined;
      }
      if (!late.aborted) {
        ended('failed');
        this.#fail(error, isExplicit);
        return undefined;
      }
      isCut = true;
    }
    state.succeeded();
    const suggestion = reader.end(isCut);
    ended(suggestion !== undefined ? 'shown' : late.aborted ? 'late' : 'nothing');
    return suggestion;
  }

  #fail(error: unknown, isExplicit: boolean): void {
    const { state, services } = this.#parts;
    services.log.warn('An inline suggestion failed', error);
    state.failed(error);
    if (isExplicit && state.problem !== undefined) void vscode.window.showErrorMessage(state.problem);
  }

  #refreshBalance({ kind }: SuggestionModel): void {
    const now = Date.now();
    if (kind !== 'chat' || now - this.#balanceReadAt < BALANCE_MS) return;
    this.#balanceReadAt = now;
    void this.#parts.services.balance.refreshAfterCharge();
  }
}

function waitFor(ms: number, token: vscode.CancellationToken): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    token.onCancellationRequested(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function itemOf(
  { text, replaced }: InlineSuggestion,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.InlineCompletionItem {
  const inDocument = document.eol === vscode.EndOfLine.CRLF ? text.replaceAll('\n', '\r\n') : text;
  const range = new vscode.Range(position, position.translate(0, replaced));
  return new vscode.InlineCompletionItem(inDocument, range);
}

function isFirst({ text }: InlineSuggestion, index: number, all: readonly InlineSuggestion[]): boolean {
  return all.findIndex((other) => other.text === text) === index;
}
