/** A skill and where it is. */
export interface PlacedSkill {
  readonly skill: { readonly name: string };
  readonly folder: { readonly path: string };
  /** The folder as a path that the agent's tools accept. */
  readonly folderPath: string;
}

/** The name of the skill whose script a command runs, or whose folder or other files it names. */
export function skillOfCommand(command: string, skills: readonly PlacedSkill[]): string | undefined {
  // A backslash separates folders on Windows, and escapes a space elsewhere.
  const read = [command.replaceAll('\\', '/'), command.replace(/\\(.)/g, '$1')];
  const found = skills.find(({ folder, folderPath }) =>
    [folderPath.replaceAll('\\', '/'), folder.path].some((path) => read.some((text) => isNamed(path, text))),
  );
  return found?.skill.name;
}

/** Whether a text names a folder or something in it, and not only a folder whose name begins like it. */
function isNamed(path: string, text: string): boolean {
  return text.split(path).some((after, number) => number > 0 && /^(?:$|[/\s"'`;&|)])/.test(after));
}
