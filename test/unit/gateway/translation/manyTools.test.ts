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
    ['of unknown tools', unknown],
    ['of one tool', names.map(() => 't0')],
  ] as const) {
    for (const target of FORMAT_NAMES) {
      it(`reads each tool only a few times: ${what}, for ${target}`, () => {
        let reads = 0;
        const tools = names.map((name, nth) => ({
          get name() {
            reads += 1;
            return name;
          },
          namespace: `n${nth}`,
          parameters: { type: 'object' },
        }));
        const toolChoice = { type: 'allowed' as const, mode: 'auto' as const, names: chosen };
        const request = { model: 'm', system: [], messages: [], tools, hostedTools, toolChoice };
        const plan = planTools(request, { name: target });
        assert.ok(!('kind' in plan));
        wireFormats[target].encodeRequest(plan.request);
        assert.ok(reads < 50 * names.length, `${reads}`);
      });
    }
  }
});
