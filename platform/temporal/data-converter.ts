import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { type Key, KeyRing } from '../crypto/key-ring.js';
import { EncryptionCodec } from './codec.js';

export const failureConverterPath = fileURLToPath(new URL('./failure-converter.cjs', import.meta.url));

/** The one data converter of clients and workers: JSON payloads and failures, both encrypted. */
export const encryptedDataConverter = (keys: readonly Key[]): DataConverter => ({
  payloadCodecs: [new EncryptionCodec(new KeyRing(keys))],
  failureConverterPath,
});
