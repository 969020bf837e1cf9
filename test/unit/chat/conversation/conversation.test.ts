import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Conversation, conversationOf } from '../../../../src/chat/conversation/conversation.ts';
import { costOf } from '../../../../src/chat/conversation/conversationCost.ts';
import { forkRecords } from '../../../../src/chat/conversation/fork.ts';
import type { ConversationRecord } from '../../../../src/chat/conversation/record.ts';
import { titleIn, titleOf } from '../../../../src/chat/conversation/title.ts';
import { answer, answered, conversation, question } from './records.ts';

function idsOf({ entries }: Conversation): string[] {
  return entries.map(({ id }) => id);
}

describe('a conversation', () => {
  it('adds up deltas of text and reasoning', () => {
    const last = conversation(
      question('q'),
      answer('a'),
      { type: 'delta', id: 'a', reasoning: 'Hm. ' },
      { type: 'delta', id: 'a', text: 'Be' },
      { type: 'delta', id: 'a', text: 'cause.' },
      { type: 'answerEnd', id: 'a', status: 'complete' },
    ).answer('a');
    assert.equal(last?.text, 'Because.');
    assert.equal(last?.reasoning, 'Hm. ');
    assert.equal(last?.status, 'complete');
  });

  it('does not show late text of a removed answer', () => {
    const value = conversation(
      question('q'),
      answer('a'),
      { type: 'removed', id: 'a' },
      { type: 'delta', id: 'a', text: 'late' },
    );
    assert.deepEqual(idsOf(value), ['q']);
  });

  it('keeps the usage of an unfinished answer as an estimate', () => {
    const figures = { inputTokens: 50, outputTokens: 12, cost: 0.0003, estimated: true };
    const last = conversation(question('q'), answer('a'), { type: 'delta', id: 'a', text: 'Be', figures }).answer('a');
    assert.deepEqual([last?.status, last?.text, last?.figures], ['stopped', 'Be', figures]);
  });

  it('treats an unfinished answer as stopped and keeps its text', () => {
    const last = conversation(question('q'), answer('a'), { type: 'delta', id: 'a', text: 'Bec' }).answer('a');
    assert.equal(last?.status, 'stopped');
    assert.equal(last?.text, 'Bec');
  });

  it('appends to a continued answer, and drops its earlier failure', () => {
    const last = conversation(
      question('q'),
      answer('a'),
      { type: 'delta', id: 'a', text: 'One, ' },
      {
        type: 'answerEnd',
        id: 'a',
        status: 'failed',
        failure: { kind: 'network', title: 'Lost', detail: '', steps: ['continue'] },
      },
      { type: 'continued', id: 'a' },
      { type: 'delta', id: 'a', text: 'two.' },
      { type: 'answerEnd', id: 'a', status: 'complete' },
    ).answer('a');
    assert.equal(last?.text, 'One, two.');
    assert.equal(last?.status, 'complete');
    assert.equal(last?.failure, undefined);
  });

  it('keeps the latest title, pin and parameters', () => {
    const value = conversation(
      { type: 'title', title: 'First' },
      { type: 'parameters', parameters: { temperature: 0.2, maxTokens: 10 } },
      { type: 'pinned', pinned: true },
      { type: 'title', title: 'Second' },
      { type: 'parameters', parameters: { maxTokens: 20 } },
    );
    assert.equal(value.title, 'Second');
    assert.equal(value.isPinned, true);
    assert.deepEqual(value.parameters, { maxTokens: 20 });
  });

  it('costs the sum of all answers in all branches, or is unknown without prices', () => {
    assert.deepEqual(costOf(conversation(question('q'), answered('a'))), {});
    const value = conversation(
      question('q'),
      answered('a', 'A', { cost: 0.25 }),
      answered('b', 'B', { parent: 'q', cost: 0.5 }),
    );
    assert.deepEqual(costOf(value), { cost: 0.75 });
  });

  it('still costs what its removed answers have cost, and not what answers of other chats have cost', () => {
    const asked = [question('q'), answered('a', 'A', { cost: 0.25 })].flat();
    const removed = conversation(asked, { type: 'removed', id: 'q' }, { type: 'removed', id: 'a' });
    assert.deepEqual([costOf(removed), removed.isEmpty], [{ cost: 0.25 }, true]);
    const fork = forkRecords(conversation(asked), 'a', { id: 'fork', workspace: undefined }) ?? [];
    assert.deepEqual(costOf(conversationOf('fork', fork)), {});
    const continued = [...fork, ...answered('b', 'B', { parent: 'a', cost: 0.5 })];
    assert.deepEqual(costOf(conversationOf('fork', continued)), { cost: 0.5 });
    const again = forkRecords(conversationOf('fork', continued), 'b', { id: 'again', workspace: undefined }) ?? [];
    assert.deepEqual(costOf(conversationOf('again', again)), {});
  });

  it('counts sample money only if there is no other cost', () => {
    const sampled = { type: 'answer', sandbox: true } as const;
    const [begun, ...rest] = answered('a', 'A', { cost: 0.25 });
    const samples = [question('q'), { ...begun, ...sampled }, ...rest] as ConversationRecord[];
    assert.deepEqual(costOf(conversation(samples)), { cost: 0.25, isSample: true });
    const both = conversation(samples, answered('b', 'B', { parent: 'q', cost: 0.5 }));
    assert.deepEqual(costOf(both), { cost: 0.5 });
  });
});

