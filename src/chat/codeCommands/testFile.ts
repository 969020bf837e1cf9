/** Returns the usual name of a test file for this file in its language; `undefined` if there is none. */
export function testFileName(fileName: string): string | undefined {
  const dot = fileName.lastIndexOf('.');
  const [base, ending] = [fileName.slice(0, dot), fileName.slice(dot + 1)];
  if (dot <= 0 || /\.(test|spec)$/.test(base)) return undefined;
  if (/^[cm]?[jt]sx?$/.test(ending)) return `${base}.test.${ending}`;
  const name = NAMES[ending];
  return name?.(base);
}

const NAMES: Readonly<Record<string, (base: string) => string>> = {
  py: (base) => `test_${base}.py`,
  go: (base) => `${base}_test.go`,
  rb: (base) => `${base}_test.rb`,
  dart: (base) => `${base}_test.dart`,
  java: (base) => `${base}Test.java`,
  kt: (base) => `${base}Test.kt`,
  cs: (base) => `${base}Tests.cs`,
  php: (base) => `${base}Test.php`,
  swift: (base) => `${base}Tests.swift`,
};
