/** Parts that a request must not lose, because without them it would be a different request. */
import type { ApiError } from '../../formats/apiError.ts';
import { CONTINUED_THREAD, LOST_THREAD } from '../../formats/messages/index.ts';

const ESSENTIAL: Readonly<Record<string, string>> = {
  conversation: 'a conversation that is stored elsewhere',
  prompt: 'a prompt that is stored elsewhere',
  background: 'an answer in the background',
  item_reference: 'an item of an earlier answer that is no longer known here',
  input_audio: 'sound',
  audio: 'sound',
};

/** Returns the refusal of a request that would lose one of these parts. `names` as in {@link ChatRequest.dropped}. */
export function refusalOfEssentials(names: readonly string[]): ApiError | undefined {
  if (names.includes(CONTINUED_THREAD)) return LOST_THREAD;
  const name = names.find((each) => Object.hasOwn(ESSENTIAL, each));
  if (name === undefined) return undefined;
  const what = ESSENTIAL[name];
  return {
    kind: 'invalidRequest',
    status: 400,
    code: 'unsupported_parameter',
    param: name,
    message: `The request needs "${name}", ${what}, which the upstream of this model does not support. Send the request without it or to another model.`,
  };
}