describe('branches of a conversation', () => {
  const LINE = [question('q1'), ...answered('a1'), question('q2'), ...answered('a2')];

  it('do not exist in a file from before branches: its turns are linear', () => {
    const value = conversation(LINE);
    assert.deepEqual(idsOf(value), ['q1', 'a1', 'q2', 'a2']);
    assert.equal(value.branchOf('a2'), undefined);
  });

  it('start at an edited question, and the new one is shown', () => {
    const value = conversation(
      LINE,
      question('q2b', 'edited', { parent: 'a1' }),
      answered('a2b', 'B', { parent: 'q2b' }),
    );
    assert.deepEqual(idsOf(value), ['q1', 'a1', 'q2b', 'a2b']);
    assert.deepEqual(value.branchOf('q2b'), { position: 2, count: 2 });
    assert.equal(value.branchOf('a2b'), undefined);
  });

  it('can start at the first question', () => {
    const value = conversation(LINE, question('q1b', 'edited', { parent: null }));
    assert.deepEqual(idsOf(value), ['q1b']);
    assert.deepEqual(value.siblingsOf('q1b'), ['q1', 'q1b']);
  });

  it('keep the earlier answers of a repeated question as versions', () => {
    const records = [LINE, answered('a1b', 'B', { parent: 'q1' })].flat();
    assert.deepEqual(idsOf(conversation(records)), ['q1', 'a1b']);
    const back = conversation(records, { type: 'chosen', id: 'a1' });
    assert.deepEqual(idsOf(back), ['q1', 'a1', 'q2', 'a2']);
    assert.deepEqual(back.branchOf('a1'), { position: 1, count: 2 });
  });

  it('restore the position the reader had in each of them', () => {
    const value = conversation(
      LINE,
      question('q2b', 'B', { parent: 'a1' }),
      question('q1b', 'C', { parent: null }),
      { type: 'chosen', id: 'q2' },
      { type: 'chosen', id: 'q1b' },
      { type: 'chosen', id: 'q1' },
    );
    assert.deepEqual(idsOf(value), ['q1', 'a1', 'q2', 'a2']);
  });

  it('continue below a removed turn, which can be restored', () => {
    const removed = [LINE, { type: 'removed', id: 'q1' }, { type: 'removed', id: 'a1' }] as ConversationRecord[];
    assert.deepEqual(idsOf(conversation(removed.flat())), ['q2', 'a2']);
    const restored = conversation(removed.flat(), { type: 'restored', id: 'q1' }, { type: 'restored', id: 'a1' });
    assert.deepEqual(idsOf(restored), ['q1', 'a1', 'q2', 'a2']);
  });

  it('of a removed turn count as those of the turn before it', () => {
    const value = conversation(
      question('q1'),
      answered('a1'),
      answered('b1', 'B', { parent: 'q1' }),
      question('q2', 'below b1', { parent: 'b1' }),
      { type: 'removed', id: 'b1' },
    );
    assert.deepEqual(idsOf(value), ['q1', 'q2']);
    assert.deepEqual(value.siblingsOf('q2'), ['a1', 'q2']);
    value.apply({ type: 'chosen', id: 'a1' });
    assert.deepEqual(idsOf(value), ['q1', 'a1']);
  });

  it('append an entry whose parent is missing to the end', () => {
    assert.deepEqual(idsOf(conversation(question('q'), answered('a', 'A', { parent: 'torn' }))), ['q', 'a']);
  });

  it('show each entry at most once, after its parent, for any records', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const record: fc.Arbitrary<ConversationRecord> = fc.oneof(
      fc.record({ id, parent: fc.option(id) }).map(({ id, parent }) => question(id, id, { parent })),
      fc.record({ id, parent: fc.option(id) }).map(({ id, parent }) => answer(id, { parent })),
      fc.record({ type: fc.constantFrom('removed', 'restored', 'chosen', 'kept', 'continued'), id }),
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 30 }), (records) => {
        const value = conversationOf('c', records);
        const ids = idsOf(value);
        assert.equal(new Set(ids).size, ids.length);
        for (const shown of ids) assert.ok(value.siblingsOf(shown).includes(shown));
        const later = new Set<string>();
        for (const shown of ids.toReversed()) {
          assert.ok(!later.has(value.parentOf(shown) ?? ''));
          later.add(shown);
        }
      }),
    );
  });
});

