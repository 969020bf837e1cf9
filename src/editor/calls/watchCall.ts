import type { ChatCall } from '../../calls/chatCall.ts';
import { wireFormats } from '../../formats/index.ts';
import { workBranch } from '../git/workBranch.ts';
import type { Settings } from '../settings/settings.ts';
import { CallWatch } from './callWatch.ts';

/** Returns the watch of a call that is about to be sent, for the branch that the workspace has now. */
export function watchCall(call: ChatCall, settings: Settings): CallWatch {
  return new CallWatch(call, workBranch(settings));
}

/** Returns the body of a call, to be measured. */
export function bodyOf({ format, request }: Pick<ChatCall, 'format' | 'request'>): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(wireFormats[format].encodeRequest(request)));
}
