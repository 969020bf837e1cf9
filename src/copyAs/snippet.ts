import { curlSnippet } from './curlSnippet.ts';
import { pythonSnippet } from './pythonSnippet.ts';
import type { SnippetRequest } from './snippetRequest.ts';
import { typeScriptSnippet } from './typeScriptSnippet.ts';

export type SnippetLanguage = 'curl' | 'typescript' | 'python';

/** A complete program that sends the request and prints the answer. It reads the key from {@link KEY_VARIABLE}. */
export function toSnippet(request: SnippetRequest, language: SnippetLanguage): string {
  switch (language) {
    case 'curl':
      return curlSnippet(request);
    case 'typescript':
      return typeScriptSnippet(request);
    case 'python':
      return pythonSnippet(request);
  }
}
