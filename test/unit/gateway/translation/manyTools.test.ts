import assert from 'node:assert/strict';
import { FORMAT_NAMES } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { planTools } from '../../../../src/gateway/translation/toolPlan.ts';

describe('a tool choice of ten thousand names', () => {
  const names = Array.from({ length: 10_000 }, (_, nth) => `t${nth}`);
  const unknown = names.map((name) => `${name}x`);
  const hostedTools = unknown.map((type) => ({ format: 'messages' as const, type, definition: { name: type } }));

  for (const [what, chosen] of [
    ['of the tools', names],
    ['of nobody', unknown],
    ['of one tool', names.map(() => 't0')],
  ] as const) {
    for (const target of FORMAT_NAMES) {
      it(`takes no look at all tools for each: ${what}, for ${target}`, () => {
        const tools = names.map((name, nth) => ({ name, namespace: `n${nth}`, parameters: { type: 'object' } }));
        const toolChoice = { type: 'allowed' as const, mode: 'auto' as const, names: chosen };
        const request = { model: 'm', system: [], messages: [], tools, hostedTools, toolChoice };
        const before = process.threadCpuUsage();
        const plan = planTools(request, { name: target });
        assert.ok(!('kind' in plan));
        wireFormats[target].encodeRequest(plan.request);
        const { user, system } = process.threadCpuUsage(before);
        // CPU time, not elapsed time. It used to be eight seconds.
        assert.ok(user + system < 3_000_000, `${user + system} µs`);
      });
    }
  }
});
