import type { ChatEvent } from '../../formats/conversation.ts';
import type { LedgerEntry } from '../../gateway/core/ledgerEntry.ts';
import { streamChat } from '../../service/chat.ts';
import { type Prices, pricesOf } from '../../service/modelPrices.ts';
import { CallWatch } from './callWatch.ts';
import type { ChatCall } from './chatCall.ts';

/**
 * {@link streamChat}, with an entry for the ledger when it is over: also when it failed, or when whoever reads stops.
 * @param prices of the model as they are now; the entry keeps them.
 */
export async function* recordedChat(
  call: ChatCall,
  prices: () => Prices | undefined,
  record: (entry: LedgerEntry) => void,
  watch = new CallWatch(call),
): AsyncGenerator<ChatEvent, void, undefined> {
  try {
    for await (const event of streamChat(call.client, call.format, call.request, watch.options(call.options))) {
      watch.see(event);
      yield event;
    }
    watch.end();
  } catch (error) {
    watch.fail(error);
    throw error;
  } finally {
    watch.close();
    const known = prices();
    record({ ...watch.entry(), ...(known !== undefined && { prices: pricesOf(known) }) });
  }
}
