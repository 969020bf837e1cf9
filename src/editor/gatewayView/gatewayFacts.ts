import { defined } from '../../formats/json.ts';
import type { QueueState } from '../../gateway/core/keyLimits.ts';
import type { IssuedKey, KeyDetails } from '../../gateway/keys/issuedKey.ts';
import type { KeySpend } from '../../ledger/keySpend.ts';
import { toolName } from '../../tools/toolList.ts';
import type { BaseServices } from '../baseServices.ts';
import type { GatewayPresence } from '../gateway/gatewayPresence.ts';
import type { KeySpending } from '../localKeys/keySpending.ts';
import { isStale, type ToolConnection, type ToolConnections } from '../tools/toolConnections.ts';
import { readOpenSessions } from './cappedSessions.ts';
import type { GatewayFacts, ToolFacts } from './gatewayRows.ts';

export interface GatewayViewServices
  extends Pick<BaseServices, 'gateway' | 'ledger' | 'localKeys' | 'log' | 'settings' | 'worker'> {
  readonly presence: GatewayPresence;
  readonly spending: KeySpending;
  readonly toolConnections: ToolConnections;
}

/** What the view itself knows of the running gateway. */
export interface ViewFacts extends Pick<GatewayFacts, 'listening' | 'exchanges' | 'moves'> {
  readonly readSpend: (keys: readonly IssuedKey[]) => Promise<readonly KeySpend[]>;
}

/** The facts, and the milliseconds until one of them decreases without an event. */
export interface ReadFacts {
  readonly facts: GatewayFacts;
  readonly decreasesIn: number | undefined;
}

/** Reads what the rows of a running gateway show. What cannot be read is missing, and the reason is logged. */
export async function readFacts(known: ViewFacts, services: GatewayViewServices): Promise<ReadFacts> {
  const { presence, toolConnections } = services;
  const { listening, exchanges, moves, readSpend } = known;
  const keys = await readKeys(services);
  const [spend, queues, sessions] = await Promise.all([
    readSpend(keys ?? []),
    readQueues(keys ?? [], services),
    readOpenSessions(keys ?? [], services, Date.now()),
  ]);
  const { since } = presence;
  const tools = toolFacts(toolConnections.all, keys ?? [], listening.address);
  const facts = {
    ...{ listening, exchanges, moves, spend, sessions, tools },
    ...defined({ since, keys, queues }),
  };
  return { facts, decreasesIn: nextDecrease(queues) };
}

export async function readKeys({ localKeys, log }: GatewayViewServices): Promise<readonly IssuedKey[] | undefined> {
  try {
    return (await localKeys.read()).keys;
  } catch (error) {
    log.warn('The local keys could not be read', error);
    return undefined;
  }
}

/** @param address The address of the running gateway. Undefined while it is off. */
export function toolFacts(
  connections: readonly ToolConnection[],
  keys: readonly KeyDetails[],
  address?: string,
): ToolFacts[] {
  return connections.map((connection) => {
    const key = keys.find(({ id }) => id === connection.key);
    return {
      id: connection.tool,
      name: toolName(connection.tool),
      keyId: connection.key,
      ...(key !== undefined && { key: key.name }),
      ...(connection.access !== undefined &&
        address !== undefined &&
        isStale(connection, address) && { staleAddress: connection.access.address }),
    };
  });
}

/** Reads the queues of keys with limits. Undefined if no key has limits, or they cannot be read. */
export async function readQueues(
  keys: readonly IssuedKey[],
  { worker, log }: Pick<BaseServices, 'log' | 'worker'>,
): Promise<readonly QueueState[] | undefined> {
  if (keys.every(({ limits }) => limits === undefined)) return undefined;
  try {
    return await worker.rpc.askTraffic({ kind: 'queues' });
  } catch (error) {
    log.warn('The queues of local keys could not be read', error);
    return undefined;
  }
}

/** Returns the milliseconds until a figure of the last minute decreases, which no event reports. */
export function nextDecrease(queues: readonly QueueState[] = []): number | undefined {
  const waits = queues.flatMap(({ frees }) => frees?.inMs ?? []);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
