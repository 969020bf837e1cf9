import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';

/** As the editor names it: the extension's id and that of the manifest. */
export const WALKTHROUGH = 'model-access.model-access#modelAccess.firstSteps';
/** A step of the manifest that is never shown, so that taking its tick away changes nothing. */
const HIDDEN_STEP = `${WALKTHROUGH}#read`;

/** The editor itself waits five seconds at most for the word of an experiment before it takes a walkthrough in. */
const MAX_READING_MS = 8000;
const PAUSE_MS = 50;

/**
 * Has the editor read the walkthroughs, and waits until it has ours. It reads them when one is first wanted, and then
 * only those of the extensions that came last: those that were there before another one came are lost to the window. So
 * this is to be asked early, and again when it matters. Nothing tells when they are read; but a command on a step is
 * refused as long as the step is not known.
 *
 * @returns false when the editor does not have ours.
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
