const LINE_HEIGHT = 20;
const LINE_CHARACTERS = 48;

/**
 * Returns the approximate height of a text in pixels, which is precise enough for the scrollbar until the text is laid
 * out.
 */
export function roughHeight(text: string): number {
  const breaks = text.split('\n').length;
  return Math.round(LINE_HEIGHT * (breaks / 2 + text.length / LINE_CHARACTERS));
}
