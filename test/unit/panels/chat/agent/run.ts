/** A small run for the tests of the panel. */
import type { RunView } from '../../../../../src/pages/chat/protocol.ts';

export function runView(rest: Partial<RunView> = {}): RunView {
  return {
    id: 'q',
    state: 'running',
    step: 1,
    maxSteps: 50,
    startedAt: 0,
    activeMs: 0,
    cap: 1,
    stepCap: 0,
    summaryModel: '',
    plan: [],
    changes: { files: 0, added: 0, removed: 0 },
    ...rest,
  };
}
