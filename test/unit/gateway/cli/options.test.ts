import assert from 'node:assert/strict';
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
    const environment = { MODEL_ACCESS_LOCAL_KEY: 'key_environment' };
    assert.equal(readServeOptions([], environment)?.key, 'key_environment');
    assert.equal(readServeOptions(['--key', 'key_given'], environment)?.key, 'key_given');
  });

  it('take the service key from the environment only', () => {
    assert.deepEqual(readServeOptions(['--upstream', HOSTED], { MODEL_ACCESS_KEY: 'key_service' })?.upstream, {
      kind: 'hosted',
      baseAddress: 'https://service.example/api/v1',
      serviceKey: 'key_service',
    });
  });

  it('take the pace and the credit of the sandbox, and origins of pages', () => {
    const args = ['--delay', '0', '--credit', '2.5', '--allow-origin', 'http://a', '--allow-origin', 'http://b'];
    const options = readServeOptions(args, {});
    assert.deepEqual(options?.sandbox, { delayMs: 0, credit: 2.5 });
    assert.deepEqual(options?.allowedOrigins, ['http://a', 'http://b']);
  });

  it('name a ledger only when they are given one', () => {
    assert.equal(readServeOptions(['--ledger', 'spent.sqlite'], {})?.ledger, 'spent.sqlite');
    assert.ok(!('ledger' in (readServeOptions([], {}) ?? {})));
  });

  it('are none when help is asked for', () => {
    assert.equal(readServeOptions(['--help'], {}), undefined);
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
    [['--key', 'key_with space'], /key_/],
  ] as const) {
    it(`are refused in one line when they are "${args.join(' ')}"`, () => {
      const isPlain = (error: unknown) =>
        error instanceof UsageError && complaint.test(error.message) && !error.message.includes('\n');
      assert.throws(() => readServeOptions(args, {}), isPlain);
    });
  }
});
