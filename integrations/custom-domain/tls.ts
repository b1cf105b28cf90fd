import { readFileSync } from 'node:fs';
import { connect, type ConnectionOptions, rootCertificates } from 'node:tls';
import type { TlsObservation } from '../../domain/organization/custom-domains.js';
import { isPublicAddress } from '../../platform/http/guarded.js';
import type { DnsClient } from './dns.js';

export type TlsProbe = ReturnType<typeof createTlsProbe>;

/**
 * @param caFile CA certificates to trust in addition
 * @param allowPrivate only for development: otherwise hostnames of our own network are not called (reliability point 8)
 */
export function createTlsProbe(settings: {
  dns: DnsClient;
  port: number;
  caFile: string | undefined;
  allowPrivate: boolean;
}) {
  const { dns, port, caFile, allowPrivate } = settings;
  return {
    /** True if a hostname presents a valid certificate. Never throws. */
    async probe(hostname: string, { timeoutMs }: { timeoutMs: number }): Promise<TlsObservation> {
      const stepMs = timeoutMs / 2;
      const { addresses, fault } = await dns.addressesOf(hostname, { timeoutMs: stepMs });
      const [address] = addresses.filter((candidate) => allowPrivate || isPublicAddress(candidate));
      if (address === undefined)
        return {
          isValid: false,
          fault: addresses.length > 0 ? 'no public address' : (fault ?? 'no address'),
        };
      // Read each time, because the file may change while we run.
      const ca = caFile === undefined ? undefined : [...rootCertificates, readFileSync(caFile, 'utf8')];
      const handshake = await shake({ host: address, port, servername: hostname, ca }, stepMs);
      return { isValid: handshake === null, fault: handshake };
    },
  };
}

/** @returns the error code of a failed handshake, null on success */
const shake = (options: ConnectionOptions, timeoutMs: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect(options);
    const end = (fault: string | null) => {
      socket.destroy();
      clearTimeout(overdue);
      resolve(fault);
    };
    const overdue = setTimeout(() => end('timed out'), timeoutMs);
    socket.once('secureConnect', () => end(null));
    socket.once('error', ({ code = 'TLS error' }: NodeJS.ErrnoException) => end(code));
    socket.once('close', () => end('connection closed'));
  });
