import { visible } from './literal.ts';
import { pythonSnippet } from './pythonSnippet.ts';
import { KEY_VARIABLE, plainHeaders, type SnippetRequest } from './snippetRequest.ts';
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

/**
 * A command for a POSIX shell. The body is a here-document: nothing in it is expanded, and it may exceed the maximum
 * length of an argument. JSON cannot contain the line that ends it, because its strings have no line breaks.
 */
function curlSnippet(request: SnippetRequest): string {
  const { baseAddress, path, body } = request;
  const lines = [
    `curl ${body.stream === true ? '--no-buffer ' : ''}${shellQuoted(baseAddress + path)}`,
    `-H "Authorization: Bearer $${KEY_VARIABLE}"`,
    ...plainHeaders(request).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    "--data-binary @- <<'JSON'",
  ];
  return `${lines.join(' \\\n  ')}\n${visible(JSON.stringify(body, null, 2))}\nJSON\n`;
}

/** Quotes a word for a POSIX shell, so that nothing in it is expanded. A terminal would obey control characters. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll(/\p{Cc}/gu, '').replaceAll("'", "'\\''")}'`;
}
