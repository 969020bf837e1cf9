/** An MCP server over standard input and output with one tool, whose name has a character that services reject. */
import { createInterface } from 'node:readline';

interface Call {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly lamp?: string } };
}

const TOOL = {
  name: 'lamp.state',
  description: 'Tells whether a lamp is on.',
  inputSchema: { type: 'object', properties: { lamp: { type: 'string' } }, required: ['lamp'] },
  annotations: { readOnlyHint: true },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const call = JSON.parse(line) as Call;
  // A message without an ID is a notification, which gets no response.
  if (call.id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer(call) })}\n`);
});

function answer({ method, params }: Call): object {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = params ?? {};
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'lamps', version: '1' } } };
    }
    case 'tools/list':
      return { result: { tools: [TOOL] } };
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: `Lamp ${params?.arguments?.lamp} is green.` }] } };
    default:
      return { error: { code: -32601, message: `There is no ${method}.` } };
  }
}
