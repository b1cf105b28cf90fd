import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A statement of the sources or a fragment: the text between its values. */
export interface Template {
  /** The file and function. */
  where: string;
  line: number;
  parts: string[];
  /** True if it runs as it stands; otherwise it may be a fragment. */
  isWhole: boolean;
}

/** Every sql`…` with text in a folder. */
export const templatesOf = (room: string): Template[] =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) => {
      const file = join(room, name);
      const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
      return [...templatesIn(source, file, source)];
    })
    .filter(({ parts }) => parts.some((part) => part !== ''));

function* templatesIn(node: ts.Node, name: string, source: ts.SourceFile): Generator<Template> {
  // For nested functions, the outer name is better known.
  const isNamed =
    ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node);
  const where = isNamed && node.name && !name.includes(' ') ? `${name} ${node.name.getText()}` : name;
  if (ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql')
    yield {
      where,
      line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      parts: partsOf(node.template),
      isWhole: node.typeArguments !== undefined || ts.isAwaitExpression(node.parent),
    };
  for (const child of node.getChildren(source)) yield* templatesIn(child, where, source);
}

const partsOf = (template: ts.TemplateLiteral): string[] =>
  (ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
  ).map(packed);

/** Comparison ignores spaces, because an omitted value leaves only spaces. */
export const packed = (text: string): string => text.replace(/\s+/g, '');

/** The fixed text of a template; among several matches, the longest wins. */
export const lengthOf = ({ parts }: Template): number => parts.join('').length;

/** True if a template with any values makes this packed text. */
export const isMadeBy = (template: Template, text: string): boolean =>
  text.startsWith(template.parts[0] ?? '') &&
  text.endsWith(template.parts.at(-1) ?? '') &&
  hasPartsOf(template, text);

/** True if a template's text occurs in this packed text. */
export function hasPartsOf({ parts }: Template, text: string): boolean {
  let at = 0;
  for (const part of parts) {
    at = text.indexOf(part, at);
    if (at < 0) return false;
    at += part.length;
  }
  return true;
}
