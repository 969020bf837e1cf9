type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns the object without its undefined members, because JSON has no undefined. */
export function defined<T extends object>(object: T): Defined<T> {
  const result: Partial<T> = {};
  for (const name in object) {
    if (object[name] !== undefined && name !== '__proto__') result[name] = object[name];
  }
  return result as unknown as Defined<T>;
}
