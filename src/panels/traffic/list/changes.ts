/** Setters that change the document only if the value differs, because the browser does not compare values itself. */

export function setClass(element: HTMLElement, classes: string): void {
  if (element.className !== classes) element.className = classes;
}

export function setAttribute(element: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** @param element an element with a single text node. */
export function setText(element: HTMLElement, text: string): void {
  const node = element.firstChild;
  if (node !== null && node.nodeValue !== text) node.nodeValue = text;
}
