/** Script and styles as text within a page, where its parser looks for their end before anything else does. */

/** What ends a script, or hides its end, is in literals only, and means the same when it is escaped. */
export function inlineScript(code: string): string {
  return code.replace(/<(?=!--|\/script)/gi, '\\x3C');
}

/** @param address of a file that lies beside the style sheet, such as a font, by its name. */
export function inlineStyles(css: string, address: (name: string) => string): string {
  return css
    .replace(/url\((["']?)\.\/([\w./-]+)\1\)/g, (_, _quote, name: string) => `url("${address(name)}")`)
    .replaceAll('</', '<\\/');
}
