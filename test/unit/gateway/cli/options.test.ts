import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestedText } from '../../../../src/gateway/cli/help.ts';
import { readServeOptions, UsageError } from '../../../../src/gateway/cli/options.ts';

const HOSTED = 'hosted:https://service.example/api/v1';

describe('the options of the gateway without an editor', () => {
  it('have the sandbox on a fixed port, with a new key each time, when nothing is said', () => {
    const [first, second] = [readServeOptions([], {}), readServeOptions([], {})];
    assert.deepEqual([first?.port, first?.upstream], [8787, { kind: 'sandbox' }]);
    assert.match(first?.key ?? '', /^key_[\w-]{43}$/);
    assert.notEqual(first?.key, second?.key);
  });

  it('take the local key from the environment, or from the arguments before it', () => {
    const environment = { MODEL_ACCESS_LOCAL_KEY: 'key_of-the-environment' };
    assert.equal(readServeOptions([], environment)?.key, 'key_of-the-environment');
    assert.equal(readServeOptions(['--key', 'key_given-by-an-option'], environment)?.key, 'key_given-by-an-option');
  });

  describe('that name a key', () => {
    const KEY = 'key_of-a-file-or-variable';
    let folder: string;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'keys-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const file = (text: string, mode = 0o600) => {
      const path = join(folder, 'key');
      writeFileSync(path, text, { mode });
      return path;
    };

    it('take it from a file or a variable, without a word', () => {
      const fromFile = readServeOptions(['--key-file', file(`${KEY}\n`)], {});
      const fromVariable = readServeOptions(['--key-env', 'MY_KEY'], { MY_KEY: KEY });
      assert.deepEqual([fromFile?.key, fromFile?.warnings], [KEY, []]);
      assert.deepEqual([fromVariable?.key, fromVariable?.warnings], [KEY, []]);
    });

    it('take the service key from a file or a variable as well', () => {
      const hosted = ['--upstream', HOSTED];
      const fromFile = readServeOptions([...hosted, '--service-key-file', file(KEY)], {});
      const fromVariable = readServeOptions([...hosted, '--service-key-env', 'MY_KEY'], { MY_KEY: KEY });
      for (const options of [fromFile, fromVariable]) {
        assert.ok(options?.upstream.kind === 'hosted');
        assert.equal(options.upstream.serviceKey, KEY);
        assert.deepEqual(options.warnings, []);
      }
    });

    it('warn of a key that others can read', function () {
      assert.match(readServeOptions(['--key', KEY], {})?.warnings[0] ?? '', /list of processes\. Use --key-file/);
      if (process.platform === 'win32') this.skip();
      assert.match(readServeOptions(['--key-file', file(KEY, 0o644)], {})?.warnings[0] ?? '', /chmod 600/);
    });

    it('are refused where they name nothing, or two', () => {
      const missing = join(folder, 'missing');
      for (const [args, complaint] of [
        [['--key-file', missing], /--key-file cannot be read/],
        [['--key-file', file('\n')], /is empty/],
        [['--key-env', 'NOWHERE'], /NOWHERE, which is not set/],
        [['--key', KEY, '--key-env', 'X'], /Give one of --key/],
        [['--service-key-file', missing], /--service-key-file cannot be read/],
      ] as const) {
        assert.throws(() => readServeOptions(args, {}), complaint);
      }
    });
  });

  it('send the service key over plain http to this machine, and elsewhere only when they are told to', () => {
    const environment = { MODEL_ACCESS_KEY: 'key_of-the-service' };
    const read = (address: string, ...further: string[]) =>
      readServeOptions(['--upstream', `hosted:${address}`, ...further], environment);
    for (const address of [
      'http://127.0.0.1:9/api/v1',
      'http://localhost/api/v1',
      'http://[::1]:9/',
      'https://far.example/',
    ]) {
      assert.equal(read(address)?.upstream.kind, 'hosted');
    }
    for (const address of ['http://far.example/api/v1', 'http://192.168.1.5/', 'http://127.0.0.1.far.example/']) {
      assert.throws(() => read(address), /could read the service key/);
      assert.equal(read(address, '--allow-plain-http')?.upstream.kind, 'hosted');
    }
  });

  it('take the service key from the environment', () => {
    assert.deepEqual(readServeOptions(['--upstream', HOSTED], { MODEL_ACCESS_KEY: 'key_of-the-service' })?.upstream, {
      kind: 'hosted',
      baseAddress: 'https://service.example/api/v1',
      serviceKey: 'key_of-the-service',
    });
  });

  it('take the pace and the credit of the sandbox, and origins of pages', () => {
    const args = ['--delay', '0', '--credit', '2.5', '--allow-origin', 'http://a', '--allow-origin', 'http://b'];
    const options = readServeOptions(args, {});
    assert.deepEqual(options?.sandbox, { delayMs: 0, credit: 2.5 });
    assert.deepEqual(options?.allowedOrigins, ['http://a', 'http://b']);
  });

  it('warn of a local key that can be guessed, and use it', () => {
    const options = readServeOptions([], { MODEL_ACCESS_LOCAL_KEY: 'key_short' });
    assert.equal(options?.key, 'key_short');
    assert.match(options?.warnings.join('\n') ?? '', /can be guessed\. Use at least 20 characters/);
  });

  it('name a ledger only when they are given one', () => {
    assert.equal(readServeOptions(['--ledger', 'spent.sqlite'], {})?.ledger, 'spent.sqlite');
    assert.ok(!('ledger' in (readServeOptions([], {}) ?? {})));
  });

  it('ask for a text of the command line, or for none', () => {
    assert.match(
      requestedText(['--help', '--port', '0']) ?? '',
      /^Serves .*\n\nUsage: model-access-gateway \[options\]/,
    );
    assert.match(requestedText(['--version']) ?? '', /^\d+\.\d+\.\d+$/);
    assert.equal(requestedText(['--port', '0']), undefined);
  });

  for (const [args, complaint] of [
    [['--port', 'x'], /--port/],
    [['--port', ''], /--port/],
    [['--port', '70000'], /--port/],
    [['--port', '1.5'], /--port/],
    [['--delay=-1'], /--delay/],
    [['--credit', 'much'], /--credit/],
    [['--unknown'], /--unknown/],
    [['extra'], /extra/],
    [['--upstream', 'elsewhere'], /--upstream/],
    [['--upstream', 'hosted:'], /base address/],
    [['--upstream', 'hosted:ftp://host'], /base address/],
    [['--upstream', HOSTED], /MODEL_ACCESS_KEY/],
    [['--key', 'sk-wrong'], /key_/],
    [['--key', 'key_with space in the middle'], /key_/],
  ] as const) {
    it(`are refused in one line when they are "${args.join(' ')}"`, () => {
      const isPlain = (error: unknown) =>
        error instanceof UsageError && complaint.test(error.message) && !error.message.includes('\n');
      assert.throws(() => readServeOptions(args, {}), isPlain);
    });
  }
});
