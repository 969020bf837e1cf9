import assert from 'node:assert/strict';
import { commandsIn } from '../../../src/chat/shellBlock.ts';

describe('the commands of a shell block', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['are the text', 'npm test', 'npm test'],
    ['have no blank line at their end', '\nnpm ci\nnpm test\n\n', 'npm ci\nnpm test'],
    ['have the line ends of one kind', 'npm ci\r\nnpm test', 'npm ci\nnpm test'],
    ['have no prompt', '$ npm ci\n$ npm test', 'npm ci\nnpm test'],
    ['have no output of a transcript', '$ npm test\n\n12 passing\n$ git push', 'npm test\ngit push'],
    ['keep lines that a backslash joins', '$ curl -s \\\n  http://127.0.0.1\nok', 'curl -s \\\n  http://127.0.0.1'],
    ['have no prompt of PowerShell', 'PS C:\\work> npm test', 'npm test'],
    [
      'have no lines of comments, which zsh does not accept',
      '# Install\nnpm ci\n  # Test\nnpm test',
      'npm ci\nnpm test',
    ],
    ['have no comments at the end of a line', 'npm ci   # once', 'npm ci'],
    ['keep `#` in quotes, in words, and in variables', 'git log "a # b" x#1 $#', 'git log "a # b" x#1 $#'],
    ['keep a comment that is all there is', '# Nothing to do', '# Nothing to do'],
    ['keep a here-document', 'cat > a.md <<EOF\n# Title\nEOF', 'cat > a.md <<EOF\n# Title\nEOF'],
    ['keep text in quotes over several lines', "echo 'a\n# b'", "echo 'a\n# b'"],
    ['keep variables', '$HOME/bin/run\necho $PATH', '$HOME/bin/run\necho $PATH'],
  ];
  for (const [title, block, commands] of cases) {
    it(title, () => assert.equal(commandsIn(block), commands));
  }
});
