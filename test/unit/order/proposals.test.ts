/** Proposed changes of a file that are accepted and discarded while the person edits it. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type * as vscode from 'vscode';
import { ProposedChanges } from '../../../src/editor/chat/apply/proposedChanges.ts';
import { AnyOrder, type Step } from '../../support/anyOrder.ts';
import { Uri, type WorkspaceEdit, workspace } from '../../support/editorApi/vscode.ts';
import { schedules } from '../../support/randomRuns.ts';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
/** The lines that the answer proposes to change. Those between them are the person's. */
const PROPOSED = [1, 3, 5];

type Action = 'accept' | 'discard' | 'acceptAll' | 'discardAll' | 'undo' | 'type' | 'look';

const ACTIONS: readonly Action[] = ['accept', 'accept', 'discard', 'acceptAll', 'discardAll', 'undo', 'type', 'look'];

/** A file in the editor, whose edits take time. */
class OpenFile {
  readonly uri = new Uri('untitled', '/file.ts');
  readonly isClosed = false;
  readonly isDirty = true;
  lines = [...LINES];

  getText(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  /** Applies an edit to the lines as they are now, like the editor. */
  apply(edit: WorkspaceEdit): void {
    for (const { range, text } of edit.replaced.toReversed()) {
      const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
      this.lines.splice(range.start.line, range.end.line - range.start.line, ...lines);
    }
  }
}

describe('proposed changes, in any order of what is done and awaited', () => {
  const { textDocuments, applyEdit } = workspace;
  afterEach(() => Object.assign(workspace, { textDocuments, applyEdit }));

  const actions = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.nat(2)), { minLength: 1, maxLength: 10 });

  it('are in the file if they are accepted, each once, and leave the lines of the person alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const file = new OpenFile();
        Object.assign(workspace, {
          textDocuments: [file],
          applyEdit: async (edit: WorkspaceEdit) => {
            await order.delay('edit');
            file.apply(edit);
            return true;
          },
        });
        const changes = new ProposedChanges();
        const current = LINES.map((line, at) => `${PROPOSED.includes(at) ? line.toUpperCase() : line}\n`).join('');
        await changes.add(file as unknown as vscode.TextDocument, { base: file.getText(), current });
        const name = file.uri.toString();
        const idAt = async (index: number) => {
          const [view] = await changes.view();
          const ids = view?.blocks.flatMap((block) => ('id' in block ? [block.id] : [])) ?? [];
          return ids[index % Math.max(1, ids.length)] ?? '';
        };
        const stepOf = (action: Action, index: number): Step => {
          const acts: Readonly<Record<Action, () => unknown>> = {
            accept: async () => changes.decide([{ file: name, id: await idAt(index) }], 'accepted'),
            discard: async () => changes.decide([{ file: name, id: await idAt(index) }], 'discarded'),
            acceptAll: () => changes.decideAll('accepted'),
            discardAll: () => changes.decideAll('discarded'),
            undo: async () => changes.undo({ file: name, id: await idAt(index) }),
            // The person's lines are those that nothing is proposed for.
            type: () => {
              const at = [0, 2, 4, 6][index] ?? 0;
              file.lines[at] = `${file.lines[at]}!`;
            },
            look: () => changes.view(),
          };
          return { what: `${action} ${index}`, act: acts[action] };
        };
        order.plan(done.map(([action, index]) => stepOf(action, index)));
        await order.run();
        assert.deepEqual(order.errors, []);
        const [proposal] = changes.files;
        const typed = done.filter(([action]) => action === 'type').length;
        const marks = file.lines.join('').split('!').length - 1;
        assert.equal(marks, typed, 'what the person has typed was lost');
        assert.equal(file.lines.length, LINES.length);
        const written = PROPOSED.filter((at) => file.lines[at] === LINES[at]?.toUpperCase()).length;
        assert.equal(written, proposal?.accepted.size, 'the file has other changes than the accepted ones');
      }),
      { numRuns: schedules(300) },
    );
  });
});
