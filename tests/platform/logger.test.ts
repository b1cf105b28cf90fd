import { describe, expect, it } from '@jest/globals';
import { allowedOf, createLogger, serializeError } from '../../platform/logger.js';
import { OutboundError } from '../../platform/http/outbound.js';

describe('the fields of a line', () => {
  it('say which record of ours it is about and how many there are, and nothing else', () => {
    const ours = { patientId: '0b8c7a52-7a43-4a35-9a7f-5f0f7a0e9d11', entry: 'e', count: 2 };
    expect(allowedOf({ ...ours, emrPatientId: 'p-1', mrn: 'M1', email: 'ada@example.test' })).toEqual(ours);
  });
});

it('a field that is not listed does not compile, so that none is lost unseen', () => {
  const logger = createLogger({ level: 'silent' });
  logger.warn({ codeId: 'c', retryId: 'r', physicianId: 'p' }, 'listed');
  // @ts-expect-error: were it allowed, the compiler would complain of this line.
  logger.warn({ emrPatientId: 'p-1' }, 'not listed');
  expect(allowedOf({ codeId: 'c', retryId: 'r', physicianId: 'p' })).toEqual({
    codeId: 'c',
    retryId: 'r',
    physicianId: 'p',
  });
});

describe('an error in the log', () => {
  it('shows type, code and stack, but no message that may quote a payload', () => {
    const error = Object.assign(new Error('Key (email)=(ada@example.test) already exists'), {
      code: '23505',
    });
    const line = serializeError(error);
    expect(line).toMatchObject({ type: 'Error', code: '23505' });
    expect(JSON.stringify(line)).not.toContain('ada@example.test');
    expect(line['stack']).toContain('logger.test');
  });

  it('shows the message of an error that vouches for it', () => {
    expect(serializeError(new OutboundError('EMR', { kind: 'timeout', timeoutMs: 4000 }))).toMatchObject({
      message: 'EMR did not answer within 4 s',
    });
  });
});
