import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { ModelMerge } from '../../src/editor/chat/apply/modelMerge.ts';
import type { Services } from '../../src/editor/services.ts';
import type { LedgerEntry } from '../../src/ledger/ledgerEntry.ts';
import { ScriptedConnection } from '../support/editor/scriptedConnection.ts';
import { activated } from './extension.ts';

const TEXT = 'function first() {\n  one();\n}\n';
const CODE = 'three();';
const SMALL = 'familya-haiku-4.5';
const EDIT = '<<<<<<< SEARCH\n  one();\n=======\n  one();\n  three();\n>>>>>>> REPLACE';

describe('a merge of code with a cheap model', () => {
  let services: Services;
  let connection: ScriptedConnection;
  let recorded: LedgerEntry[];
  let subscription: vscode.Disposable;
  let merge: ModelMerge;

  before(async () => {
    services = await activated();
    connection = await ScriptedConnection.open(services);
  });
  after(() => connection.close());
  beforeEach(() => {
    recorded = [];
    subscription = services.calls.onDidRecord((entry) => recorded.push(entry));
    merge = new ModelMerge(services);
  });
  afterEach(() => subscription.dispose());

  function offered() {
    const offer = merge.offer({ path: 'a.js', text: TEXT, code: CODE }, 'familya-sonnet-4.6');
    assert.ok(offer);
    return offer;
  }

  it('is offered with its price before anything is sent', () => {
    assert.match(offered().label, /^Merge with familya-haiku-4\.5 \(≈\s\$0\.\d+\)$/);
    assert.deepEqual(recorded, []);
  });

  it('applies the edit, and has a row of its own with what it has cost', async () => {
    connection.model.follow(() => ({ text: EDIT }));
    const merged = await merge.run(offered());
    assert.equal(merged?.text, TEXT.replace('one();', 'one();\n  three();'));
    assert.ok((merged?.answer.cost ?? 0) > 0);
    assert.deepEqual(
      recorded.map(({ source, model }) => [source, model]),
      [['codeMerge', SMALL]],
    );
  });

  it('writes nothing if the edit changes something else', async () => {
    connection.model.follow(() => ({ text: EDIT.replace('three', 'other') }));
    await assert.rejects(async () => merge.run(offered()), /gave no edit that can be applied safely/);
    assert.equal(recorded.length, 1);
  });
});
