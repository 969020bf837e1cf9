/**
 * A service with prices, in a process of its own, that counts its requests: `/api/v1/bill` returns the number. A line of
 * the standard input is the time in milliseconds that it takes for an answer from then on, 0 at first.
 */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { announce } from './processes.ts';
import { MODEL, PRICES, USAGE } from './team/prices.ts';

let answered = 0;
let answerMs = 0;

createInterface(process.stdin).on('line', (line) => {
  answerMs = Number(line);
});

const LIST = JSON.stringify({ object: 'list', data: [{ id: MODEL, object: 'model', pricing: PRICES }] });
const ANSWER = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'A short answer.' }, finish_reason: 'stop' }],
  usage: USAGE,
});

announce(
  // A connection that is closed while a request is in transit would count as a failure of the gateway.
  createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    request.resume().on('end', () => {
      const isQuestion = request.method === 'POST';
      if (isQuestion) answered += 1;
      const own = request.url?.endsWith('/bill') === true ? String(answered) : LIST;
      const body = isQuestion ? ANSWER : own;
      const send = () =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
          .end(body);
      if (isQuestion && answerMs > 0) setTimeout(send, answerMs);
      else send();
    });
  }),
);
