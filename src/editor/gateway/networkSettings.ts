import * as vscode from 'vscode';
import type { NetworkSettings } from '../../gateway/upstreams/dispatcher.ts';

/** Reads the editor's `http.*` settings for the worker, where the editor does not apply them. */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  const strictSSL = http.get<boolean>('proxyStrictSSL', true);
  // An empty address means no proxy, regardless of the environment variables.
  if (http.get<string>('proxySupport') === 'off') return { proxy: '', strictSSL };
  const proxy = http.get<string>('proxy', '').trim();
  const proxyAuthorization = http.get<string | null>('proxyAuthorization', null);
  return {
    noProxy: http.get<string[]>('noProxy', []),
    strictSSL,
    ...(proxy !== '' && { proxy }),
    ...(proxyAuthorization !== null && { proxyAuthorization }),
  };
}
