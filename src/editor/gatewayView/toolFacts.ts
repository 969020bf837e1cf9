import type { KeyDetails } from '../../gateway/keys/issuedKey.ts';
import { isStale, type ToolConnection } from '../tools/toolConnections.ts';
import { toolName } from '../tools/toolList.ts';
import type { ToolFacts } from './gatewayRows.ts';

/** @param address The address of the running gateway. Undefined while it is off. */
export function toolFacts(
  connections: readonly ToolConnection[],
  keys: readonly KeyDetails[],
  address?: string,
): ToolFacts[] {
  return connections.map((connection) => {
    const key = keys.find(({ id }) => id === connection.key);
    return {
      id: connection.tool,
      name: toolName(connection.tool),
      keyId: connection.key,
      ...(key !== undefined && { key: key.name }),
      ...(connection.access !== undefined &&
        address !== undefined &&
        isStale(connection, address) && { staleAddress: connection.access.address }),
    };
  });
}
