import { join } from 'node:path';
import { WINDOW_HEADER, WINDOW_VARIABLE } from '../../rules/windowMark.ts';

/**
 * The variables through which SDKs and command-line tools find the gateway:
 * - The OpenAI SDKs read `OPENAI_BASE_URL` and `OPENAI_API_KEY`; aider and other users of LiteLLM read
 *   `OPENAI_API_BASE`.
 * - The Anthropic SDKs and Claude Code read `ANTHROPIC_BASE_URL` (without the version, which they append) and
 *   `ANTHROPIC_AUTH_TOKEN`. A key in `ANTHROPIC_API_KEY` would be sent instead, so it is set to empty.
 * Codex no longer reads `OPENAI_BASE_URL` and may take `OPENAI_API_KEY`, which it would send to its vendor. It is
 * connected through its own configuration file.
 * @param address The gateway's base address with its prefix, such as `http://127.0.0.1:8787/api/v1`.
 * @param secret The secret of a local key.
 * @param withOpenAi False if Codex could take the key. The variables that it reads are then omitted.
 */
export function gatewayVariables(
  address: string,
  secret: string,
  withOpenAi: boolean,
): Readonly<Record<string, string>> {
  return {
    ...(withOpenAi && { OPENAI_BASE_URL: address, OPENAI_API_BASE: address, OPENAI_API_KEY: secret }),
    ANTHROPIC_BASE_URL: address.replace(/\/v1$/, ''),
    ANTHROPIC_AUTH_TOKEN: secret,
    ANTHROPIC_API_KEY: '',
  };
}

/**
 * The variables with which connected tools, which have the gateway's address in a file for all windows, name the window
 * of their terminal:
 * - The file of Codex has the name of a variable with the value of the header.
 * - Claude Code adds the headers in `ANTHROPIC_CUSTOM_HEADERS`, unless the user has some.
 */
export function windowVariables(
  mark: string,
  isConnected: (tool: string) => boolean,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const hasHeaders = Boolean(env.ANTHROPIC_CUSTOM_HEADERS);
  return {
    ...(isConnected('codex') && { [WINDOW_VARIABLE]: mark }),
    ...(isConnected('claude-code') && !hasHeaders && { ANTHROPIC_CUSTOM_HEADERS: `${WINDOW_HEADER}: ${mark}` }),
  };
}

/** The folder that Codex creates when it first runs. */
export function codexFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return env.CODEX_HOME ?? join(home, '.codex');
}
