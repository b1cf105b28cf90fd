import type { DataConverter } from '@temporalio/common';
import { EncryptionCodec, encryptedDataConverter } from '../../platform/temporal/codec.js';

/** The case whose run is stored encrypted too: activity and workflow both fail in it. */
export const encryptedCase = 'approvePrescription/failed-pharmacy-submission';
/** Its file. */
export const encryptedFile = 'encrypted';

const keys = (fill: number) => ({ own: [{ id: 'replay-test', key: Buffer.alloc(32, fill) }] });
/** The keys with which the codec server opens the case. */
export const testCodec = new EncryptionCodec(keys(7), 'codec server');

/** Product converter with a key that protects nothing: all data of the case is made up. */
export const testConverter = (fill = 7): DataConverter => encryptedDataConverter(keys(fill), 'worker');
