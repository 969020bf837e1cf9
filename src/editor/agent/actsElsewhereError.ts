import * as l10n from '@vscode/l10n';

/** Another window works on the chat. */
export class ActsElsewhereError extends Error {
  /** The run that it works on, if it is known. */
  readonly run: string | undefined;

  constructor(run?: string) {
    super(l10n.t('The agent is working on this chat in another window.'));
    this.run = run;
  }
}
