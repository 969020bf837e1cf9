import type * as vscode from 'vscode';
import type { ReviewPageMessage } from '../../../pages/agentReview/reviewMessages.ts';
import type { RestoreChoice, RestoreView } from '../../../pages/chat/protocol.ts';
import { Review, type Reviewable } from '../../chat/review/review.ts';
import type { ReviewTab } from '../../chat/review/reviewTab.ts';
import type { Log } from '../../log/log.ts';
import type { Checkpoint } from '../checkpoints.ts';
import { RunChanges } from './runChanges.ts';

/** What a run is found by after a reload of the window. */
export interface ReviewedRun {
  /** The ID of its chat. */
  readonly chat: string;
  readonly run: string;
}

/** A run whose changes are reviewed. */
export interface ReviewableRun extends Pick<Reviewable, 'title' | 'head' | 'decided'> {
  readonly checkpoint: Checkpoint;
  planRestore(): Promise<RestoreView>;
  restore(choice: RestoreChoice): Promise<void>;
}

export interface RunReviewServices {
  /** Returns undefined if the chat or the run no longer exists. */
  readonly find: (run: ReviewedRun) => Promise<ReviewableRun | undefined>;
  readonly log: Log;
}

const REVIEWED = 'modelAccess.reviewedRun';

/** The tab in which the changes of a run are accepted and discarded. */
export class RunReview implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #services: RunReviewServices;
  readonly #review: Review;
  /** The decisions of the runs, which can be undone until the window is closed. */
  readonly #changes = new WeakMap<Checkpoint, RunChanges>();

  /** @param memory the state of the workspace, which contains the run of a restored tab. */
  constructor(tab: ReviewTab, memory: vscode.Memento, services: RunReviewServices) {
    this.#memory = memory;
    this.#services = services;
    this.#review = new Review(tab, services.log, async () => {
      const place = memory.get<ReviewedRun>(REVIEWED);
      return place && this.#reviewableOf(place);
    });
  }

  async show(place: ReviewedRun): Promise<void> {
    const run = await this.#reviewableOf(place);
    if (run === undefined) return;
    await this.#memory.update(REVIEWED, place);
    await this.#review.show(run);
  }

  receive(message: ReviewPageMessage): Promise<void> {
    return this.#review.receive(message);
  }

  dispose(): void {
    this.#review.dispose();
  }

  async #reviewableOf(place: ReviewedRun): Promise<Reviewable | undefined> {
    const run = await this.#services.find(place);
    if (run === undefined) return undefined;
    const { checkpoint } = run;
    const changes = this.#changes.get(checkpoint) ?? new RunChanges(checkpoint);
    this.#changes.set(checkpoint, changes);
    return { ...run, changes, onDidChange: checkpoint.onDidChange };
  }
}
