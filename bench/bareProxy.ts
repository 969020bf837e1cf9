/** The baseline: a reverse proxy of `node:http` that only pipes bytes. The argument is the port to forward to. */
import { Agent, createServer, request as httpRequest } from 'node:http';
import { announce } from './processes.ts';

const target = { host: '127.0.0.1', port: Number(process.argv[2]), agent: new Agent({ keepAlive: true }) };

const server = createServer((request, response) => {
  const { method = '', url = '', headers } = request;
  const forwarded = httpRequest({ ...target, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  request.pipe(forwarded);
});

announce(server);
