import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from './log/log.ts';

/** A user-visible feature. Its constructor receives its dependencies; it disposes everything that it registers. */
export type Contribution = vscode.Disposable;

export interface ContributionEntry {
  /** The feature's name as a user knows it, for the message shown when it fails to start. */
  readonly name: string;
  readonly start: () => Contribution;
}

/** Starts the contributions in order. A failure is logged and shown, and does not keep the others from starting. */
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
