/**
 * A hosted service that uses as little CPU as possible, in a process of its own. The model's name determines the
 * answer: `json`; `events-200` for 200 events in one burst; `events-200-packed` for as many in chunks of 20;
 * `events-200-5` for one event every 5 ms; `silent` for no answer; `half-json` and `half-stream` for an answer that stops
 * after its beginning. `/departures` lists when requests without a complete answer were canceled.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { announce } from './processes.ts';

const MODEL = 'familya-haiku-4.5';
const USAGE = { prompt_tokens: 10, completion_tokens: 150, total_tokens: 160 };

const JSON_ANSWER = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(150) }, finish_reason: 'stop' }],
  usage: USAGE,
});

const MODELS = JSON.stringify({
  object: 'list',
  data: ['json', 'events-200', 'events-200-packed', 'events-200-1'].map((id) => ({
    id,
    object: 'model',
    pricing: { prompt: '0.000001' },
  })),
});

const EVENT = chunk({ delta: { content: 'some words of an answer ' }, finish_reason: null });
const LAST_EVENTS = `${chunk({ delta: {}, finish_reason: 'stop' }, { usage: USAGE })}data: [DONE]\n\n`;

function chunk(choice: object, more: object = {}): string {
  const frame = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: MODEL };
  return `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, logprobs: null, ...choice }], ...more })}\n\n`;
}

/** Most servers write each event as a chunk of its own. A proxy in front of them may join those that it reads at once. */
const EVENTS_PER_CHUNK = 20;

/** System time, in milliseconds. */
const departures: number[] = [];

function answer(model: string, response: ServerResponse): void {
  const [kind, events = '0', pace = '0'] = model.split('-');
  if (kind === 'silent') return;
  if (pace === 'packed') void sendPacked(response, Number(events));
  else if (kind === 'events') void stream(response, Number(events), Number(pace));
  else if (model === 'half-stream') beginStream(response).write(EVENT);
  else if (model === 'half-json') response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
  else sendJson(response, JSON_ANSWER);
}

function sendJson(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function beginStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** @param pace milliseconds between two events. With 0, all events are sent at once. */
async function stream(response: ServerResponse, events: number, pace: number): Promise<void> {
  beginStream(response);
  for (let sent = 0; sent < events && !response.destroyed; sent++) {
    response.write(EVENT);
    if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace));
  }
  response.end(LAST_EVENTS);
}

async function sendPacked(response: ServerResponse, events: number): Promise<void> {
  beginStream(response);
  for (let sent = 0; sent < events && !response.destroyed; sent += EVENTS_PER_CHUNK) {
    response.write(EVENT.repeat(Math.min(EVENTS_PER_CHUNK, events - sent)));
    await nextTurn();
  }
  response.end(LAST_EVENTS);
}

/**
 * Returns the model in a body. Large bodies are not searched, because every client here writes the model at the
 * beginning.
 */
function modelOf(firstChunk: Buffer | undefined): string {
  return /"model":"([^"]*)"/.exec(firstChunk?.toString('latin1', 0, 1000) ?? '')?.[1] ?? 'json';
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  response.on('close', () => {
    if (!response.writableFinished) departures.push(performance.timeOrigin + performance.now());
  });
  let first: Buffer | undefined;
  request.on('data', (data: Buffer) => {
    first ??= data;
  });
  request.on('end', () => answer(modelOf(first), response));
}

/** Longer than any target waits for its turn: the bare proxy repeats a request on a connection that is being closed. */
const keepAliveTimeout = 600_000;

const server = createServer({ keepAliveTimeout }, (request, response) => {
  if (request.url?.endsWith('/departures')) sendJson(response, JSON.stringify(departures.splice(0)));
  else if (request.method === 'GET') sendJson(response, MODELS);
  else serve(request, response);
});

announce(server);
