import assert from 'node:assert/strict';
import { parse } from '../../../../../../src/panels/chat/markdown/diagram/parser.ts';

describe('the pie chart parser', () => {
  it('reads slices with their labels, a title and showData', async () => {
    const source = 'pie showData title Time\n    "Reading" : 12.5\n    %% a comment\n    \'Writing: code\': 3\n';
    assert.deepEqual(await parse('pie', source), {
      $type: 'Pie',
      showData: true,
      title: 'Time',
      sections: [
        { label: 'Reading', value: 12.5 },
        { label: 'Writing: code', value: 3 },
      ],
    });
  });

  it('reads titles and descriptions on separate lines', async () => {
    const source = 'pie\n  title Pets\n  accTitle: Kinds\n  accDescr {\n  Which pets\n  there are\n }\n  "Dogs" : 1';
    assert.deepEqual(await parse('pie', source), {
      $type: 'Pie',
      showData: false,
      title: 'Pets',
      accTitle: 'Kinds',
      accDescr: 'Which pets there are',
      sections: [{ label: 'Dogs', value: 1 }],
    });
  });

  it('names the line that it cannot parse', async () => {
    await assert.rejects(parse('pie', 'pie\n"Dogs" 1'), /Line 2 is not understood: "Dogs" 1/);
    await assert.rejects(parse('pie', 'graph TD'), /begins with “pie”/);
  });
});

describe('the Git graph parser', () => {
  it('reads each command with its options', async () => {
    const source = `gitGraph LR:
      commit
      commit id: "one" msg: "First one" tag: "v1" tag: "latest" type: HIGHLIGHT
      commit "a message"
      branch feature/x order: 2
      checkout feature/x
      switch main
      merge feature/x id: "m" tag: "v2" type: REVERSE
      cherry-pick id: "one" parent: "m"`;
    assert.deepEqual(await parse('gitGraph', source), {
      $type: 'GitGraph',
      dir: 'LR',
      statements: [
        { $type: 'Commit' },
        { $type: 'Commit', id: 'one', message: 'First one', tags: ['v1', 'latest'], type: 'HIGHLIGHT' },
        { $type: 'Commit', message: 'a message' },
        { $type: 'Branch', name: 'feature/x', order: 2 },
        { $type: 'Checkout', branch: 'feature/x' },
        { $type: 'Checkout', branch: 'main' },
        { $type: 'Merge', branch: 'feature/x', id: 'm', tags: ['v2'], type: 'REVERSE' },
        { $type: 'CherryPicking', id: 'one', parent: 'm' },
      ],
    });
  });

  it('names the line that it cannot parse', async () => {
    for (const line of ['comit', 'branch', 'commit type: SIDEWAYS', 'merge a b c: "d"', 'branch a order: x']) {
      await assert.rejects(parse('gitGraph', `gitGraph\n${line}`), /Line 2 is not understood/, line);
    }
  });

  it('rejects other kinds of diagrams', async () => {
    await assert.rejects(parse('architecture', 'architecture-beta'), /not drawn here/);
  });
});
