import { CallUsage } from '../../calls/callUsage.ts';
import type { ChatCall } from '../../calls/chatCall.ts';
import { wireFormats } from '../../formats/index.ts';
import { workBranch } from '../git/workBranch.ts';
import type { Settings } from '../settings/settings.ts';
import { CallWatch } from './callWatch.ts';
import { type RoutedClient, type RouteServices, routedClient } from './routedClient.ts';

/** Returns the watch of a call that is about to be sent, for the branch that the workspace has now. */
export function watchCall(call: ChatCall, settings: Settings): CallWatch {
  return new CallWatch(call, workBranch(settings));
}

/** Returns a call whose model is a route as one that the router in the worker answers, which has attempts of its own. */
export async function routedCall(
  call: ChatCall,
  routing: RouteServices,
): Promise<ChatCall & Pick<RoutedClient, 'priced'>> {
  const { request, usage = CallUsage.of(request), options } = call;
  const routed = await routedClient(routing, request.model, usage);
  return { ...call, usage, ...routed, options: { ...options, retries: 0 } };
}

/** Returns the body of a call, to be measured. */
export function bodyOf({ format, request }: Pick<ChatCall, 'format' | 'request'>): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(wireFormats[format].encodeRequest(request)));
}
