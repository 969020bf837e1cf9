/** Embeds scripts and styles in a page, where the HTML parser looks for their end tags before anything else. */

/**
 * End tags of a script, and `<!--`, which hides them, occur only in literals, where the escaped form means the same.
 * @param address Returns the address of a file beside the script, such as a chunk that it imports, by its path.
 */
export function inlineScript(code: string, address: (path: string) => string): string {
  return code
    .replace(
      /\b(import\(?)"\.\/(chunks\/[\w-]+\.js)"/g,
      (_, begun: string, path: string) => `${begun}"${address(path)}"`,
    )
    .replace(/<(?=!--|\/script)/gi, '\\x3C');
}

/** @param address Returns the address of a file beside the style sheet, such as a font, by its name. */
export function inlineStyles(css: string, address: (name: string) => string): string {
  return css
    .replace(/url\((["']?)\.\/([\w./-]+)\1\)/g, (_, _quote, name: string) => `url("${address(name)}")`)
    .replaceAll('</', '<\\/');
}
