const codes = new Set<unknown>([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

/** True if a connection failed because Node does not trust the certificate's authority. */
export const isUnknownAuthority = (error: unknown): boolean =>
  codes.has((error as { code?: unknown } | undefined)?.code);

/** The message of an error, with advice if the certificate's authority is unknown. */
export function messageWithAdvice(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return isUnknownAuthority(error)
    ? `${message}: set NODE_EXTRA_CA_CERTS to the file of the certificate's authority in the environment of the process; Node ignores it in --env-file`
    : message;
}
