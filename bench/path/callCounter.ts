/**
 * Loaded before the gateway in its process: counts the calls of the project's own functions. Replies to each message
 * with the counts since the last one.
 */
import { subscribe } from 'node:diagnostics_channel';
import { type Profiler, Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

export interface CalledFunction {
  /** Path below the root of the project, with `/`. */
  readonly file: string;
  readonly name: string;
  /** Position in the file, which tells apart functions of one name. */
  readonly at: number;
  readonly calls: number;
}

const SOURCES = new URL('../../src/', import.meta.url).href;
const ROOT = new URL('../../', import.meta.url).href;

/** What was called until answers had ended, and what was called later. */
export interface TakenCalls {
  readonly path: readonly CalledFunction[];
  readonly later: readonly CalledFunction[];
}

const session = new Session();
// Threads load this, too. What they call delays no exchange.
if (isMainThread) {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const path: CalledFunction[] = [];
  subscribe('http.server.response.finish', () => take((calls) => path.push(...calls)));
  process.on('message', () => take((later) => process.send?.({ path: path.splice(0), later } satisfies TakenCalls)));
}
// The gateway ends although the channel is open.
process.channel?.unref();

/** Calls back at once. */
function take(onTaken: (calls: CalledFunction[]) => void): void {
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error;
    onTaken(coverage.result.filter(({ url }) => url.startsWith(SOURCES)).flatMap(calledIn));
  });
}

/** The function that spans a whole script is its module, which no request calls. */
function calledIn({ url, functions }: Profiler.ScriptCoverage): CalledFunction[] {
  const file = fileURLToPath(url).slice(fileURLToPath(ROOT).length).replaceAll('\\', '/');
  return functions.flatMap(({ functionName, ranges: [range] }) => {
    if (range === undefined || range.count === 0 || range.startOffset === 0) return [];
    return [{ file, name: functionName, at: range.startOffset, calls: range.count }];
  });
}
