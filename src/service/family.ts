import * as l10n from '@vscode/l10n';
import type { Model } from './modelCatalog.ts';

/** Shows `familya` as `Family A`. A model without such a family is listed under its own family, or under "Other". */
export function familyTitle({ id, family }: Pick<Model, 'id' | 'family'>): string {
  const name = family ?? /^[a-z]+/i.exec(id)?.[0] ?? '';
  const letter = /^family[\s_-]?([a-z])$/i.exec(name)?.[1];
  if (letter !== undefined) return l10n.t('Family {0}', letter.toUpperCase());
  return name === '' ? l10n.t('Other') : name.charAt(0).toUpperCase() + name.slice(1);
}
