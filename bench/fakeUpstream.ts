/**
 * A hosted service that costs as little as possible, in a process of its own. The query says how to answer:
 * `?events=200` streams so many events in one burst, `?events=200&pace=5` one every 5 ms, no query a small JSON answer.
 */
import { createServer, type ServerResponse } from 'node:http';
import { announce } from './processes.ts';

const JSON_ANSWER = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  model: 'familya-haiku-4.5',
  choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(150) }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 150, total_tokens: 160 },
});

const EVENT = `data: ${JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'familya-haiku-4.5',
  choices: [{ index: 0, delta: { content: 'some words of an answer ' }, logprobs: null, finish_reason: null }],
})}\n\n`;

const DONE = 'data: [DONE]\n\n';

async function stream(response: ServerResponse, events: number, pace: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (pace === 0) {
    response.end(EVENT.repeat(events) + DONE);
    return;
  }
  for (let sent = 0; sent < events && !response.destroyed; sent++) {
    response.write(EVENT);
    await new Promise((resolve) => setTimeout(resolve, pace));
  }
  response.end(DONE);
}

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '', 'http://localhost').searchParams;
  request.resume().on('end', () => {
    const events = Number(query.get('events') ?? 0);
    if (events > 0) {
      void stream(response, events, Number(query.get('pace') ?? 0));
    } else {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(JSON_ANSWER) });
      response.end(JSON_ANSWER);
    }
  });
});

announce(server);
