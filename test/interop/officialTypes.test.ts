import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import ts from 'typescript';
import type { FormatName } from '../../src/formats/conversation.ts';
import { wireFormats } from '../../src/formats/index.ts';
import { runs } from '../support/randomRuns.ts';
import { send } from '../unit/gateway/support/client.ts';
import { closeAll } from '../unit/gateway/support/gateway.ts';
import { PAIRS, startRouter } from '../unit/gateway/support/routed.ts';
import { randomRequest, written } from '../unit/gateway/translation/randomRequest.ts';

/** The types that the vendors' SDKs publish for requests, of the version of the messages format that is sent. */
const TYPES: Readonly<Record<FormatName, string>> = {
  'chat-completions': "import('openai').OpenAI.ChatCompletionCreateParams",
  messages: "import('anthropic-sdk-previous').Anthropic.MessageCreateParams",
  responses: "import('openai').OpenAI.Responses.ResponseCreateParams",
};
/** Members of servers that have extended the format, without which they refuse the next request. */
const EXTENSIONS: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning_details']);
const FILE = fileURLToPath(new URL('officialTypes.generated.ts', import.meta.url));

/** Returns what the compiler says about bodies that are written as constants of these types. */
function problemsOf(bodies: readonly (readonly [format: FormatName, body: string])[]): readonly string[] {
  const text = bodies.map(([format, body], nth) => `export const body${nth}: ${TYPES[format]} = ${body};`).join('\n');
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === FILE || fileExists(path);
  host.getSourceFile = (path, version, ...rest) =>
    path === FILE ? ts.createSourceFile(path, text, version) : getSourceFile(path, version, ...rest);
  const program = ts.createProgram([FILE], options, host);
  const source = program.getSourceFile(FILE);
  return program.getSemanticDiagnostics(source).map(({ messageText, start = 0 }) => {
    const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
    return `${ts.flattenDiagnosticMessageText(messageText, '\n')}\n${bodies[line]?.[1]}`;
  });
}

describe("requests that were translated to a vendor's format", () => {
  afterEach(closeAll);

  it("have the types that the vendor's SDK publishes", async () => {
    const bodies: [FormatName, string][] = [];
    for (const { caller, upstream } of PAIRS) {
      const script = () => ({ parts: [{ text: 'ok' }] });
      const { port, servers } = await startRouter([{ formats: [upstream], script }]);
      const path = `/api/v1${wireFormats[caller].path}`;
      for (const wanted of fc.sample(randomRequest, runs(15))) {
        await send({ port, path, body: JSON.stringify(written(caller, wanted)) });
        const sent = servers[0]?.requests.at(-1)?.body;
        const official = JSON.stringify(sent, (name, value: unknown) => (EXTENSIONS.has(name) ? undefined : value));
        bodies.push([upstream, official]);
      }
    }
    assert.deepEqual(problemsOf(bodies).slice(0, 3), []);
  });

  it('would be found if they had others', () => {
    const message = '{"role":"user","content":[{"type":"text"}]}';
    const problems = problemsOf([
      ['chat-completions', `{"model":"m","messages":[${message}]}`],
      ['messages', `{"model":"m","max_tokens":5,"messages":[${message}]}`],
      ['responses', `{"model":"m","input":[${message}]}`],
    ]);
    assert.equal(problems.length, 3);
  });
});
