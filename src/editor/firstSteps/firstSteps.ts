import * as vscode from 'vscode';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { ToolConnections } from '../tools/toolConnections.ts';
import { walkthroughIsRead } from './walkthrough.ts';

const STATE_KEY = 'modelAccess.firstSteps';

/** Steps of the walkthrough that no command and no connection tells of, by the contexts that complete them. */
const STEPS = ['hasAsked', 'hasConnectedTool', 'hasUsedNativeChat'] as const;
type Step = (typeof STEPS)[number];

/** True for a moment while the steps are looked at. */
const SHOWN = 'modelAccess.stepsShown';

export interface FirstStepServices {
  readonly calls: CallRecorder;
  readonly toolConnections: ToolConnections;
}

/**
 * Remembers what a person has done for the first time, so that the walkthrough ticks it off. The editor ticks nothing
 * off for what is true when it reads a walkthrough: so each step waits for another context too, which becomes true while
 * the steps are looked at.
 */
export class FirstSteps implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #subscriptions: vscode.Disposable[];
  #done: ReadonlySet<Step>;

  constructor(memory: vscode.Memento, { calls, toolConnections }: FirstStepServices) {
    this.#memory = memory;
    this.#done = new Set(memory.get<Step[]>(STATE_KEY, []));
    for (const step of this.#done) tick(step);
    void walkthroughIsRead();
    this.#subscriptions = [
      calls.onDidRecord(({ source }) => this.#take(source === 'nativeChat' ? 'hasUsedNativeChat' : 'hasAsked')),
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

  #take(step: Step): void {
    if (this.#done.has(step)) return;
    this.#done = new Set([...this.#done, step]);
    tick(step);
    void this.#memory.update(STATE_KEY, [...this.#done]);
  }
}

/** The API has no class for the page of walkthroughs, nor for some others. */
function mayBeWalkthrough({ input }: vscode.Tab): boolean {
  return input === undefined;
}

async function tickWhatIsTrue(): Promise<void> {
  await walkthroughIsRead();
  setContext(SHOWN, true);
  setContext(SHOWN, false);
}

function tick(step: Step): void {
  setContext(`modelAccess.${step}`, true);
}

function setContext(name: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', name, value);
}
