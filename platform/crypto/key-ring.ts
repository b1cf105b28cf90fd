import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

export interface Key {
  id: string;
  key: Buffer;
}

const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM under a ring of keys: the first encrypts, all decrypt. The key id and `boundTo` are authenticated data. A key
 * with `boundTo` gives a key of its own, which seals so little that no random IV repeats (2^32 texts are the limit).
 * Several keys may share an id, as in two rings read together: decryption tries each.
 */
export class KeyRing {
  readonly current: Key;
  private readonly byId = new Map<string, Buffer[]>();

  constructor(keys: readonly Key[]) {
    const [current] = keys;
    if (!current) throw new Error('A key ring needs at least one key');
    this.current = current;
    for (const { id, key } of keys) this.byId.set(id, [...(this.byId.get(id) ?? []), key]);
  }

  /** IV, tag and ciphertext under the current key. @param boundTo decryption requires the same value */
  encrypt(plaintext: Uint8Array, boundTo?: string): Buffer {
    const iv = randomBytes(ivBytes);
    const { id, key } = this.current;
    const cipher = createCipheriv('aes-256-gcm', keyFor(key, boundTo), iv).setAAD(authenticated(id, boundTo));
    const body = [cipher.update(plaintext), cipher.final()];
    return Buffer.concat([iv, cipher.getAuthTag(), ...body]);
  }

  /** @throws Error if the key is missing, or the text or `boundTo` differs */
  decrypt(keyId: string, sealed: Uint8Array, boundTo?: string): Buffer {
    const keys = this.byId.get(keyId);
    if (!keys) throw new Error(`No key ${keyId} in the ring`);
    const aad = authenticated(keyId, boundTo);
    let failure: unknown;
    for (const key of keys) {
      try {
        return open(keyFor(key, boundTo), aad, sealed);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /**
   * For a text column: `keyId:base64`.
   * @param boundTo the id of the row, so that the text opens in no other one
   */
  encryptText(plaintext: string, boundTo: string): string {
    return `${this.current.id}:${this.encrypt(Buffer.from(plaintext), boundTo).toString('base64')}`;
  }

  /** @throws Error if the key is missing, or the text or `boundTo` differs */
  decryptText(sealed: string, boundTo: string): string {
    const separator = sealed.indexOf(':');
    return this.decrypt(
      sealed.slice(0, separator),
      Buffer.from(sealed.slice(separator + 1), 'base64'),
      boundTo,
    ).toString();
  }
}

const authenticated = (keyId: string, boundTo: string | undefined): Buffer =>
  Buffer.from(boundTo === undefined ? keyId : `${keyId}\n${boundTo}`);

const keyFor = (key: Buffer, boundTo: string | undefined): Buffer =>
  boundTo === undefined ? key : createHmac('sha256', key).update(boundTo).digest();

function open(key: Buffer, aad: Buffer, sealed: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes))
    .setAAD(aad)
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
}
