/**
 * The name of a model without its family, where the rest is still a clear name: it must begin with a word and hold a
 * version. `familya-sonnet-4.6` is `sonnet-4.6`, `familyc-5.4` stays. A vendor before a slash is dropped as well.
 */
export function shortModelName(id: string): string {
  const name = id.slice(id.lastIndexOf('/') + 1) || id;
  const rest = /^[a-z]+-([a-z].*\d.*)$/i.exec(name)?.[1];
  return rest ?? name;
}
