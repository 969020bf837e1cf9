import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { BaseServices } from '../baseServices.ts';
import { type GitApi, whenGitStarted } from '../git/gitApi.ts';
import { type WorkBranch, windowBranch } from '../git/workBranch.ts';

export type BranchServices = Pick<BaseServices, 'gateway' | 'settings' | 'worker'>;

/**
 * Reports the window's repository and branch to the gateway, in whichever window that runs, after each change. A terminal
 * lives longer than a branch, so the gateway looks it up for each request.
 */
export class BranchReporter implements vscode.Disposable {
  readonly #mark: string;
  readonly #services: BranchServices;
  readonly #subscriptions: vscode.Disposable[];
  #ofRepositories: vscode.Disposable | undefined;
  #reported: WorkBranch | undefined;

  constructor(mark: string, services: BranchServices) {
    this.#mark = mark;
    this.#services = services;
    this.#subscriptions = [
      // A gateway that has just started knows nothing.
      services.gateway.onDidChange(() => this.#report()),
      services.settings.onDidChange(['usage.recordBranch'], () => this.#follow()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#follow()),
    ];
    this.#report();
  }

  /** Follows the repositories that the editor opens. Does nothing without the editor's Git extension. */
  async start(): Promise<void> {
    const git = await whenGitStarted();
    if (git === undefined) return;
    const watch = () => this.#watch(git);
    this.#subscriptions.push(git.onDidOpenRepository(watch), git.onDidCloseRepository(watch));
    watch();
  }

  dispose(): void {
    this.#ofRepositories?.dispose();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #watch({ repositories }: GitApi): void {
    this.#ofRepositories?.dispose();
    const follow = () => this.#follow();
    this.#ofRepositories = vscode.Disposable.from(...repositories.map(({ state }) => state.onDidChange(follow)));
    this.#follow();
  }

  /** Called after each command of Git, most of which change no branch. */
  #follow(): void {
    if (!isDeepStrictEqual(this.#current, this.#reported)) this.#report();
  }

  get #current(): WorkBranch | undefined {
    return this.#services.settings.recordsBranch ? windowBranch() : undefined;
  }

  #report(): void {
    const { gateway, worker } = this.#services;
    if (!gateway.isRunning) return;
    this.#reported = this.#current;
    worker.send({ type: 'reportBranch', mark: this.#mark, branch: this.#reported });
  }
}
