import assert from 'node:assert/strict';
import { effect } from '@preact/signals';
import { LinkedFiles } from '../../../../../src/panels/chat/markdown/workspaceFiles.ts';

/** Waits for the next question to the host. */
function asked(): { readonly files: LinkedFiles; readonly next: () => Promise<readonly string[]> } {
  const questions: (readonly string[])[] = [];
  let wake: () => void = () => undefined;
  const files = new LinkedFiles((paths) => {
    questions.push(paths);
    wake();
  });
  const next = async () => {
    if (questions.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return questions.shift() ?? [];
  };
  return { files, next };
}

describe('files named in answers', () => {
  it('are requested together, and each only once', async () => {
    const { files, next } = asked();
    assert.equal(files.has('a.ts'), false);
    assert.equal(files.has('b.ts'), false);
    assert.equal(files.has('a.ts'), false);
    assert.deepEqual(await next(), ['a.ts', 'b.ts']);
    files.has('a.ts');
    files.has('c.ts');
    assert.deepEqual(await next(), ['c.ts']);
  });

  it('are rendered again when the host has found them', async () => {
    const { files, next } = asked();
    const seen: boolean[] = [];
    const stop = effect(() => {
      seen.push(files.has('a.ts'));
    });
    await next();
    files.receive(['a.ts', 'never-asked.ts']);
    stop();
    assert.deepEqual(seen, [false, true]);
  });
});
