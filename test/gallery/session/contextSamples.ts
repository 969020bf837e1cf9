import type { ContextRow } from '../../../src/ledger/contextRow.ts';
import { contextOf } from '../../../src/ledger/sessionContext.ts';
import type { ContextState } from '../../../src/pages/session/context/protocol.ts';
import type { BilledPart, ContextPart } from '../../../src/rules/contextPart.ts';

const MINUTE_MS = 60_000;
/** Billionths of a US dollar for a token from the cache, and for one that is written to it. */
const [READ, WRITE] = [500, 6_250];
const FILES = [
  'src/store/orders.ts',
  'src/api/client.ts',
  'test/orders.test.ts',
  'src/pages/checkout.tsx',
  'README.md',
];

/** A session in which an agent reads files, runs tests, and compacts its context every hundred steps. */
class SampleContext {
  readonly #start: number;
  #rows: ContextRow[] = [];
  #results: BilledPart[] = [];
  #said = 0;
  #steps = 0;
  #summary = 0;

  constructor(start: number) {
    this.#start = start;
  }

  rows(count: number): readonly ContextRow[] {
    while (this.#rows.length < count) this.#step();
    return this.#rows;
  }

  #step(): void {
    this.#steps += 1;
    const step = this.#steps;
    const isCompacted = step % 100 === 0;
    if (isCompacted) [this.#results, this.#said, this.#summary] = [[], 0, 2_400];
    this.#said += 420;
    const place = step % FILES.length;
    const file = { kind: 'results', name: 'View', file: `file-${place}` } as const;
    if (step % 3 === 0) this.#results.push(part(file, 900 + 130 * (step % 7)));
    if (step === 12)
      this.#results.push(part({ kind: 'results', name: 'Bash', file: 'tests', item: 'log' }, 12_300, true));
    if (step === 20) this.#results.push(part({ ...file, isRepeated: true }, 1_900));
    const isMissed = step % 41 === 0;
    const parts = this.#parts(step, isMissed || isCompacted);
    this.#rows.push({
      id: String(step),
      sessionId: '4f1c09ae77d2b603',
      at: this.#start + step * MINUTE_MS,
      client: 'claude-cli',
      inputTokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
      scale: 1.04,
      parts,
      readPrice: READ,
      ...(isMissed && { miss: { reason: 'tools_changed', cost: 41_000_000 } }),
      ...(isCompacted && { miss: { reason: 'compacted', cost: 20_000_000 } }),
    });
  }

  #parts(step: number, isCold: boolean): readonly BilledPart[] {
    const calls = (name: string) => (name === 'View' && step % 3 === 0 ? 1 : name === 'Bash' && step === 12 ? 1 : 0);
    const tools = ['View', 'Bash', 'Edit'].map((name, index) => ({
      ...part({ kind: 'tools', name }, 900 + 300 * index),
      ...(calls(name) > 0 && { calls: calls(name) }),
    }));
    if (step === 5) tools.push({ ...part({ kind: 'tools', name: 'Edit' }, 0), calls: 1 });
    const servers = ['create_issue', 'list_issues', 'search_code', 'get_file', 'add_comment'].map((name) =>
      part({ kind: 'tools', name: `mcp__github__${name}`, server: 'github' }, 1_450),
    );
    const all = [
      ...tools,
      ...servers,
      part({ kind: 'system', name: '1' }, 3_100),
      part({ kind: 'instructions', name: 'CLAUDE.md' }, 1_800),
      part({ kind: 'messages' }, 700),
      ...(this.#summary > 0 ? [part({ kind: 'summaries' }, this.#summary)] : []),
      part({ kind: 'answers' }, this.#said),
      part({ kind: 'reasoning' }, Math.round(this.#said / 2)),
      part({ kind: 'calls', name: 'View' }, Math.round(this.#said / 3)),
      ...this.#results,
    ];
    return all.map((each) => ({ ...each, cost: each.tokens * (isCold ? WRITE : READ) }));
  }
}

function part(of: ContextPart, tokens: number, isUnused = false): BilledPart {
  return { ...of, tokens, ...(isUnused && { isUnused: true }) };
}

/** @param start of the session, in milliseconds since the epoch. */
export function sampleContext(steps: number, start: number): ContextState {
  const names = Object.fromEntries(FILES.map((name, index) => [`file-${index}`, name]));
  return {
    ...contextOf(new SampleContext(start).rows(steps)),
    sessionId: '4f1c09ae77d2b603',
    names: { ...names, tests: 'npm test' },
    switchOff: { github: 'claude mcp remove github' },
  };
}
