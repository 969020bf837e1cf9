import * as fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const HIGHEST = 0x10ffff;

/**
 * Any character, for `unit` of `fc.string`. Its own unit `binary` builds a table of all of them, which takes a second and
 * 86 MB in each process.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: HIGHEST - SURROGATES.count })
  .map((nth) => String.fromCodePoint(nth < SURROGATES.first ? nth : nth + SURROGATES.count));
