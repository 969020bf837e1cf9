import assert from 'node:assert/strict';
import { isLongGantt } from '../../../../../src/panels/chat/markdown/diagram/ganttDays.ts';

describe('a Gantt chart', () => {
  const chart = (duration: string, tasks: number) =>
    `gantt\n  excludes weekends\n  section One\n${`  Build :a, 2026-01-01, ${duration}\n`.repeat(tasks)}`;

  it('takes long if days are excluded from many or long tasks', () => {
    assert.ok(isLongGantt(chart('9999d', 1)));
    assert.ok(isLongGantt(chart('90d', 60)));
    assert.ok(isLongGantt(chart('1000w', 1)));
    assert.ok(isLongGantt(chart('20y', 1)));
    assert.ok(isLongGantt(`---\nconfig: {}\n---\n${chart('200M', 1)}`.replace('excludes', 'EXCLUDES')));
  });

  it('takes no time with the durations of a plan, or without excluded days', () => {
    assert.ok(!isLongGantt(chart('10d', 100)));
    assert.ok(!isLongGantt(chart('36h', 300)));
    assert.ok(!isLongGantt(chart('9999d', 100).replace('excludes', '%%')));
    assert.ok(!isLongGantt('flowchart LR\n  A[excludes 99999d] --> B'));
  });
});
