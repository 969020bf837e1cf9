/**
 * Shortens a model's name by its family and by the vendor before a slash. The rest must still be a clear name: it must
 * begin with a word and contain a version. `familya-sonnet-4.6` becomes `sonnet-4.6`; `familyc-5.4` is unchanged.
 */
export function shortModelName(id: string): string {
  const name = id.slice(id.lastIndexOf('/') + 1) || id;
  const rest = /^[a-z]+-([a-z].*\d.*)$/i.exec(name)?.[1];
  return rest ?? name;
}
