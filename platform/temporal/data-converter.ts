import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { type CodecKeys, EncryptionCodec } from './codec.js';

export const failureConverterPath = fileURLToPath(new URL('./failure-converter.cjs', import.meta.url));

/** The one data converter of clients and workers: JSON payloads and failures, both encrypted. */
export const encryptedDataConverter = (keys: CodecKeys, reader: 'worker' | 'client'): DataConverter => ({
  payloadCodecs: [new EncryptionCodec(keys, reader)],
  failureConverterPath,
});
