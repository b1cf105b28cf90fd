import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.js';
import { clientOfKey, ownTaskId } from '../../domain/clients.js';

export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** Replaces a personal value, such as in a workflow id. The secret prevents guessing. */
export const keyedHash = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);

/** A key for one purpose, derived from a shared secret: signatures for other purposes never verify under it. */
export const purposeKey = (secret: string, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));

const namespace = Buffer.from('b2f1c0de5c7a4a1e9d0e7f3a6b8c9d10', 'hex');

/** UUIDv5 of business facts; ('a','bc') and ('ab','c') differ. */
export function uuidV5(...parts: readonly string[]): string {
  const bytes = createHash('sha1').update(namespace).update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Equal for equal JSON, in any order of keys (D21). */
export const jsonHash = (value: unknown): string => sha256(canonicalJson(value));

/**
 * A client's text as part of a workflow id: unchanged if short and printable, otherwise its hash. Some stores allow 255
 * bytes. A task of a named client has the client before it, and a blank, which no other part has (D140).
 */
export function idPart(text: string): string {
  const client = clientOfKey(text);
  if (client !== '') return `${client} ${shortPart(ownTaskId(text), 160)}`;
  return shortPart(text, 200);
}

const shortPart = (text: string, length: number): string =>
  text.length <= length && /^[\x21-\x7e]+$/.test(text) ? text : `sha256-${sha256(text)}`;
