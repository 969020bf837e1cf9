const LINE_HEIGHT = 20;
const LINE_CHARACTERS = 48;

/** The approximate height of a text, in pixels: close enough for the scrollbar until it is laid out. */
export function roughHeight(text: string): number {
  const breaks = text.split('\n').length;
  return Math.round(LINE_HEIGHT * (breaks / 2 + text.length / LINE_CHARACTERS));
}
