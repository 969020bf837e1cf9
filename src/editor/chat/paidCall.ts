import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { CallUsage } from '../../calls/callUsage.ts';
import type { ChatCall } from '../../calls/chatCall.ts';
import { defined } from '../../formats/json.ts';
import type { SpentMoney } from '../../pages/chat/spentMoney.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { BaseServices } from '../baseServices.ts';

export type PaidCallServices = Pick<BaseServices, 'balance' | 'calls' | 'connection' | 'models' | 'settings'>;

export interface PaidCall extends Pick<ChatCall, 'request' | 'source' | 'conversationId' | 'turnId'> {
  readonly signal: AbortSignal;
  /** Receives the whole answer so far, whenever more of it has arrived. */
  readonly onText?: (text: string) => void;
}

/** An answer that proposes changes, and what it has cost. */
export interface PaidAnswer extends SpentMoney {
  readonly id: string;
}

export interface PaidText extends PaidAnswer {
  readonly text: string;
  /** Whether the answer has ended at its limit. */
  readonly isCut: boolean;
}

/**
 * Sends a request that belongs to no conversation's answers, and reads its answer to the end, because the usage comes
 * last.
 * @throws {ServiceError} for a failure at any time.
 */
export async function askOnce(services: PaidCallServices, call: PaidCall): Promise<PaidText> {
  const { calls, connection, settings, balance, models } = services;
  const { signal, onText, ...asked } = call;
  const { open } = connection;
  if (open === undefined) throw new Error(l10n.t('Model Access has no service key. Set one or use the sandbox.'));
  const usage = CallUsage.of(asked.request);
  const id = randomUUID();
  const sent = { ...asked, id, usage, connection: open, format: settings.chatFormat, options: { signal } };
  let text = '';
  let isCut = false;
  try {
    for await (const event of calls.chat(sent)) {
      if (event.type === 'error') throw new ServiceError(event.error);
      if (event.type === 'finish') isCut = event.reason === 'length';
      if (event.type !== 'textDelta') continue;
      text += event.text;
      onText?.(text);
    }
    const isSample = open.kind === 'sandbox' || undefined;
    const prices = usage.pricesOf(models.find(asked.request.model), (model) => models.find(model));
    return { id, text, isCut, ...defined({ cost: usage.costAt(prices), isSample }) };
  } finally {
    void balance.refreshAfterCharge();
  }
}
