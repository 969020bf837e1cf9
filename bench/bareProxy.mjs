/**
 * The baseline: a reverse proxy with `node:http` that only pipes bytes. The argument is the port to forward to. It is
 * written in JavaScript, so that Node's TypeScript compiler counts neither in its start nor in its memory.
 */
import { Agent, createServer, request as httpRequest } from 'node:http';

const target = { host: '127.0.0.1', port: Number(process.argv[2]), agent: new Agent({ keepAlive: true }) };

const server = createServer((request, response) => {
  const { method, url, headers } = request;
  const forwarded = httpRequest({ ...target, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  request.pipe(forwarded);
});

server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
  console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}/api/v1`, key: 'key_none' }));
});
