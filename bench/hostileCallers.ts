/**
 * Measures how long one hostile caller delays others: for each hostile body, the longest answer to `/health` while the
 * body is processed. The gateway is in front of the sandbox, and of upstreams of each format, into which the body is
 * translated. On Linux it also reports the gateway's peak memory, and the most processor time that its thread has used
 * while an answer to `/health` was awaited, which other programs on the machine do not change.
 * `node bench/hostileCallers.ts [WORDS OF A NAME]`.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Served, startServed } from '../test/unit/gateway/support/served.ts';

type Gateway = Pick<Served, 'port' | 'child'>;

const MB = 1024 * 1024;
const MAX_BODY_BYTES = 32 * MB - 4096;
const FORMATS = ['chat-completions', 'messages', 'responses'] as const;
type Format = (typeof FORMATS)[number];

const PATHS: Readonly<Record<Format, readonly string[]>> = {
  'chat-completions': ['/v1/chat/completions'],
  messages: ['/v1/messages', '/v1/messages/count_tokens'],
  responses: ['/v1/responses', '/v1/responses/compact'],
};

/** Returns as many copies of a JSON value as fit into a body. */
function many(item: string, bytes = MAX_BODY_BYTES): string {
  return `${item},`.repeat(Math.floor(bytes / (item.length + 1))).slice(0, -1);
}

interface Parts {
  readonly model?: string;
  readonly said?: string;
  readonly tools?: string;
  readonly further?: string;
}

function body(format: Format, { model = 'm', said = '"hello"', tools, further }: Parts): string {
  const conversation = format === 'responses' ? 'input' : 'messages';
  const listed = tools === undefined ? '' : `,"tools":[${tools}]`;
  return `{"model":"${model}","max_tokens":9${further ?? ''}${listed},"${conversation}":[{"role":"user","content":${said}}]}`;
}

function tool(format: Format, name: string, schema = '{}'): string {
  if (format === 'messages') return `{"name":"${name}","input_schema":${schema}}`;
  const named = `"name":"${name}","parameters":${schema}`;
  return format === 'responses' ? `{"type":"function",${named}}` : `{"type":"function","function":{${named}}}`;
}

function numberedTools(format: Format, count: number): string {
  return Array.from({ length: count }, (_, nth) => tool(format, `t${nth}`)).join();
}

const textPart = (format: Format, text: string) =>
  `{"type":"${format === 'responses' ? 'input_text' : 'text'}","text":"${text}"}`;

