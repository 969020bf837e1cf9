/** Tool definitions as text, in the two ways in which vendors present them to their models. */
import type { Tool } from '../formats/conversation.ts';
import { isRecord, type JsonObject } from '../formats/json.ts';

/** Returns name, description, and schema as received. */
export function toolAsJson({ name, description = '', parameters, grammar }: Tool): string {
  const schema = parameters ?? grammar;
  return `${name}\n${description}\n${schema === undefined ? '' : JSON.stringify(schema)}`;
}

/** Returns a namespace of functions in the style of TypeScript. Descriptions below the second level are omitted. */
export function toolsAsTypes(tools: readonly Tool[]): string {
  const functions = tools.map(({ name, description, parameters, grammar }) => {
    const comment = description === undefined ? '' : `// ${description}\n`;
    const properties = parameters === undefined ? '' : propertyLines(parameters, 0);
    const rest = grammar === undefined ? '' : `// ${JSON.stringify(grammar)}\n`;
    const type = properties === '' ? '() => any' : `(_: {\n${properties}\n}) => any`;
    return `${comment}${rest}type ${name} = ${type};\n`;
  });
  return `namespace functions {\n\n${functions.join('\n')}\n} // namespace functions`;
}

function propertyLines({ properties, required }: JsonObject, indent: number): string {
  if (!isRecord(properties)) return '';
  const needed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  const lines = Object.entries(properties).flatMap(([name, schema]) => {
    if (!isRecord(schema)) return [];
    const comment = typeof schema.description === 'string' && indent < 2 ? [`// ${schema.description}`] : [];
    return [...comment, `${name}${needed.has(name) ? '' : '?'}: ${typeName(schema, indent)},`];
  });
  return lines.map((line) => ' '.repeat(indent) + line).join('\n');
}

function typeName(schema: JsonObject, indent: number): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return isRecord(schema.items) ? `${typeName(schema.items, indent)}[]` : 'any[]';
    case 'object':
      return `{\n${propertyLines(schema, indent + 2)}\n${' '.repeat(indent)}}`;
    default:
      return 'any';
  }
}
