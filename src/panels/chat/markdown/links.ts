/**
 * Returns the address of a link if it may be opened: web, mail, or a path without a scheme. Undefined for all others.
 */
export function safeHref(href: string): string | undefined {
  // Browsers skip control characters and spaces before or within a scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const bare = href.replace(/[\u0000-\u0020]/g, '');
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(bare)?.[1]?.toLowerCase();
  if (scheme === undefined) return bare.startsWith('//') ? undefined : href;
  return scheme === 'https' || scheme === 'http' || scheme === 'mailto' ? href : undefined;
}
