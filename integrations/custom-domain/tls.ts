import { readFileSync } from 'node:fs';
import { connect, rootCertificates } from 'node:tls';
import type { TlsObservation } from '../../domain/organization/custom-domains.js';
import { isPublicAddress } from '../../platform/http/guarded.js';
import type { DnsClient } from './dns.js';

export interface TlsProbe {
  /** Whether a handshake with a hostname presents a certificate that is valid for it. Never throws. */
  probe: (hostname: string, options: { timeoutMs: number }) => Promise<TlsObservation>;
}

/**
 * @param port where hostnames are served
 * @param caFile authorities to trust beside the well-known ones
 * @param allowPrivate in development; elsewhere a hostname that leads into our own network is not called (reliability point 8)
 */
export function createTlsProbe(settings: {
  dns: DnsClient;
  port: number;
  caFile: string | undefined;
  allowPrivate: boolean;
}): TlsProbe {
  const { dns, port, caFile, allowPrivate } = settings;
  return {
    async probe(hostname, { timeoutMs }) {
      const stepMs = timeoutMs / 2;
      const { addresses, fault } = await dns.addressesOf(hostname, { timeoutMs: stepMs });
      const [address] = addresses.filter((candidate) => allowPrivate || isPublicAddress(candidate));
      if (address === undefined)
        return {
          isValid: false,
          fault: addresses.length > 0 ? 'no public address' : (fault ?? 'no address'),
        };
      // Read each time: an authority may be added while we run.
      const ca = caFile === undefined ? undefined : [...rootCertificates, readFileSync(caFile, 'utf8')];
      const handshake = await shake({ host: address, port, servername: hostname, ca, timeoutMs: stepMs });
      return { isValid: handshake === null, fault: handshake };
    },
  };
}

/** @returns why a handshake failed; null when the certificate is valid */
function shake(options: {
  host: string;
  port: number;
  servername: string;
  ca: string[] | undefined;
  timeoutMs: number;
}): Promise<string | null> {
  const { host, port, servername, ca, timeoutMs } = options;
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername, ...(ca === undefined ? {} : { ca }) });
    const end = (fault: string | null) => {
      socket.destroy();
      clearTimeout(overdue);
      resolve(fault);
    };
    const overdue = setTimeout(() => end('no answer in time'), timeoutMs);
    socket.once('secureConnect', () => end(null));
    socket.once('error', ({ code = 'TLS error' }: NodeJS.ErrnoException) => end(code));
    socket.once('close', () => end('connection closed'));
  });
}
