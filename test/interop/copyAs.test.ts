/**
 * Copied programs, run as a user would run them: by bash, by Node with the official SDKs, and by Python with its own.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { ROOT } from '../../scripts/lib/paths.ts';
import { type TemporaryFolder, temporaryFolder } from '../../scripts/lib/temporaryFolder.ts';
import { type SnippetLanguage, toSnippet } from '../../src/copyAs/snippet.ts';
import type { SnippetPath, SnippetRequest } from '../../src/copyAs/snippetRequest.ts';
import type { JsonObject } from '../../src/formats/json.ts';
import { anyCharacter } from '../support/anyCharacter.ts';
import { ModelServer } from '../support/modelServer/modelServer.ts';
import { runs } from '../support/randomRuns.ts';

const run = promisify(execFile);
const KEY = 'key_of-the-variable';
const SAID = 'It’s “fine”: $HOME `id` \\n !! 😀';
const ODD = 'Say it:\nit\'s "fine", $HOME `id` $(id) \\ \\n JSON\nJSON\n!! \u2028 \0 😀';
const PYTHON = process.env.PYTHON ?? 'python3';

const BODIES: Readonly<Record<Exclude<SnippetPath, '/messages/count_tokens'>, JsonObject>> = {
  '/chat/completions': {
    model: 'familyc-5.4',
    messages: [{ role: 'user', content: ODD }],
    max_tokens: 100,
    own_member: { "it's": null, deep: [true, 1.5] },
  },
  '/messages': {
    model: 'familya-haiku-4.5',
    max_tokens: 64_000,
    temperature: 0.5,
    system: ODD,
    messages: [{ role: 'user', content: [{ type: 'text', text: ODD }] }],
    own_member: false,
  },
  '/responses': { model: 'familyc-5.4', input: [{ role: 'user', content: ODD }], own_member: [] },
};
const PATHS = Object.keys(BODIES) as (keyof typeof BODIES)[];

describe('a copied program', () => {
  let server: ModelServer;
  let folder: TemporaryFolder;
  const env = { ...process.env, MODEL_ACCESS_API_KEY: KEY, OPENAI_API_KEY: 'key_of-others', NO_PROXY: '127.0.0.1' };

  before(async () => {
    server = await ModelServer.start(({ path }) =>
      path.endsWith('/count_tokens') ? { status: 200, body: { input_tokens: 7 } } : { parts: [{ text: SAID }] },
    );
    folder = await temporaryFolder();
    await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'), 'junction');
  });

  after(async () => {
    await server.close();
    await folder.remove();
  });

  beforeEach(() => {
    server.requests.length = 0;
  });

  async function output(program: SnippetRequest, language: SnippetLanguage): Promise<string> {
    const text = toSnippet(program, language);
    if (language === 'curl') return (await run('bash', ['-c', text], { env })).stdout;
    const file = join(folder.path, language === 'python' ? 'ask.py' : 'ask.mts');
    await writeFile(file, text);
    return (await run(language === 'python' ? PYTHON : process.execPath, [file], { env })).stdout;
  }

  function checkAsked(path: SnippetPath, body: JsonObject): void {
    const [asked] = server.requests;
    assert.equal(server.requests.length, 1);
    assert.equal(asked?.path, `/api/v1${path}`);
    assert.deepEqual(asked?.body, body);
    assert.equal(asked?.headers.authorization, `Bearer ${KEY}`);
    assert.equal(asked?.headers['x-api-key'], undefined);
    // The SDKs' own version refuses the temperature of the body.
    const version = 'temperature' in body ? /^2023-06-01$/ : /^20\d\d-/;
    if (path.startsWith('/messages')) assert.match(String(asked?.headers['anthropic-version']), version);
  }

  for (const path of PATHS) {
    for (const stream of [true, false]) {
      const body = { ...BODIES[path], ...(stream && { stream }) };
      const title = `${path}, ${stream ? 'streamed' : 'in one piece'}`;

      it(`sends the same request from bash with curl: ${title}`, async () => {
        const text = await output({ baseAddress: server.baseUrl, path, body }, 'curl');
        checkAsked(path, body);
        assert.match(text, stream ? /data: / : /^\{/);
      });

      it(`sends the same request from Node and prints the answer: ${title}`, async () => {
        const text = await output({ baseAddress: server.baseUrl, path, body }, 'typescript');
        checkAsked(path, body);
        assert.equal(text.trim(), SAID);
      });

      it(`sends the same request from Python and prints the answer: ${title}`, async function () {
        if (!(await hasModule(path.startsWith('/messages') ? 'anthropic' : 'openai'))) this.skip();
        const text = await output({ baseAddress: server.baseUrl, path, body }, 'python');
        checkAsked(path, body);
        assert.equal(text.trim(), SAID);
      });
    }
  }

  it('counts tokens in each language', async () => {
    const { max_tokens: _, own_member: __, temperature: ___, ...body } = BODIES['/messages'];
    const count = { baseAddress: server.baseUrl, path: '/messages/count_tokens', body } as const;
    assert.match(await output(count, 'curl'), /"input_tokens":7/);
    checkAsked('/messages/count_tokens', body);
    assert.equal((await output(count, 'typescript')).trim(), '7');
    if (await hasModule('anthropic')) assert.equal((await output(count, 'python')).trim(), '7');
  });

  it('omits the SDK if the SDK cannot use the address', async function () {
    const [path, body] = ['/messages', { ...BODIES['/messages'], stream: true }] as const;
    const elsewhere = { baseAddress: server.baseUrl.replace('/api/v1', '/other'), path, body } as const;
    await assert.rejects(output(elsewhere, 'typescript'), /Error: 404/);
    assert.equal(server.requests[0]?.path, '/other/messages');
    assert.deepEqual(server.requests[0]?.body, body);
    if (!(await hasModule('json'))) this.skip();
    await assert.rejects(output(elsewhere, 'python'), /404/);
    assert.deepEqual(server.requests[1]?.body, body);
  });

  it('reports a missing key before sending anything', async () => {
    const { MODEL_ACCESS_API_KEY: _, ...bare } = env;
    const file = join(folder.path, 'bare.mts');
    await writeFile(
      file,
      toSnippet({ baseAddress: server.baseUrl, path: '/responses', body: BODIES['/responses'] }, 'typescript'),
    );
    await assert.rejects(run(process.execPath, [file], { env: bare }), /MODEL_ACCESS_API_KEY is not set/);
    assert.equal(server.requests.length, 0);
  });

  it('is safe in the shell for any body and address', async () => {
    const address = fc.constantFrom('', "/it's", '/$HOME', '/`id`', '/a b', '/%7B1..3%7D');
    const body = fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue({ stringUnit: 'grapheme' }), {
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(address, body, async (suffix, value) => {
        server.requests.length = 0;
        const sent = JSON.parse(JSON.stringify(value)) as JsonObject;
        const program = { baseAddress: encodeURI(server.baseUrl + suffix), path: '/messages', body: sent } as const;
        await output(program, 'curl');
        assert.equal(server.requests.length, 1);
        assert.deepEqual(server.requests[0]?.body, sent);
        assert.equal(server.requests[0]?.path, new URL(`${program.baseAddress}/messages`).pathname);
      }),
      { numRuns: runs(5) },
    );
  });
});

async function hasModule(name: string): Promise<boolean> {
  return run(PYTHON, ['-c', `import ${name}`]).then(
    () => true,
    () => false,
  );
}
