import type { ChatCall } from '../../calls/chatCall.ts';
import { workBranch } from '../git/workBranch.ts';
import type { Settings } from '../settings/settings.ts';
import { CallWatch } from './callWatch.ts';

/** Returns the watch of a call that is about to be sent, for the branch that the workspace has now. */
export function watchCall(call: ChatCall, settings: Settings): CallWatch {
  return new CallWatch(call, workBranch(settings));
}
