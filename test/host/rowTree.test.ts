import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Row } from '../../src/editor/rows/row.ts';
import { RowTree } from '../../src/editor/rows/rowView.ts';
import { eventually } from '../support/eventually.ts';

describe('the rows of a view', () => {
  let tree: RowTree;
  /** What the view creates next. */
  let next: readonly Row[] | Error;
  let reports: (readonly Row[] | undefined)[];

  beforeEach(() => {
    reports = [];
    tree = new RowTree(async () => {
      if (next instanceof Error) throw next;
      return next;
    });
    tree.onDidChangeTreeData((rows) => reports.push(rows));
  });
  afterEach(() => tree.dispose());

  const key = (description: string, ...children: readonly Row[]): Row => ({
    id: 'key',
    label: 'Key',
    description,
    children,
  });
  const limit = (description: string): Row => ({ id: 'limit', label: 'Limit', description, kind: 'limit' });
  const address: Row = { id: 'address', label: 'http://127.0.0.1' };

  /** Refreshes the view, and waits for its report. */
  async function refresh(rows: readonly Row[] | Error): Promise<void> {
    const count = reports.length;
    next = rows;
    tree.refresh();
    await eventually('the report', async () => reports.length > count);
  }

  async function shown(rows: readonly Row[]): Promise<Row[]> {
    next = rows;
    return tree.getChildren();
  }

  const ids = () => reports.map((rows) => rows?.map(({ id }) => id));

  it('stay the objects that commands get, and only those that have changed are read again', async () => {
    const [, row] = await shown([address, key('0 of 5', limit('0 of 1'))]);
    assert.ok(row);
    const [child] = await tree.getChildren(row);
    await refresh([address, key('0 of 5', limit('1 of 1'))]);
    assert.deepEqual(ids(), [['limit']]);
    assert.equal(reports[0]?.[0], child);
    assert.equal(child?.description, '1 of 1');
    await refresh([address, key('1 of 5', limit('1 of 1'))]);
    assert.deepEqual(ids(), [['limit'], ['key']]);
    assert.equal(reports[1]?.[0], row);
    assert.deepEqual(row, key('1 of 5', limit('1 of 1')));
    assert.equal((await tree.getChildren(row))[0], child);
  });

  it('are not reported if nothing has changed', async () => {
    await shown([address, key('0 of 5')]);
    next = [{ ...address }, key('0 of 5')];
    tree.refresh();
    await refresh([{ ...address }, key('1 of 5')]);
    assert.deepEqual(ids(), [['key']]);
  });

  it('lose what they no longer have', async () => {
    const [row] = await shown([{ ...address, icon: new vscode.ThemeIcon('error'), kind: 'failed' }]);
    await refresh([address]);
    assert.deepEqual(row, address);
  });

  it('are read with their children if a child was added', async () => {
    const [row] = await shown([key('0 of 5')]);
    await refresh([key('0 of 5', limit('0 of 1'))]);
    assert.deepEqual(ids(), [['key']]);
    assert.ok(row);
    assert.deepEqual(await tree.getChildren(row), [limit('0 of 1')]);
  });

  it('are all read if one was added, without being created a second time', async () => {
    await shown([key('0 of 5')]);
    await refresh([address, key('0 of 5')]);
    assert.deepEqual(reports, [undefined]);
    next = new Error('They are created already.');
    assert.deepEqual(await tree.getChildren(), [address, key('0 of 5')]);
  });

  it('are read by the editor, which reports the failure, if they cannot be created', async () => {
    await shown([address]);
    await refresh(new Error('The keys cannot be read.'));
    assert.deepEqual(reports, [undefined]);
    await assert.rejects(tree.getChildren(), /cannot be read/);
  });

  it('report a failure instead of earlier rows that the editor has not read', async () => {
    await shown([key('0 of 5')]);
    await refresh([address, key('0 of 5')]);
    await refresh(new Error('The ledger is locked.'));
    await assert.rejects(tree.getChildren(), /locked/);
  });
});
