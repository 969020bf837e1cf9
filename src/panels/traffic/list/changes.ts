/** Changes of an element that touch the document only where something differs: the browser does not look itself. */

export function setClass(element: HTMLElement, classes: string): void {
  if (element.className !== classes) element.className = classes;
}

export function setAttribute(element: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** @param element with one text in it. */
export function setText(element: HTMLElement, text: string): void {
  const node = element.firstChild;
  if (node !== null && node.nodeValue !== text) node.nodeValue = text;
}
