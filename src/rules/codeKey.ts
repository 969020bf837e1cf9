/** Names a code block by its text, in a few characters. Two of 200 blocks have the same name once in 100 million chats. */
export function codeKey(code: string): string {
  // FNV-1a, with 52 bits in two halves.
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let index = 0; index < code.length; index += 1) {
    const unit = code.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit ^ (low >>> 13), 0x85ebca6b);
  }
  return `${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}`;
}
