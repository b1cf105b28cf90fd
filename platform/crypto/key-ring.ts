import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface Key {
  id: string;
  key: Buffer;
}

const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM under a ring of keys: the first encrypts, all decrypt; the key id is authenticated with the text. */
export class KeyRing {
  readonly current: Key;
  private readonly byId: ReadonlyMap<string, Buffer>;

  constructor(keys: readonly Key[]) {
    const [current] = keys;
    if (!current) throw new Error('A key ring needs at least one key');
    this.current = current;
    this.byId = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** IV, tag and ciphertext in one buffer, under the current key. */
  encrypt(plaintext: Uint8Array): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.current.key, iv).setAAD(Buffer.from(this.current.id));
    const body = [cipher.update(plaintext), cipher.final()];
    return Buffer.concat([iv, cipher.getAuthTag(), ...body]);
  }

  /** @throws when the key is not in the ring, or the text was changed */
  decrypt(keyId: string, sealed: Uint8Array): Buffer {
    const key = this.byId.get(keyId);
    if (!key) throw new Error(`No key ${keyId} in the ring`);
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes))
      .setAAD(Buffer.from(keyId))
      .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
  }

  /** For a text column: `keyId:base64`. */
  encryptText(plaintext: string): string {
    return `${this.current.id}:${this.encrypt(Buffer.from(plaintext)).toString('base64')}`;
  }

  decryptText(sealed: string): string {
    const separator = sealed.indexOf(':');
    return this.decrypt(
      sealed.slice(0, separator),
      Buffer.from(sealed.slice(separator + 1), 'base64'),
    ).toString();
  }
}