describe('answers side by side', () => {
  const COMPARED = [
    question('q'),
    ...answered('a', 'A', { parent: 'q', comparison: 'x' }),
    ...answered('b', 'B', { parent: 'q', comparison: 'x' }),
  ];

  it('are not part of the path until one is kept', () => {
    const value = conversation(COMPARED);
    assert.deepEqual(idsOf(value), ['q']);
    assert.deepEqual(
      value.comparison.map(({ id }) => id),
      ['a', 'b'],
    );
  });

  it('become branches when one is kept, and that one is shown', () => {
    const value = conversation(COMPARED, { type: 'kept', id: 'a' });
    assert.deepEqual(idsOf(value), ['q', 'a']);
    assert.deepEqual(value.comparison, []);
    assert.deepEqual(value.branchOf('a'), { position: 1, count: 2 });
  });
});

describe('the title of a conversation', () => {
  it('is the first line of the first question, shortened', () => {
    assert.equal(titleOf(conversation(question('q', '  Explain this\nand that'))), 'Explain this');
    const long = titleOf(conversation(question('q', 'word '.repeat(40))));
    assert.ok(long.length <= 60);
    assert.ok(long.endsWith('…'));
    assert.equal(titleOf(conversation(question('q', 'Explain this: …', { shown: 'Explain a.ts' }))), 'Explain a.ts');
    assert.equal(titleOf(conversation()), 'New chat');
  });

  it('is taken from a model’s answer without the marks that models add', () => {
    for (const [answer, title] of [
      ['Parcel prices', 'Parcel prices'],
      ['\n"Parcel prices."\n', 'Parcel prices'],
      ['**Title: Parcel prices**\n\nIt says why.', 'Parcel prices'],
      ['# `quote.ts` explained', 'quote.ts explained'],
      ['„Preise für Pakete“', 'Preise für Pakete'],
      ['标题：《包裹价格》。', '包裹价格'],
      ['```\nParcel prices\n```', 'Parcel prices'],
      [' \n', undefined],
      ['""', undefined],
    ] as const) {
      assert.equal(titleIn(answer), title, answer);
    }
    assert.ok((titleIn('word '.repeat(40))?.length ?? 0) <= 60);
  });

  it('has no code marks, even if an older version saved them', () => {
    assert.equal(titleOf(conversation(question('q', 'Is `refresh` a ``race``?'))), 'Is refresh a race?');
    assert.equal(titleOf(conversation(question('q', '```ts\nconst a = 1;\n```'))), 'const a = 1;');
    assert.equal(titleOf(conversation({ type: 'title', title: 'Is `refresh` a race?' })), 'Is refresh a race?');
  });

  it('is the name of the attachment if no text was typed', () => {
    const attachments = [
      { id: 'x', kind: 'file', label: 'a.ts', path: 'a.ts', languageId: 'typescript', text: '' },
    ] as const;
    assert.equal(titleOf(conversation({ type: 'question', id: 'q', at: 1, text: '', attachments })), 'a.ts');
  });
});
