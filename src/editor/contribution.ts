import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from './log/log.ts';

/** One feature that a person can see. It takes what it needs in its constructor and owns all that it registers. */
export type Contribution = vscode.Disposable;

export interface ContributionEntry {
  /** As a person would name the feature, for the message when it fails. */
  readonly name: string;
  readonly start: () => Contribution;
}

/** Starts one contribution after the other; one that fails is logged and shown, the others live on. */
export function startContributions(entries: readonly ContributionEntry[], log: Log): vscode.Disposable {
  const started = entries.flatMap((entry) => startOne(entry, log));
  return vscode.Disposable.from(...started.reverse());
}

function startOne({ name, start }: ContributionEntry, log: Log): Contribution[] {
  try {
    return [start()];
  } catch (error) {
    log.error(`Could not start: ${name}`, error);
    void vscode.window.showErrorMessage(
      l10n.t('Model Access could not start “{0}”. Everything else works. See the log for details.', name),
    );
    return [];
  }
}
