import { FORMAT_NAMES, type FormatName } from '../../../src/formats/conversation.ts';
import { createHosted } from '../../../src/gateway/upstreams/hosted.ts';
import { ModelServer, type Script } from '../../support/modelServer/modelServer.ts';
import { LOCAL_KEY } from '../../unit/gateway/support/client.ts';
import { closeLater, SERVICE_KEY, startGateway } from '../../unit/gateway/support/gateway.ts';
import { startRouter } from '../../unit/gateway/support/routed.ts';
import type { GatewayAddress } from './sdkClient.ts';

/** A gateway and the scripted server behind it. */
export interface ScriptedGateway extends GatewayAddress {
  readonly server: ModelServer;
}

/** A kind of upstream for a gateway. */
export interface UpstreamKind {
  readonly name: string;
  /** Returns the format in which the server is called for a client of this format. */
  formatFor(caller: FormatName): FormatName;
  start(script: Script): Promise<ScriptedGateway>;
}

function addressOf(port: number, server: ModelServer | undefined): ScriptedGateway {
  if (server === undefined) throw new Error('There is no server.');
  const root = `http://127.0.0.1:${port}/api`;
  return { root, address: `${root}/v1`, key: LOCAL_KEY, server };
}

const compatible = (format: FormatName): UpstreamKind => ({
  name: `a compatible upstream of ${format}`,
  formatFor: () => format,
  async start(script) {
    const { port, servers } = await startRouter([{ formats: [format], script }]);
    return addressOf(port, servers[0]);
  },
});

const hosted: UpstreamKind = {
  name: 'a hosted service',
  formatFor: (caller) => caller,
  async start(script) {
    const server = await ModelServer.start(script);
    closeLater(() => server.close());
    const upstream = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
    closeLater(() => upstream.close());
    const { port } = await startGateway({ upstream });
    return addressOf(port, server);
  },
};

/** The first upstream is unavailable, so each request is prepared for two upstreams of different formats. */
const routed: UpstreamKind = {
  name: 'the second of two upstreams',
  formatFor: () => 'messages',
  async start(script) {
    const down = { formats: ['chat-completions' as const], script: () => 'hang up' as const };
    const { port, servers } = await startRouter([down, { formats: ['messages'], script }]);
    return addressOf(port, servers[1]);
  },
};

export const UPSTREAM_KINDS: readonly UpstreamKind[] = [...FORMAT_NAMES.map(compatible), hosted, routed];
