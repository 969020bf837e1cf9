import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { cpuUsage } from 'node:process';
import { CommandProcess } from '../../../src/agent/commandProcess.ts';
import { waitsForAnswer } from '../../../src/agent/commandQuestions.ts';
import type { CommandResult } from '../../../src/agent/shellCommand.ts';

const ENDED: CommandResult = { output: '', exitCode: 0, end: 'exit' };

describe('a command that goes on', () => {
  const { signal } = new AbortController();
  let changes: number;
  let process: CommandProcess;

  beforeEach(() => {
    changes = 0;
    process = new CommandProcess({ id: 'c1', command: 'serve', silentMs: 0, onDidChange: () => (changes += 1) });
  });

  it('is read once, without control sequences', () => {
    process.print('\u001B[32mready\u001B[0m\n');
    process.print('on port 80\n');
    assert.equal(process.read(), 'ready\non port 80\n');
    assert.equal(process.read(), '');
    assert.equal(changes, 2);
  });

  it('keeps the end of what nobody reads, and says how much is missing', () => {
    for (let line = 0; line < 3; line += 1) process.print('x'.repeat(100_000));
    process.print('end');
    const text = process.read();
    assert.match(text, /^\[100003 earlier characters are omitted\.\]\nx/);
    assert.ok(text.endsWith('end'));
  });

  it('is waited for until it prints a text, also in two parts', async () => {
    const waiting = process.wait({ text: 'ready in' }, 60_000, signal);
    process.print('read');
    process.print('y in 3 s\n');
    assert.equal(await waiting, 'text');
  });

  it('is waited for only for what was not read yet', async () => {
    process.print('compiled\n');
    process.read();
    const waiting = process.wait({ text: 'compiled' }, 60_000, signal);
    process.print('changed\n');
    process.finish(ENDED);
    assert.equal(await waiting, 'end');
  });

  it('is waited for while it prints 10 MB in lines, of which each is searched once', async () => {
    const waiting = process.wait({ text: 'the end' }, 60_000, signal);
    const line = `${'x'.repeat(499)}\n`;
    const before = cpuUsage().user;
    for (let count = 0; count < 20_000; count += 1) process.print(line);
    process.print(`${line.repeat(100)}the end\n`);
    assert.equal(await waiting, 'text');
    // It takes 0.3 s, and would take 15 s if all that is kept was searched each time.
    assert.ok(cpuUsage().user - before < 5_000_000);
  });

  it('ends every wait with its own end, with Stop, and with a question', async () => {
    const stop = new AbortController();
    const waits = [process.wait({ text: 'never' }, 60_000, stop.signal), process.wait({}, 60_000, signal)];
    stop.abort();
    process.print('Continue? [y/N] ');
    assert.deepEqual(await Promise.all(waits), ['canceled', 'question']);
    assert.equal(process.question, 'Continue? [y/N]');
    const wait = process.wait({ text: 'never' }, 60_000, signal);
    assert.equal(await wait, 'question');
    process.print('y\n');
    assert.equal(process.question, undefined);
    const last = process.wait({ text: 'never' }, 60_000, signal);
    process.finish(ENDED);
    assert.equal(await last, 'end');
  });

  it('is waited for until a port accepts connections', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address !== 'string');
    assert.equal(await process.wait({ port: address.port }, 60_000, signal), 'port');
    server.close();
    await once(server, 'close');
    const waiting = process.wait({ port: address.port }, 60_000, signal);
    process.finish(ENDED);
    assert.equal(await waiting, 'end');
  });
});

describe('a silent command', () => {
  for (const output of ['Overwrite? [y/N] ', '? Project name: › ', 'Password: ', 'Ok to proceed? (y)']) {
    it(`waits for an answer: ${output}`, () => assert.ok(waitsForAnswer(`Installing.\n${output}`)));
  }
  for (const output of [
    '',
    'Is it done?\n',
    'Local: http://localhost:5173/\n',
    'Building',
    'debconf: Noninteractive\n',
  ]) {
    it(`does not wait after: ${output.trim()}`, () => assert.ok(!waitsForAnswer(output)));
  }
});
