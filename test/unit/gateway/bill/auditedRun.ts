import assert from 'node:assert/strict';
import { join } from 'node:path';
import { offersOf, type Upstream } from '../../../../src/gateway/core/upstream.ts';
import { TokenCounter } from '../../../../src/gateway/counting/tokenCounter.ts';
import { Bookkeeper } from '../../../../src/gateway/exchanges/bookkeeper.ts';
import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import type { RouteList } from '../../../../src/gateway/routing/routes/routeEntry.ts';
import { type UpstreamSettings, Upstreams } from '../../../../src/gateway/routing/upstreams.ts';
import { startGateway } from '../support/gateway.ts';
import { ask, type Planned, type Row, rowsOf } from './audit.ts';

/** Many wait for a service that needs time. */
const AT_ONCE = 48;
/** What a budget does not cover is refused after this time, which no test is about. */
const MAX_WAIT_MS = 500;
/** Counts for all runs. It learns nothing in them, and starting its thread takes longer than many of them. */
const counter = new TokenCounter();
export const KEY = 'key_audited-for-the-tests';

type RoutedSettings = Extract<UpstreamSettings, { readonly kind: 'routed' }>;

export interface AuditedOptions {
  readonly planned: readonly Planned[];
  readonly upstreams: RoutedSettings['upstreams'];
  readonly routes?: RouteList;
  /** Folder for the ledger. */
  readonly folder: string;
  /** Budget of the key, in US dollars. */
  readonly budget?: number;
  /** The number of requests that end before the others are sent, so that the speed of the model is known. */
  readonly known?: number;
}

export interface AuditedRun {
  readonly rows: ReadonlyMap<number, Row>;
  readonly statuses: ReadonlyMap<number, number | undefined>;
}

/** Call in `after`. */
export function closeCounter(): Promise<void> {
  return counter.close();
}

/** Sends the requests through a gateway, many concurrently, and reads its ledger when all have ended. */
export async function runAudited({
  planned,
  upstreams,
  routes,
  folder,
  budget,
  known = 0,
}: AuditedOptions): Promise<AuditedRun> {
  const opened = new Upstreams();
  const upstream: Upstream = await opened.open({ kind: 'routed', upstreams, ...(routes !== undefined && { routes }) });
  const ledger = join(folder, 'ledger.sqlite');
  const problems: string[] = [];
  const books = new Bookkeeper({ ledger, onProblem: (problem) => problems.push(problem), maxWaitMs: MAX_WAIT_MS });
  const budgets = budget === undefined ? undefined : [{ amount: budget, unit: 'usd', period: 'total' } as const];
  const key: IssuedKey = { id: 'audited', name: 'audited', secret: KEY, createdAt: 0, ...(budgets && { budgets }) };
  const { port, gateway, errors } = await startGateway({
    upstream,
    books,
    localKeys: [key],
    estimator: counter,
  });
  // On a busy machine, the first requests would not wait long enough for the lists of prices.
  await books.listings(offersOf(upstream, 'billed'));
  const statuses = new Map<number, number | undefined>();
  const askAll = async (requests: readonly Planned[]) => {
    const waiting = [...requests];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        statuses.set(next.number, await ask(port, KEY, next));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };
  await askAll(planned.slice(0, known));
  await askAll(planned.slice(known));
  await gateway.close(2_000);
  await books.close();
  await upstream.close();
  await opened.close();
  assert.deepEqual([errors, problems], [[], []]);
  return { rows: rowsOf(ledger), statuses };
}
