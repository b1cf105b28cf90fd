/**
 * The routes by which anybody reaches another service of ours, whose access events have to name the caller's address
 * and not ours (D161, D165).
 */
export const handedOn = [
  'intake GET /pay',
  'intake POST /pay',
  'intake POST /pay/session',
  'worklist POST /v1/auth/exchange',
  'worklist POST /v1/auth/otp/check',
  'worklist POST /v1/auth/otp/send',
];
