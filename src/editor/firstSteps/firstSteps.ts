import * as vscode from 'vscode';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import type { BaseServices } from '../baseServices.ts';
import type { ToolConnections } from '../tools/toolConnections.ts';
import { walkthroughIsRead } from './walkthrough.ts';

const STATE_KEY = 'modelAccess.firstSteps';

/** Steps of the walkthrough that neither a command nor the connection completes, named by their context keys. */
const STEPS = ['hasAsked', 'hasUsedAgent', 'hasUsedSuggestions', 'hasConnectedTool', 'hasUsedNativeChat'] as const;
type WalkthroughStep = (typeof STEPS)[number];

/** A context key that is set briefly while the steps are shown. */
const SHOWN = 'modelAccess.stepsShown';

export interface FirstStepServices extends Pick<BaseServices, 'calls'> {
  readonly toolConnections: ToolConnections;
}

/**
 * Remembers what the user has done, so that the walkthrough checks it off. The editor does not check off steps whose
 * context key was set before it read the walkthrough, so each step also waits for another context key, which is set
 * while the steps are shown.
 */
export class FirstSteps implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #subscriptions: vscode.Disposable[];
  #done: ReadonlySet<WalkthroughStep>;

  constructor(memory: vscode.Memento, { calls, toolConnections }: FirstStepServices) {
    this.#memory = memory;
    this.#done = new Set(memory.get<WalkthroughStep[]>(STATE_KEY, []));
    for (const step of this.#done) tick(step);
    void walkthroughIsRead();
    this.#subscriptions = [
      calls.onDidRecord((entry) => this.#take(stepOf(entry))),
      toolConnections.onDidChange(() => {
        if (toolConnections.all.length > 0) this.#take('hasConnectedTool');
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
        if (opened.some(mayBeWalkthrough)) void tickWhatIsTrue();
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #take(step: WalkthroughStep): void {
    if (this.#done.has(step)) return;
    this.#done = new Set([...this.#done, step]);
    tick(step);
    void this.#memory.update(STATE_KEY, [...this.#done]);
  }
}

function stepOf({ source, step }: LedgerEntry): WalkthroughStep {
  if (source === 'nativeChat') return 'hasUsedNativeChat';
  if (source === 'inlineSuggestion') return 'hasUsedSuggestions';
  return step === undefined ? 'hasAsked' : 'hasUsedAgent';
}

/** The API has no class for walkthrough tabs, nor for some others. */
function mayBeWalkthrough({ input }: vscode.Tab): boolean {
  return input === undefined;
}

async function tickWhatIsTrue(): Promise<void> {
  await walkthroughIsRead();
  setContext(SHOWN, true);
  setContext(SHOWN, false);
}

function tick(step: WalkthroughStep): void {
  setContext(`modelAccess.${step}`, true);
}

function setContext(name: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', name, value);
}
