import { type SnippetRequest, sdkAddress } from './snippetRequest.ts';

/** Writes the two kinds of program in one language, as lines. */
export interface ProgramWriter {
  /** Uses the official SDK of the request's format. */
  readonly withSdk: (request: SnippetRequest, sdkAddress: string) => readonly string[];
  /** Uses only what is built into the language. */
  readonly plain: (request: SnippetRequest) => readonly string[];
}

/** Writes a program with the official SDK, or without it if the SDK cannot use the address. */
export function writeProgram(request: SnippetRequest, { withSdk, plain }: ProgramWriter): string {
  const address = sdkAddress(request);
  const lines = address === undefined ? plain(request) : withSdk(request, address);
  return `${lines.join('\n')}\n`;
}
