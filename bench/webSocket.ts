/**
 * Compares an agent's run of turns over one WebSocket with the same run over HTTP, on a gateway in a process of its own:
 * the bytes that the client sends, and the time to the first token. Medians over the rounds, as ratios. `--rounds N` (5),
 * `--turns N` (30), `--items N`: kilobytes that each turn adds to the conversation (2).
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { startServed } from '../test/unit/gateway/support/served.ts';
import { median } from './load.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    turns: { type: 'string', default: '30' },
    items: { type: 'string', default: '2' },
  },
});
const [rounds, turns, kilobytes] = [Number(values.rounds), Number(values.turns), Number(values.items)];

/** As long as the instructions and tools of a coding agent. */
const HEAD = {
  model: 'familyc-5.4',
  store: false,
  instructions: 'Be brief. '.repeat(1_500),
  tools: Array.from({ length: 10 }, (_, nth) => ({
    type: 'function',
    name: `tool_${nth}`,
    description: 'Does something with a file. '.repeat(60),
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  })),
  tool_choice: 'none',
};

interface Run {
  readonly bytes: number;
  /** Milliseconds, one for each turn. */
  readonly firstTokens: readonly number[];
}

const question = (turn: number) => [
  { role: 'user', content: 'a result of a tool '.repeat((kilobytes * 1024) / 19) },
  { role: 'user', content: `echo: answer ${turn}` },
];

async function overHttp(address: string, key: string): Promise<Run> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const input: object[] = [];
  const firstTokens: number[] = [];
  let socket: Socket | undefined;
  for (let turn = 0; turn < turns; turn++) {
    input.push(...question(turn));
    const body = JSON.stringify({ ...HEAD, stream: true, input });
    const startedAt = performance.now();
    const sent = request(`${address}/responses`, {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    }).end(body);
    sent.on('socket', (used) => {
      socket = used;
    });
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const piece of response) {
      if (!text.includes(DELTA) && (text + String(piece)).includes(DELTA))
        firstTokens.push(performance.now() - startedAt);
      text += String(piece);
    }
    input.push(...outputIn(/^data: (.*"type":"response\.completed".*)$/m.exec(text)?.[1] ?? '{}').output);
  }
  const bytes = socket?.bytesWritten ?? 0;
  agent.destroy();
  return { bytes, firstTokens };
}

async function overWebSocket(address: string, key: string): Promise<Run> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/responses`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const connection = new Promise<Socket>((resolve) => socket.on('upgrade', ({ socket: used }) => resolve(used)));
  await once(socket, 'open');
  const firstTokens: number[] = [];
  let previous: string | undefined;
  for (let turn = 0; turn < turns; turn++) {
    const input = question(turn);
    const startedAt = performance.now();
    const ended = Promise.withResolvers<string>();
    const receive = (data: unknown): void => {
      const text = String(data);
      if (firstTokens.length === turn && text.includes(DELTA)) firstTokens.push(performance.now() - startedAt);
      if (text.includes('"type":"response.completed"')) ended.resolve(text);
      else if (text.includes('"type":"error"')) ended.reject(new Error(text));
    };
    socket.on('message', receive);
    socket.send(JSON.stringify({ type: 'response.create', ...HEAD, input, previous_response_id: previous }));
    previous = outputIn(await ended.promise).id;
    socket.off('message', receive);
  }
  const bytes = (await connection).bytesWritten;
  socket.terminate();
  return { bytes, firstTokens };
}

const DELTA = '"type":"response.output_text.delta"';
let answers = 0;

/** Reads the whole request, as a service does, and answers with one word. */
async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of asked);
  const id = `resp_${++answers}`;
  const content = [{ type: 'output_text', text: 'ok', annotations: [] }];
  const item = { type: 'message', id: `msg_${answers}`, role: 'assistant', status: 'completed', content };
  const whole = { id, object: 'response', status: 'completed', model: HEAD.model, output: [item], usage: USAGE };
  const events = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
    { type: 'response.output_text.delta', output_index: 0, item_id: item.id, content_index: 0, delta: 'ok' },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}

const USAGE = { input_tokens: 10, output_tokens: 1, total_tokens: 11 };

function outputIn(event: string): { readonly id: string; readonly output: readonly object[] } {
  return (JSON.parse(event) as { response: { id: string; output: object[] } }).response;
}

const upstream = createServer(answer).listen(0, '127.0.0.1');
await once(upstream, 'listening');
const upstreamAddress = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/api/v1`;
const gateway = await startServed(['--upstream', `hosted:${upstreamAddress}`], { MODEL_ACCESS_KEY: 'key_bench' });
const runs = { http: [] as Run[], webSocket: [] as Run[] };
for (let round = -1; round < rounds; round++) {
  const http = await overHttp(gateway.address, gateway.key);
  const webSocket = await overWebSocket(gateway.address, gateway.key);
  if (round < 0) continue;
  runs.http.push(http);
  runs.webSocket.push(webSocket);
}
await gateway.stop();
upstream.close();
upstream.closeAllConnections();

function show(name: string, of: (run: Run) => number): void {
  const [http, webSocket] = [median(runs.http.map(of)), median(runs.webSocket.map(of))];
  console.log(`| ${name} | ${http.toFixed(2)} | ${webSocket.toFixed(2)} | ${(webSocket / http).toFixed(2)} |`);
}

console.log(`${turns} turns, ${kilobytes} KB each\n\n| | HTTP | WebSocket | ratio |\n|---|---|---|---|`);
show('KB sent by the client', ({ bytes }) => bytes / 1024);
show('first token, ms (median of the turns)', ({ firstTokens }) => median(firstTokens));
show('first token of the last turn, ms', ({ firstTokens }) => firstTokens.at(-1) ?? 0);
