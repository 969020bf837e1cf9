import { type SnippetRequest, sdkAddress } from './snippetRequest.ts';

/** How a language writes the two kinds of program, in lines. */
export interface ProgramWriter {
  /** With the official SDK of the request's format. */
  readonly withSdk: (request: SnippetRequest, sdkAddress: string) => readonly string[];
  /** With what the language has by itself. */
  readonly plain: (request: SnippetRequest) => readonly string[];
}

/** A program with the official SDK; a plain one where the SDK cannot be told the address. */
export function writeProgram(request: SnippetRequest, { withSdk, plain }: ProgramWriter): string {
  const address = sdkAddress(request);
  const lines = address === undefined ? plain(request) : withSdk(request, address);
  return `${lines.join('\n')}\n`;
}
