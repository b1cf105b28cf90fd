import { findNodeAtLocation, parseTree } from 'jsonc-parser';

/**
 * A part of a JSON body, byte for byte as it was sent (D7).
 * @param body valid JSON in UTF-8
 * @param path the keys that lead to the part
 * @throws when there is no such part
 */
export function cutFromJson(body: Buffer, path: readonly string[]): Buffer {
  const text = body.toString();
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, [...path]);
  if (!node) throw new Error(`The body has no ${path.join('.')}`);
  return Buffer.from(text.slice(node.offset, node.offset + node.length));
}
