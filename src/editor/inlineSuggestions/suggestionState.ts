import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { Settings } from '../settings/settings.ts';
import type { SuggestionSettings } from '../settings/suggestionSettings.ts';
import type { SuggestionFigures } from './suggestionFigures.ts';

/** Why no suggestions are asked for on their own; `on` if they are. */
export type SuggestionStatus = 'on' | 'off' | 'snoozed' | 'capped' | 'untrusted' | 'disconnected' | 'failed';

const HOUR_MS = 60 * 60_000;
/** The pause after a failed request, in milliseconds, unless the service names another one. */
const AFTER_FAILURE_MS = 30_000;

/** Whether suggestions may be asked for now. */
export class SuggestionState implements vscode.Disposable {
  readonly #settings: Settings;
  readonly #own: SuggestionSettings;
  readonly #figures: SuggestionFigures;
  readonly #isConnected: () => boolean;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #snoozedUntil = 0;
  #failure: { readonly until: number; readonly problem: string } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;

  readonly onDidChange = this.#changed.event;

  constructor(settings: Settings, own: SuggestionSettings, figures: SuggestionFigures, isConnected: () => boolean) {
    this.#settings = settings;
    this.#own = own;
    this.#figures = figures;
    this.#isConnected = isConnected;
    this.#subscriptions = [
      figures.onDidChange(() => this.#changed.fire()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()),
    ];
  }

  get status(): SuggestionStatus {
    const now = Date.now();
    if (!this.#settings.suggestsInline) return 'off';
    if (!vscode.workspace.isTrusted) return 'untrusted';
    if (!this.#isConnected()) return 'disconnected';
    if (now < this.#snoozedUntil) return 'snoozed';
    const { dailyCap } = this.#own;
    if (dailyCap > 0 && this.#figures.cost >= dailyCap) return 'capped';
    return this.#failure !== undefined && now < this.#failure.until ? 'failed' : 'on';
  }

  /** Why the last request failed; undefined if it did not. */
  get problem(): string | undefined {
    return this.#failure?.problem;
  }

  /** In milliseconds since the epoch. */
  get snoozedUntil(): number {
    return this.#snoozedUntil;
  }

  get isAsking(): boolean {
    return this.#isAsking;
  }

  set isAsking(isAsking: boolean) {
    if (isAsking === this.#isAsking) return;
    this.#isAsking = isAsking;
    this.#changed.fire();
  }

  snooze(): void {
    this.#snoozedUntil = Date.now() + HOUR_MS;
    this.#fireIn(HOUR_MS);
  }

  /** Ends a snooze, and the pause after a failure. */
  resume(): void {
    this.#snoozedUntil = 0;
    this.#failure = undefined;
    this.#fireIn(0);
  }

  failed(error: unknown): void {
    const wait = error instanceof ServiceError ? (error.retryAfterMs ?? AFTER_FAILURE_MS) : AFTER_FAILURE_MS;
    this.#failure = { until: Date.now() + wait, problem: errorText(error) };
    this.#fireIn(wait);
  }

  succeeded(): void {
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#changed.fire();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  /** Fires now, and when the state ends by itself. */
  #fireIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#changed.fire();
    if (ms > 0) this.#timer = setTimeout(() => this.#changed.fire(), ms + 1);
  }
}
