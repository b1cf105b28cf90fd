import { describe, expect, it } from '@jest/globals';
import { serializeError } from '../../platform/logger.js';
import { OutboundError } from '../../platform/http/outbound.js';

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
