/** Callers choose names of models, and PostgreSQL accepts neither NUL characters nor lone surrogates. */
export function writable(name: string): string {
  return name.replaceAll('\0', '\uFFFD').toWellFormed().slice(0, 200);
}
