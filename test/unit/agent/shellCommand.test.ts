import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { runShellCommand, type ShellCommandOptions } from '../../../src/agent/shellCommand.ts';
import { eventually } from '../../support/eventually.ts';
import { runs } from '../../support/randomRuns.ts';

const SHELLS = ['/bin/sh', '/bin/bash', '/bin/zsh', '/usr/bin/fish'];

for (const shell of SHELLS) {
  const exists = existsSync(shell);
  // Shells that not every machine has are tested where they are.
  const run = exists ? describe : describe.skip;
  run(`a command of the agent in ${shell}${exists ? '' : ' (not on this machine)'}`, () => {
    let folder: string;

    before(async () => {
      folder = await realpath(await mkdtemp(join(tmpdir(), 'shell-')));
    });
    after(() => rm(folder, { recursive: true }));

    const start = (command: string, options: Partial<ShellCommandOptions> = {}) =>
      runShellCommand(command, {
        shell,
        folder,
        env: process.env,
        timeoutMs: 60_000,
        signal: new AbortController().signal,
        onText: () => undefined,
        ...options,
      });

    /** Starts a command that prints `ready`, and stops it then. */
    const stopped = (command: string, reason?: string) => {
      const stop = new AbortController();
      return start(command, {
        signal: stop.signal,
        onText: (text) => {
          if (text.includes('ready')) stop.abort(reason);
        },
      });
    };

    it('ends with its shell, and has its exit code', async () => {
      for (const [command, code] of [
        ['exit 3', 3],
        ['test -f missing || exit 1', 1],
        ['exec true', 0],
        ['true', 0],
        ['false', 1],
      ] as const) {
        const { end, exitCode } = await start(command);
        assert.deepEqual({ end, exitCode }, { end: 'exit', exitCode: code }, command);
      }
    });

    it('starts in its folder, whatever an earlier one did', async () => {
      for (const earlier of ['cd /', 'exit 3', 'exec true', 'PATH=/nowhere; export PATH', "trap 'echo trapped' EXIT"]) {
        await start(earlier);
        const { output } = await start('pwd');
        assert.equal(output, `${folder}\n`, earlier);
      }
    });

    it('runs at the same time as another one that goes on', async () => {
      const stop = new AbortController();
      let began: () => void = () => undefined;
      const isReady = new Promise<void>((resolve) => {
        began = resolve;
      });
      const first = start('echo ready; sleep 60', { signal: stop.signal, onText: () => began() });
      await isReady;
      assert.equal((await start('pwd')).output, `${folder}\n`);
      stop.abort();
      assert.equal((await first).end, 'canceled');
    });

    it('passes any text in single quotes on unchanged', async () => {
      const text = fc.string({ unit: fc.constantFrom(...'aé😀!"$`*?#~&|;<>(){}[] \n\t%^=@-') });
      await fc.assert(
        fc.asyncProperty(text, async (words) => {
          const { output } = await start(`printf '%s' '${words}'`);
          assert.equal(output, words);
        }),
        { numRuns: runs(10) },
      );
    });

    it('has everything that it wrote to both outputs, in this order, and its exit code', async () => {
      const text = fc.string({
        unit: fc.constantFrom('aé😀', ' ', '\n', '\r\n', '\t', '\u001B[31m', 'x'.repeat(1000)),
      });
      const target = fc.constantFrom('', ' >&2', ' > /dev/stderr', ' >> /dev/stdout');
      const end = fc.constantFrom(['true', 0], ['false', 1], ['exit 7', 7], ['sleep 60 &', 0]);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(text, target), { maxLength: 8 }), end, async (parts, [last, code]) => {
          const lines = parts.map(([part, to]) => `printf %s '${part}'${to}`);
          const { output, exitCode, rest } = await start([...lines, last].join('\n'));
          rest?.end();
          assert.equal(output, parts.map(([part]) => part).join(''));
          assert.equal(exitCode, code);
        }),
        { numRuns: runs(10) },
      );
    });

    it('does not expand exclamation marks in double quotes', async () => {
      assert.equal((await start('echo "Hello!" "!!x"')).output, 'Hello! !!x\n');
    });

    it('runs several lines with a loop as one', async () => {
      const loop = shell === '/usr/bin/fish' ? 'for n in 3 4\n  echo $n\nend' : 'for n in 3 4; do\n  echo $n\ndone';
      assert.equal((await start(`echo one\n${loop}`)).output, 'one\n3\n4\n');
    });

    it('may end with a comment, and with the end of a here-document where the shell knows them', async () => {
      assert.equal((await start('echo one # two')).output, 'one\n');
      if (shell !== '/usr/bin/fish') assert.equal((await start("cat <<'END'\n$HOME\nEND")).output, '$HOME\n');
      else assert.match((await start("cat <<'END'\n$HOME\nEND")).output, /fish: .*redirection/);
    });

    it('reads an empty input, so that it does not wait for an answer', async () => {
      const { end, output } = await start('read answer; echo "<$answer>"');
      assert.deepEqual({ end, output }, { end: 'exit', output: '<>\n' });
    });

    it('has no terminal in which a program could wait for a password', async () => {
      const { end, exitCode } = await start('cat < /dev/tty');
      assert.equal(end, 'exit');
      assert.notEqual(exitCode, 0);
    });

    it('ends at its limit, at a stop, at an interrupt, and with its terminal, and the result says which', async () => {
      assert.equal((await start('sleep 60', { timeoutMs: 1 })).end, 'timeout');
      assert.equal((await stopped('echo ready; sleep 60')).end, 'canceled');
      assert.equal((await stopped('echo ready; sleep 60', 'interrupted')).end, 'interrupted');
      assert.equal((await stopped('echo ready; sleep 60', 'closed')).end, 'closed');
      assert.equal((await start('sleep 60', { signal: AbortSignal.abort() })).end, 'canceled');
    });

    it('is stopped when it opens a program that fills the screen', async () => {
      for (const command of [
        "printf '\\033[?1049hedit me'; sleep 60",
        "printf 'edit me\\033[?10'; sleep 0.1; printf 49h; sleep 60",
      ]) {
        const { end, output } = await start(command);
        assert.equal(end, 'fullScreen');
        assert.match(output, /edit me/);
      }
    });

    it('reports the signal that ended its shell', async () => {
      const kill = shell === '/usr/bin/fish' ? 'kill -KILL $fish_pid' : 'kill -KILL $$';
      const { end, exitCode, killedBy } = await start(kill);
      assert.deepEqual({ end, exitCode, killedBy }, { end: 'exit', exitCode: undefined, killedBy: 'SIGKILL' });
    });

    it('does not wait for what it leaves in the background, and can end that', async () => {
      for (const left of ['sleep 60 &', 'sleep 60 > /dev/null 2>&1 &']) {
        const { output, rest } = await start(`${left} echo started`);
        assert.equal(output, 'started\n');
        assert.ok(rest, left);
        rest.end();
        await rest.ended;
      }
      assert.equal((await start('true')).rest, undefined);
    });

    it('reads what somebody types, if it has an input, and ends when it likes', async () => {
      let type: (text: string) => void = () => undefined;
      const { output, end } = await start('printf "Name? "; read name; echo "<$name>"', {
        timeoutMs: undefined,
        onInput: (typing) => {
          type = typing;
        },
        onText: (text) => text.startsWith('Name') && type('Ada\n'),
      });
      assert.deepEqual({ end, output }, { end: 'exit', output: 'Name? <Ada>\n' });
    });

    it('keeps everything that it wrote before its end', async () => {
      const { output } = await start('seq 1 30000; exit 4');
      assert.ok(output.endsWith('\n29999\n30000\n'));
    });
  });
}