const HOSTILE: Readonly<Record<string, (format: Format) => string>> = {
  'a long string': (format) => body(format, { said: `"${'a'.repeat(MAX_BODY_BYTES)}"` }),
  'a long string of escapes': (format) => body(format, { said: `"${'\\u0041'.repeat(MAX_BODY_BYTES / 6)}"` }),
  'spaces alone': (format) => body(format, { said: `"${' '.repeat(MAX_BODY_BYTES)}"` }),
  'tags that never close': (format) => body(format, { said: `"${'<userRequest> '.repeat(MAX_BODY_BYTES / 14)}"` }),
  'long instructions': (format) => {
    const text = 'word '.repeat(MAX_BODY_BYTES / 5 - 100);
    if (format === 'responses') return body(format, { further: `,"stream":true,"instructions":"${text}"` });
    if (format === 'messages') return body(format, { further: `,"stream":true,"system":"${text}"` });
    return body(format, { further: ',"stream":true' }).replace('[{', `[{"role":"system","content":"${text}"},{`);
  },
  'pairs of words': (format) => body(format, { said: `"${'a=b '.repeat(MAX_BODY_BYTES / 4)}"` }),
  'many parts': (format) => body(format, { said: `[${many(textPart(format, 'a'))}]` }),
  'many messages': (format) => {
    const message = '{"role":"user","content":"a"}';
    return body(format, {}).replace(/\[\{"role".*$/s, `[${many(message)}]}`);
  },
  'tools of one name': (format) => body(format, { tools: many(tool(format, 'f')) }),
  'tools of 600,000 names': (format) => body(format, { tools: numberedTools(format, 500_000) }),
  'tools up to the limit': (format) => body(format, { tools: numberedTools(format, 10_000) }),
  'parts up to the limit': (format) => body(format, { said: `[${many(textPart(format, 'a'), 2 * MB)}]` }),
  'a schema of many members': (format) => body(format, { tools: tool(format, 'f', `{"required":[${many('"a"')}]}`) }),
  'a schema with a slow pattern': (format) =>
    body(format, {
      tools: tool(
        format,
        'f',
        '{"type":"object","properties":{"a":{"type":"string","pattern":"^(([a-z0-9]+)*)*$"},"b":{"type":"string","pattern":"(a+)+(a+)+(a+)+(0+)+$"}},"required":["a","b"]}',
      ),
      further: format === 'messages' ? ',"tool_choice":{"type":"any"}' : ',"tool_choice":"required"',
    }),
  'a long name of a model': (format) => body(format, { model: 'llama-'.repeat(100_000) }),
  'a deep list': (format) =>
    body(format, { said: `${'['.repeat(MAX_BODY_BYTES / 2)}${']'.repeat(MAX_BODY_BYTES / 2)}` }),
  'many empty lists': (format) => body(format, { further: `,"metadata":{"a":[${many('[]')}]}` }),
  'many members': (format) =>
    body(format, { further: `,"metadata":{${Array.from({ length: 2_000_000 }, (_, nth) => `"a${nth}":1`).join()}}` }),
  'stop sequences': (format) =>
    body(format, {
      further: `,"${format === 'messages' ? 'stop_sequences' : 'stop'}":[${many('"aaaaaaaaaaaaaaab"', 4 * MB)}]`,
    }),
  'references to items': (format) =>
    body(format, {}).replace(/\[\{"role".*$/s, `[${many('{"type":"item_reference","id":"x"}')}]}`),
  backslashes: (format) => body(format, { said: `"${'\\\\'.repeat(MAX_BODY_BYTES / 2)}"` }),
  quotes: (format) => body(format, { said: `"${'\\"'.repeat(MAX_BODY_BYTES / 2)}"` }),
};

/** The delay of one answer, in milliseconds. */
interface Delay {
  /** The time of the clock. */
  readonly waited: number;
  /** The processor time of the gateway's thread in it. */
  readonly worked: number;
}

async function health({ port, child }: Gateway): Promise<Delay> {
  const began = performance.now();
  const worked = processorTime(child.pid);
  const [response] = (await once(get({ host: '127.0.0.1', port, path: '/health', agent: false }), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
  await once(response, 'end');
  return { waited: performance.now() - began, worked: processorTime(child.pid) - worked };
}

/** Returns the processor time that the main thread has used, in milliseconds; Linux only. */
function processorTime(pid: number | undefined): number {
  if (process.platform !== 'linux') return Number.NaN;
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Returns the peak memory in MB; Linux only. */
function peakMemory(pid: number | undefined): string {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(status) ?? [];
  return kilobytes === undefined ? 'unknown' : `${Math.round(Number(kilobytes) / 1024)} MB`.padStart(10);
}

async function post(port: number, path: string, headers: Record<string, string>, sent: Buffer): Promise<string> {
  const asked = request({ host: '127.0.0.1', port, path, method: 'POST', agent: false, headers });
  asked.on('error', () => undefined).end(sent);
  const answered = await once(asked, 'response').catch(() => undefined);
  if (answered === undefined) return 'cut';
  const [response] = answered as [IncomingMessage];
  response.resume();
  await once(response, 'close');
  return String(response.statusCode);
}

/** Returns the longest delays of `/health` until the request has been answered. */
async function delayed(gateway: Gateway, answered: Promise<string>): Promise<Delay & { status: string }> {
  const delays: Delay[] = [];
  const state = { isOver: false };
  void answered.then(() => {
    state.isOver = true;
  });
  while (!state.isOver) {
    delays.push(await health(gateway));
    await delay(2);
  }
  delays.push(await health(gateway));
  const [waited, worked] = (['waited', 'worked'] as const).map((of) => Math.max(...delays.map((each) => each[of])));
  return { status: await answered, waited: waited ?? 0, worked: worked ?? 0 };
}

const upstream = createServer((_request, response) => {
  _request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
}).listen(0, '127.0.0.1');
await once(upstream, 'listening');
const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const only = process.argv[2];

for (const target of ['sandbox', ...FORMATS]) {
  const config = join(folder, `${target}.json`);
  writeFileSync(
    config,
    JSON.stringify({ upstreams: [{ id: 'x', baseUrl, formats: [target], models: ['*', '*llama*instruct*'] }] }),
  );
  const served = await startServed(target === 'sandbox' ? ['--delay', '0'] : ['--config', config]);
  for (const [name, make] of Object.entries(HOSTILE)) {
    if (only !== undefined && !name.includes(only)) continue;
    for (const format of FORMATS) {
      // Bodies in the upstream's own format are not read.
      if (format === target) continue;
      const text = make(format);
      const sent = Buffer.from(
        target === 'sandbox' ? text.replace('"model":"m"', '"model":"familya-haiku-4.5"') : text,
      );
      for (const path of PATHS[format]) {
        const { status, ...worst } = await delayed(served, post(served.port, path, served.headers, sent));
        const [waited, worked] = [worst.waited, worst.worked].map((ms) => ms.toFixed(0).padStart(7));
        console.log(`${waited} ms ${worked} ms worked  ${status}  ${path} for ${target}: ${name}`);
      }
    }
  }
  console.log(`${peakMemory(served.child.pid)}  most memory with ${target}`);
  await served.stop();
}
upstream.close();
rmSync(folder, { recursive: true, force: true });
