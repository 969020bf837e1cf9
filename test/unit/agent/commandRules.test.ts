import assert from 'node:assert/strict';
import { deletedOutside, hasGap, hiddenCharacter, isCovered, patternOf } from '../../../src/agent/commandRules.ts';

describe('command patterns', () => {
  const cases: readonly (readonly [command: string, pattern: string | undefined])[] = [
    ['npm test', 'npm test*'],
    ['npm test -- --grep "a b"', 'npm test*'],
    ['npm run build', 'npm run build*'],
    ['git status --short', 'git status*'],
    ['ls -la src', 'ls*'],
    ['cargo test', 'cargo test*'],
    // What runs whatever it is given cannot be allowed in advance.
    ['node script.js', undefined],
    ['bash -c "ls"', undefined],
    ['/bin/bash -c "ls"', undefined],
    ['python3.12 script.py', undefined],
    ['Node.exe script.js', undefined],
    ['find . -exec sh {} +', undefined],
    ['rm -rf dist', undefined],
    ['cp a ../b', undefined],
    ['npx anything', undefined],
    ['npm exec anything', undefined],
    ['sudo ls', undefined],
    ['curl https://example.com', undefined],
    ['A=1 npm test', undefined],
    // Neither can what the pattern would not show.
    ['npm test && rm x', undefined],
    ['npm test; ls', undefined],
    ['npm test | sh', undefined],
    ['npm test\nls', undefined],
    ['npm test > file', undefined],
    ['npm test $(ls)', undefined],
    ['npm test `ls`', undefined],
    ['npm --prefix .. test', undefined],
    ['npm test (rm x)', undefined],
    ['ls *(e:rm:)', undefined],
    ['ls !rm', undefined],
    ['ls"/../tool" x', undefined],
    ['npm test""ing', undefined],
    ['npm test "a\\"; ls; \\""', undefined],
    ['r\\m x', undefined],
    ['ls\u00a0/../tool', undefined],
    ['npm test \u0015rm x', undefined],
    ['n* test', undefined],
    ['$SHELL x', undefined],
    ['. ./x', undefined],
    ['cd ..', undefined],
    ['alias ls=x', undefined],
    ['tsx x.ts', undefined],
    ['git grep -Osh x', undefined],
    ['git push https://example.com/x', undefined],
    ['git diff --output=../x', undefined],
    ['git log "--outp=../x"', undefined],
    ['npm test --prefix ../x', undefined],
    ['npm run build --script-shell=x', undefined],
    ['make test SHELL=x', undefined],
    ['make test -f x', undefined],
    ['go test -exec x', undefined],
    ['npm run -s x', undefined],
    // The shell makes an option of these.
    ['git log -1 {--output=../x,--format=%B}', undefined],
    ['git log -1 $_', undefined],
    ['git log "$X"', undefined],
    ['git log *', undefined],
    ['git log ?-output=x', undefined],
    ['git log ^--^output=../x', undefined],
    ['git log HEAD^ src/*.ts', 'git log*'],
    ['gcc a.c -o../../x', undefined],
    ['make test -kf x', undefined],
    ['make test -C/other', undefined],
    ['go test -count=1 -race ./...', 'go test*'],
    ['npm test "a b" \'c d\'', 'npm test*'],
    ['npm test -- --watch=false', 'npm test*'],
    ['', undefined],
  ];
  for (const [command, pattern] of cases) {
    it(`give ${pattern ?? 'none'} for ${JSON.stringify(command)}`, () => assert.equal(patternOf(command), pattern));
  }

  it('match the same command with other arguments, but no command after it', () => {
    assert.ok(isCovered('npm test -- --watch=false', 'npm test*'));
    assert.ok(!isCovered('npm testing', 'npm test*'));
    assert.ok(!isCovered('npm test && curl x', 'npm test*'));
    assert.ok(!isCovered('npm test &', 'npm test*'));
    assert.ok(!isCovered('npm publish', 'npm test*'));
  });
});

describe('hidden characters in a command', () => {
  const hidden: readonly (readonly [what: string, command: string, name: string])[] = [
    ['a key that clears the line', 'npm test \u0015rm x', 'U+0015'],
    ['an escape sequence', 'npm test \u001b[8mrm x', 'U+001B'],
    ['a change of the text direction', 'npm test \u202ex mr', 'U+202E'],
    ['a zero-width letter', 'np\u200bm test', 'U+200B'],
    ['a tag', 'npm test \u{e0041}', 'U+E0041'],
    ['a space that the shell treats as a letter', 'ls\u00a0/../x', 'U+00A0'],
    ['a letter that looks like a space', 'ls\u3164/../x', 'U+3164'],
    ['a carriage return', 'rm x\rnpm test', 'U+000D'],
  ];
  for (const [what, command, name] of hidden) {
    it(`include ${what}`, () => assert.equal(hiddenCharacter(command), name));
  }

  it('do not include visible characters and line breaks', () => {
    assert.equal(hiddenCharacter('git commit -m "Größe 漢字 ✔"\n\tls'), undefined);
  });
});

describe('a gap in a command', () => {
  it('is white space that could hide what follows', () => {
    assert.ok(hasGap(`npm test${' '.repeat(2000)}; rm x`));
    assert.ok(hasGap(`npm test${'\t'.repeat(200)}; rm x`));
    assert.ok(hasGap(`rm x${'\n \t'.repeat(100)}\nnpm test`));
  });

  it('is not the indentation of a script, or some blank lines', () => {
    assert.ok(!hasGap(`python3 - <<'END'\n\n\n\nif x:\n${' '.repeat(40)}pass\nEND`));
  });
});

describe('a deleting command', () => {
  const outside: readonly (readonly [command: string, path: string])[] = [
    ['rm -rf ../shared', '../shared'],
    ['rm -rf /', '/'],
    ['rm ~/notes.txt', '~/notes.txt'],
    ['cd src && rm -r ../../other', '../../other'],
    ['rm -rf "$HOME/x"', '$HOME/x'],
    ['sudo rm -rf /var/x', '/var/x'],
    ['/bin/rm a/../../b', 'a/../../b'],
    ['del C:\\Windows\\x', 'C:\\Windows\\x'],
  ];
  for (const [command, path] of outside) {
    it(`is detected outside the folder: ${command}`, () => assert.equal(deletedOutside(command), path));
  }

  for (const command of ['rm -rf dist', 'rm src/../a.ts', 'npm run rm', 'echo rm ../x', 'git rm a.ts']) {
    it(`is not flagged inside the folder: ${command}`, () => assert.equal(deletedOutside(command), undefined));
  }
});
