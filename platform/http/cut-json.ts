import { findNodeAtLocation, parseTree } from 'jsonc-parser';

/** A part of a valid JSON body, byte for byte (D7). @throws Error if there is none at the path */
export function cutFromJson(body: Buffer, path: readonly string[]): Buffer {
  const text = body.toString();
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, [...path]);
  if (!node) throw new Error(`The body has no ${path.join('.')}`);
  return Buffer.from(text.slice(node.offset, node.offset + node.length));
}