describe('a command that ignores its stop', () => {
  it('is killed if the editor ends before its time is over', async () => {
    const module = new URL('../../../src/agent/shellCommand.ts', import.meta.url).href;
    // The shell and what it runs ignore the signal.
    const command = 'trap "" TERM; echo $$; sleep 600';
    const script = `
      import { runShellCommand } from '${module}';
      const stop = new AbortController();
      const onText = (text) => process.stdout.write(text, () => {
        stop.abort();
        setImmediate(() => process.exit());
      });
      const options = { shell: '/bin/sh', folder: '/', env: process.env, signal: stop.signal, onText };
      await runShellCommand('${command}', options);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const pid = Number(stdout);
    assert.ok(pid > 0, stdout);
    await eventually('its end', async () => !isRunning(pid));
  });
});

describe('the output of a command', () => {
  it('keeps a character that arrives in two parts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shell-'));
    const rest = join(folder, 'rest');
    const parts: string[] = [];
    try {
      const { output } = await runShellCommand(
        String.raw`mkfifo rest && printf 'a\303' && read -r line < rest && printf '\274'`,
        {
          shell: '/bin/sh',
          folder,
          env: process.env,
          timeoutMs: 60_000,
          signal: new AbortController().signal,
          onText: (text) => {
            parts.push(text);
            // The first half of the character was read together with this text.
            if (text === 'a') void writeFile(rest, 'go on\n');
          },
        },
      );
      assert.equal(output, 'aü');
      assert.deepEqual(parts, ['a', 'ü']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a command that cannot be started', () => {
  const start = (shell: string, command: string) =>
    runShellCommand(command, {
      shell,
      folder: tmpdir(),
      env: process.env,
      signal: new AbortController().signal,
      onText: () => undefined,
    });

  it('is an error', () => assert.rejects(start('/missing/bash', 'true'), /ENOENT/));

  it('is an error with advice if the system takes no line that long', () =>
    assert.rejects(start('/bin/sh', `echo ${'x'.repeat(200_000)}`), /too long.*Write it to a file/));
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
