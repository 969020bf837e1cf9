import * as vscode from 'vscode';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { ToolConnections } from '../tools/toolConnections.ts';

const STATE_KEY = 'modelAccess.firstSteps';

/** Steps of the walkthrough that no command and no connection tells of, by the contexts that complete them. */
const STEPS = ['hasAsked', 'hasConnectedTool', 'hasUsedNativeChat'] as const;
type Step = (typeof STEPS)[number];

export interface FirstStepServices {
  readonly calls: CallRecorder;
  readonly toolConnections: ToolConnections;
}

/** Remembers what a person has done for the first time, so that the walkthrough ticks it off. */
export class FirstSteps implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #subscriptions: vscode.Disposable[];
  #done: ReadonlySet<Step>;

  constructor(memory: vscode.Memento, { calls, toolConnections }: FirstStepServices) {
    this.#memory = memory;
    this.#done = new Set(memory.get<Step[]>(STATE_KEY, []));
    for (const step of this.#done) tick(step);
    this.#subscriptions = [
      calls.onDidRecord(({ source }) => this.#take(source === 'nativeChat' ? 'hasUsedNativeChat' : 'hasAsked')),
      toolConnections.onDidChange(() => {
        if (toolConnections.all.length > 0) this.#take('hasConnectedTool');
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

function tick(step: Step): void {
  void vscode.commands.executeCommand('setContext', `modelAccess.${step}`, true);
}
