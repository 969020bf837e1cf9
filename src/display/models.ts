import * as l10n from '@vscode/l10n';

interface NamedModel {
  readonly id: string;
  /** As the catalog names it. */
  readonly family?: string | undefined;
}

/** Shows `familya` as `Family A`. A model without such a family is listed under its own family, or under "Other". */
export function familyTitle({ id, family }: NamedModel): string {
  const name = family ?? /^[a-z]+/i.exec(id)?.[0] ?? '';
  const letter = /^family[\s_-]?([a-z])$/i.exec(name)?.[1];
  if (letter !== undefined) return l10n.t('Family {0}', letter.toUpperCase());
  return name === '' ? l10n.t('Other') : name.charAt(0).toUpperCase() + name.slice(1);
}

/** The name of a model below the title of its family, which it does not repeat. Everywhere else, a model has its whole name. */
export function nameInFamily(id: string, title: string): string {
  const [, family = '', rest = id] = /^([a-z]+)-(.+)$/i.exec(id) ?? [];
  // Titles are translated, but not the letter.
  const word = family.toLowerCase().replace(/^family(?=[a-z]$)/, '');
  return title
    .toLowerCase()
    .split(/[^a-z]+/)
    .includes(word)
    ? rest
    : id;
}
