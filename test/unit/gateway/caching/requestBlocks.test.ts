import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readBlocks } from '../../../../src/gateway/caching/blockReader.ts';
import { KnownConversations } from '../../../../src/gateway/caching/knownConversations.ts';
import { BlockHasher, type RequestBlocks, singleQuestion } from '../../../../src/gateway/caching/requestBlocks.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';
import { runs } from '../../../support/randomRuns.ts';

function blocksOf(json: string): RequestBlocks {
  const bytes = Buffer.from(json);
  const hasher = new BlockHasher();
  return singleQuestion(bytes, hasher) ?? readBlocks(bytes, { hasher, known: new KnownConversations() });
}

/** What a later request is compared with. */
function compared({ messages, tools, system, settings, question, round, hasMarks }: RequestBlocks): unknown {
  const hashes = Array.from({ length: messages.length }, (_, at) => messages.at(at));
  return [hashes, messages.bytes, tools.length, system.length, [...settings], question, round, hasMarks];
}

describe('the blocks of a short request with one text', () => {
  for (const [member, name] of [
    ['messages', 'a conversation'],
    ['input', 'items'],
  ]) {
    it(`are the same as those of the beginning of a longer request, in ${name}`, () => {
      const property = fc.property(fc.string({ unit: anyCharacter }), (content) => {
        const question = JSON.stringify({ role: 'user', content });
        const bare = blocksOf(`{"model":"m","${member}":[${question}],"stream":true}`);
        // An empty list of tools has no blocks, but is not a bare question.
        assert.deepEqual(compared(bare), compared(blocksOf(`{"tools":[],"${member}":[${question}]}`)));
        const longer = blocksOf(`{"${member}":[${question},{"role":"assistant","content":"a"}]}`);
        assert.equal(bare.messages.commonLength(longer.messages), 1);
      });
      fc.assert(property, { numRuns: runs(100) });
    });
  }

  it('are the same if the text is escaped in another way than usual', () => {
    const question = '{"role":"user","content":"\\u00e4 \\/ \\u003c"}';
    assert.deepEqual(
      compared(blocksOf(`{"messages":[${question}]}`)),
      compared(blocksOf(`{"tools":[],"messages":[${question}]}`)),
    );
  });

  for (const [what, json] of Object.entries({
    'a system prompt': '{"system":"a","messages":[{"role":"user","content":"b"}]}',
    'a setting': '{"reasoning_effort":"low","messages":[{"role":"user","content":"b"}]}',
    'a mark': '{"messages":[{"role":"user","content":"b","cache_control":{"type":"ephemeral"}}]}',
    'a tool': '{"tools":[{"name":"t"}],"messages":[{"role":"user","content":"b"}]}',
  })) {
    it(`are not all if it has ${what}`, () => {
      assert.notDeepEqual(compared(blocksOf(json)), compared(blocksOf('{"messages":[{"role":"user","content":"b"}]}')));
    });
  }
});
