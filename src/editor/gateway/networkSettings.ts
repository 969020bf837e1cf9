import * as vscode from 'vscode';
import type { NetworkSettings } from '../../gateway/upstreams/dispatcher.ts';

/** The editor's `http.*` settings, which the worker must be told: nothing applies them there. */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  const strictSSL = http.get<boolean>('proxyStrictSSL', true);
  // An empty address means none, whatever the environment says.
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
