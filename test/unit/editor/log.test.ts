import assert from 'node:assert/strict';
import { Log } from '../../../src/editor/log/log.ts';
import { window } from '../../support/editorApi/vscode.ts';

describe('the log', () => {
  const before = { ...window };
  afterEach(() => {
    Reflect.deleteProperty(window, 'createOutputChannel');
    Object.assign(window, before);
  });

  it('takes lines without a failure after the editor has closed it, while runs still end', () => {
    const lines: string[] = [];
    let isClosed = false;
    const write = (line: string) => {
      if (isClosed) throw new Error('Channel has been closed');
      lines.push(line);
    };
    const dispose = () => {
      isClosed = true;
    };
    Object.assign(window, { createOutputChannel: () => ({ info: write, warn: write, error: write, dispose }) });
    const log = new Log();
    log.warn('Not read', new Error('It is gone.'));
    assert.match(lines[0] ?? '', /^Not read: Error: It is gone\./);
    log.dispose();
    log.error('Not read', new Error('It is gone.'));
    log.info('The end');
    assert.equal(lines.length, 1);
  });
});
