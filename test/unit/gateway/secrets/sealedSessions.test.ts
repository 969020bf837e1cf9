import assert from 'node:assert/strict';
import { messages } from '../../../../src/formats/messages/index.ts';
import { BodySealer } from '../../../../src/secrets/bodySealer.ts';
import { locateSecrets } from '../../../../src/secrets/secretFinder.ts';
import { StandIns } from '../../../../src/secrets/standIns.ts';
import { agentSession } from '../../../support/agentSessions.ts';
import { PrefixCache } from '../../../support/prefixCache.ts';

/** Puts a token into every third result of a tool, and marks the end of the prompt. */
function bodiesOf(seed: number): { readonly body: string; readonly at: number }[] {
  return agentSession(seed).map(({ request, at }) => {
    const body = messages.encodeRequest({ ...request, maxTokens: 100 }) as { messages: { content: unknown }[] };
    let results = 0;
    const planted = JSON.stringify(body, (_, value) => {
      if (value?.type !== 'tool_result') return value;
      results += 1;
      const token = `ghp_${`a1B2c3D4${(results % 7) + 1000}`.repeat(3)}`;
      return results % 3 === 0 ? { ...value, content: `TOKEN=${token}\n${JSON.stringify(value.content)}` } : value;
    });
    const marked = JSON.parse(planted);
    const last = marked.messages.at(-1);
    const content = typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : last.content;
    last.content = [...content.slice(0, -1), { ...content.at(-1), cache_control: { type: 'ephemeral' } }];
    return { body: JSON.stringify(marked), at };
  });
}

describe('the prompt cache of a session whose secrets are sealed', () => {
  it('has the same hits as without', async () => {
    let [steps, sealedSteps] = [0, 0];
    for (let seed = 1; seed <= 3; seed += 1) {
      // Each request meets another replica, which knows nothing of the others.
      const replicas = [0, 1].map(
        () => new BodySealer({ standIns: new StandIns(Buffer.from('k')), find: locateSecrets }),
      );
      const [plain, sealed] = [new PrefixCache(), new PrefixCache()];
      for (const [step, { body, at }] of bodiesOf(seed).entries()) {
        const result = (await replicas[step % 2]?.seal(Buffer.from(body))) ?? assert.fail();
        const [expected, found] = [
          plain.answer(JSON.parse(body), at),
          sealed.answer(JSON.parse(String(result.body)), at),
        ];
        assert.equal(found.read > 0, expected.read > 0, `step ${step} of session ${seed}`);
        assert.ok(Math.abs(found.read - expected.read) <= expected.read * 0.01, `${found.read} of ${expected.read}`);
        steps += 1;
        sealedSteps += result.secrets.length > 0 ? 1 : 0;
      }
    }
    assert.ok(steps > 40 && sealedSteps > 20, `${sealedSteps} of ${steps}`);
  });
});
