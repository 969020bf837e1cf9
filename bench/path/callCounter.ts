/**
 * Loaded before the gateway in its process: counts the calls of the project's own functions. Replies to each message
 * with the counts since the last one.
 */
import { type Profiler, Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';

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

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', () => {
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error;
    process.send?.(coverage.result.filter(({ url }) => url.startsWith(SOURCES)).flatMap(calledIn));
  });
});
// The gateway ends although the channel is open.
process.channel?.unref();

/** The function that spans a whole script is its module, which no request calls. */
function calledIn({ url, functions }: Profiler.ScriptCoverage): CalledFunction[] {
  const file = fileURLToPath(url).slice(fileURLToPath(ROOT).length).replaceAll('\\', '/');
  return functions.flatMap(({ functionName, ranges: [range] }) => {
    if (range === undefined || range.count === 0 || range.startOffset === 0) return [];
    return [{ file, name: functionName, at: range.startOffset, calls: range.count }];
  });
}
