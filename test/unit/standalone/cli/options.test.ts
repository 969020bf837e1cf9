import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestedText } from '../../../../packages/gateway/src/cli/help.ts';
import { readServeOptions, UsageError } from '../../../../packages/gateway/src/cli/options.ts';

const HOSTED = 'hosted:https://service.example/api/v1';

describe('the options of the gateway without an editor', () => {
  it('default to the sandbox on a fixed port, with a new key each time', () => {
    const [first, second] = [readServeOptions([], {}), readServeOptions([], {})];
    assert.deepEqual([first?.port, first?.upstream], [8787, { kind: 'sandbox' }]);
    assert.match(first?.key ?? '', /^key_[\w-]{43}$/);
    assert.notEqual(first?.key, second?.key);
  });

  it('read the local key from the arguments, or else from the environment', () => {
    const environment = { MODEL_ACCESS_LOCAL_KEY: 'key_of-the-environment' };
    assert.equal(readServeOptions([], environment)?.key, 'key_of-the-environment');
    assert.equal(readServeOptions(['--key', 'key_given-by-an-option'], environment)?.key, 'key_given-by-an-option');
  });

  describe('for keys', () => {
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

    it('read the local key from a file or a variable, without a warning', () => {
      const fromFile = readServeOptions(['--key-file', file(`${KEY}\n`)], {});
      const fromVariable = readServeOptions(['--key-env', 'MY_KEY'], { MY_KEY: KEY });
      assert.deepEqual([fromFile?.key, fromFile?.warnings], [KEY, []]);
      assert.deepEqual([fromVariable?.key, fromVariable?.warnings], [KEY, []]);
    });

    it('read the service key from a file or a variable', () => {
      const hosted = ['--upstream', HOSTED];
      const fromFile = readServeOptions([...hosted, '--service-key-file', file(KEY)], {});
      const fromVariable = readServeOptions([...hosted, '--service-key-env', 'MY_KEY'], { MY_KEY: KEY });
      for (const options of [fromFile, fromVariable]) {
        assert.ok(options?.upstream.kind === 'hosted');
        assert.equal(options.upstream.serviceKey, KEY);
        assert.deepEqual(options.warnings, []);
      }
    });

    it('warn if others can read the password of the database or the admin key', () => {
      const address = 'postgres://gateway:password@db/model_access';
      const warnings = (args: readonly string[], environment = {}) =>
        readServeOptions(args, environment).warnings.join('\n');
      assert.match(warnings(['--database', address]), /password of --database .* Use DATABASE_URL/);
      assert.doesNotMatch(warnings([], { DATABASE_URL: address }), /database/i);
      assert.doesNotMatch(warnings(['--database', 'postgres://db/model_access']), /password/);
      if (process.platform === 'win32') return;
      const admin = ['--admin-key-file', file('an-admin-key-of-many-characters', 0o644)];
      assert.match(warnings(admin, { DATABASE_URL: address }), /chmod 600/);
    });

    it('warn that certificates are checked although the environment says otherwise', () => {
      const warnings = (value: string) => readServeOptions([], { NODE_TLS_REJECT_UNAUTHORIZED: value }).warnings.join();
      assert.match(warnings('0'), /NODE_EXTRA_CA_CERTS/);
      assert.equal(warnings('1'), '');
    });

    it('warn if others can read the key', function () {
      assert.match(readServeOptions(['--key', KEY], {})?.warnings[0] ?? '', /process list\. Use --key-file/);
      if (process.platform === 'win32') this.skip();
      assert.match(readServeOptions(['--key-file', file(KEY, 0o644)], {})?.warnings[0] ?? '', /chmod 600/);
    });

    it('are rejected if they name no key or two keys', () => {
      const missing = join(folder, 'missing');
      for (const [args, complaint] of [
        [['--key-file', missing], /--key-file cannot be read/],
        [['--key-file', file('\n')], /is empty/],
        [['--key-env', 'NOWHERE'], /NOWHERE, which is not set/],
        [['--key', KEY, '--key-env', 'X'], /Use only one of --key/],
        [['--service-key-file', missing], /--service-key-file cannot be read/],
      ] as const) {
        assert.throws(() => readServeOptions(args, {}), complaint);
      }
    });
  });

  it('allow plain http for the service key on this machine, and elsewhere only with --allow-plain-http', () => {
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
      assert.throws(() => read(address), /service key would be sent/);
      assert.equal(read(address, '--allow-plain-http')?.upstream.kind, 'hosted');
    }
  });

  it('read the service key from the environment', () => {
    assert.deepEqual(readServeOptions(['--upstream', HOSTED], { MODEL_ACCESS_KEY: 'key_of-the-service' })?.upstream, {
      kind: 'hosted',
      baseAddress: 'https://service.example/api/v1',
      serviceKey: 'key_of-the-service',
    });
  });

  it('accept the delay and the credit of the sandbox, and allowed origins', () => {
    const args = ['--delay', '0', '--credit', '2.5', '--allow-origin', 'http://a', '--allow-origin', 'http://b'];
    const options = readServeOptions(args, {});
    assert.deepEqual(options?.sandbox, { delayMs: 0, credit: 2.5 });
    assert.deepEqual(options?.allowedOrigins, ['http://a', 'http://b']);
  });

  it('warn about a guessable local key, and use it', () => {
    const options = readServeOptions([], { MODEL_ACCESS_LOCAL_KEY: 'key_short' });
    assert.equal(options?.key, 'key_short');
    assert.match(options?.warnings.join('\n') ?? '', /is easy to guess\. Use at least 20 characters/);
  });

  it('accept the memory for requests in progress if it fits the longest body', () => {
    assert.equal(readServeOptions(['--request-memory', '2048'], {}).heldMegabytes, 2048);
    assert.equal(readServeOptions([], {}).heldMegabytes, undefined);
    assert.throws(() => readServeOptions(['--request-memory', '100'], {}), /a number from 256 to 1000000/);
  });

  it('set a ledger only if one is given', () => {
    assert.equal(readServeOptions(['--ledger', 'spent.sqlite'], {})?.ledger, 'spent.sqlite');
    assert.ok(!('ledger' in (readServeOptions([], {}) ?? {})));
  });

  it('request the help text, the version, or neither', () => {
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
    it(`are rejected in one line if they are "${args.join(' ')}"`, () => {
      const isPlain = (error: unknown) =>
        error instanceof UsageError && complaint.test(error.message) && !error.message.includes('\n');
      assert.throws(() => readServeOptions(args, {}), isPlain);
    });
  }

  for (const [args, sentence] of [
    [['--bogus', '1'], 'There is no option --bogus. See --help.'],
    [['stray'], 'There is no option stray; options begin with --. See --help.'],
    [['--metrics=yes'], '--metrics takes no value. See --help.'],
    [['--port'], '--port takes a value. Write one that begins with a dash as --port=VALUE. See --help.'],
    [['--port', '-1'], '--port takes a value. Write one that begins with a dash as --port=VALUE. See --help.'],
  ] as const) {
    it(`are refused in plain words if they are "${args.join(' ')}"`, () => {
      assert.throws(() => readServeOptions(args, {}), new UsageError(sentence));
    });
  }
});
