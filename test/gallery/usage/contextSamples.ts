import type { ContextLine } from '../../../src/pages/usage/protocol.ts';

const CLIENT = { client: 'claude-cli', requests: 640 };

export const CONTEXTS_OF_MONTH: readonly ContextLine[] = [
  { ...CLIENT, kind: 'results', server: '', name: 'Bash', tokens: 9_400_000, cost: 6.1, calls: 410 },
  {
    ...CLIENT,
    kind: 'tools',
    server: 'github',
    name: 'mcp__github__create_issue',
    tokens: 3_100_000,
    cost: 1.9,
    calls: 2,
  },
  {
    ...CLIENT,
    kind: 'tools',
    server: 'github',
    name: 'mcp__github__search_code',
    tokens: 2_000_000,
    cost: 1.2,
    calls: 0,
  },
  { ...CLIENT, kind: 'tools', server: '', name: 'Bash', tokens: 900_000, cost: 0.52, calls: 410 },
  { ...CLIENT, kind: 'system', server: '', name: '', tokens: 2_400_000, cost: 1.3, calls: 0 },
  { client: 'codex_exec', requests: 90, kind: 'system', server: '', name: '', tokens: 400_000, cost: 0.2, calls: 0 },
];
