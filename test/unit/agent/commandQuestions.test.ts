import assert from 'node:assert/strict';
import { asksQuestion } from '../../../src/agent/commandQuestions.ts';

describe('a question of a command', () => {
  const questions = [
    'Need to install the following packages:\n  create-app@1.0.0\nOk to proceed? (y) (Y/n)',
    'Continue? [y/N] ',
    "root@host's password: ",
    "Enter passphrase for key 'deploy': ",
    'What is your name? ›',
    'sudo: a terminal is required to read the password',
    'EOFError: EOF when reading a line',
    'Press ^C at any time to quit.\npackage name: (app) ',
    'Select a template\n1) web\n2) api\n#? ',
    'After this operation, 12 MB will be used.\nDo you want to continue? [Y/n] Abort.',
    'Error: Cannot perform an interactive login from a non TTY device',
    'Error: error asking for approval: EOF',
    'gpg: signing failed: Inappropriate ioctl for device',
    '--web or --with-token required when not running interactively',
    'sh: 1: cannot open /dev/tty: No such device or address',
    "fatal: could not read Username for 'https://host': terminal prompts disabled",
  ];
  for (const output of questions) {
    it(`is recognized: ${output.slice(0, 50)}`, () => assert.ok(asksQuestion('run', output)));
  }

  it('is recognized in the command if the shell does not write it without a terminal', () => {
    assert.ok(asksQuestion('read -p "Continue? [y/N] " answer; test "$answer" = y', ''));
    assert.ok(asksQuestion('read -rp "Name: " name; test -n "$name"', ''));
  });

  for (const output of [
    '',
    '2 tests failed',
    'Error: what? No such file\n    at main',
    'src/a.ts:1: readonly password: string;',
    'Is it done? Yes.',
    'Failed at step: (build)\n',
  ]) {
    it(`is not seen in: ${output.slice(0, 40)}`, () => assert.ok(!asksQuestion('cat read.me', output)));
  }
});
