const codes = new Set<unknown>([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

/** Whether a connection ended because Node knows nobody who answers for the other end's certificate. */
export const isUnknownAuthority = (error: unknown): boolean =>
  codes.has((error as { code?: unknown } | undefined)?.code);

/** What an error says, and what to do where Node says only that it does not know a certificate's authority. */
export function messageWithAdvice(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return isUnknownAuthority(error)
    ? `${message}: NODE_EXTRA_CA_CERTS must name the file of the certificate's authority, in the environment that the process is started with; --env-file is too late for it`
    : message;
}
