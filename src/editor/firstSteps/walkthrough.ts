import { setTimeout as delay } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** The editor's ID of the walkthrough: the extension's ID and the ID in the manifest. */
const WALKTHROUGH = 'model-access.model-access#modelAccess.firstSteps';
/** A step of the manifest that is never shown, so that marking it incomplete has no effect. */
const HIDDEN_STEP = `${WALKTHROUGH}#read`;

/** Above the five seconds that the editor may wait for an experiment before it loads a walkthrough. */
const MAX_READING_MS = 8000;
const PAUSE_MS = 50;

/**
 * Makes the editor load the walkthroughs, and waits for ours. The editor loads them when one is first requested, and
 * then only those of the extensions that were registered last: those from before are missing in the window. So this is
 * called early, and again when it matters. No event reports that they are loaded, but a command on an unknown step is
 * rejected.
 * @returns false if the editor does not have ours.
 */
export async function walkthroughIsRead(): Promise<boolean> {
  const deadline = Date.now() + MAX_READING_MS;
  while (!(await knowsStep())) {
    if (Date.now() > deadline) return false;
    await delay(PAUSE_MS);
  }
  return true;
}

async function knowsStep(): Promise<boolean> {
  try {
    await vscode.commands.executeCommand('welcome.markStepIncomplete', HIDDEN_STEP);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens the walkthrough in its tab if the editor has loaded it. Otherwise, a new profile would show one of the editor's
 * own walkthroughs, and keep showing it.
 */
export async function openFirstSteps(): Promise<void> {
  const isRead = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window }, walkthroughIsRead);
  if (isRead) await vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH);
  else await offerReload();
}

async function offerReload(): Promise<void> {
  const reload = l10n.t('Reload Window');
  const text = l10n.t('The Get Started walkthrough is not loaded in this window yet. Reload the window to load it.');
  if ((await vscode.window.showWarningMessage(text, reload)) !== reload) return;
  await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
