// The certificate library requires this metadata.
import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { keptFile } from '../../kept-file.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60_000;
const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const serialNumber = (): string => crypto.randomUUID().replaceAll('-', '');

/** A certificate with its private key, both PEM. */
interface Identity {
  key: string;
  cert: string;
}

/** An authority that only owners of its certificate trust. */
export interface Authority {
  /** A certificate for one hostname: valid for 90 days from yesterday, or expired yesterday. */
  issue: (hostname: string, state: 'valid' | 'expired') => Promise<Identity>;
}

/** Loads the authority from two files. The key comes first; a missing certificate is created again for the same key. */
export async function openAuthority(keyFile: string, certificateFile: string): Promise<Authority> {
  const keyPem = await keptFile(keyFile, async () => toPem((await newKeys()).privateKey));
  const keys = await fromPem(keyPem);
  const certificatePem = await keptFile(certificateFile, () => selfSigned(keys));
  const authority = new X509Certificate(certificatePem);
  const own = await newKeys();
  const key = await toPem(own.privateKey);

  return {
    issue: async (hostname, state) => {
      const certificate = await X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: '',
        issuer: authority.subject,
        notBefore: daysFromNow(state === 'valid' ? -1 : -90),
        notAfter: daysFromNow(state === 'valid' ? 90 : -1),
        signingAlgorithm: ALGORITHM,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
          // Critical, since the subject is empty (RFC 5280): a hostname may be longer than a common name.
          new SubjectAlternativeNameExtension([{ type: 'dns', value: hostname }], true),
          await AuthorityKeyIdentifierExtension.create(keys.publicKey),
        ],
      });
      return { key, cert: certificate.toString('pem') };
    },
  };
}

async function selfSigned(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Scriptrail sandbox authority',
    notBefore: daysFromNow(-365),
    notAfter: daysFromNow(3650),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return certificate.toString('pem');
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

const toPem = async (key: webcrypto.CryptoKey): Promise<string> =>
  PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');

/** Derives the public key. */
async function fromPem(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const privateKey = await crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), ALGORITHM, true, [
    'sign',
  ]);
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', privateKey);
  const publicKey = await crypto.subtle.importKey(
    'jwk',
    { kty, crv, x, y } as webcrypto.JsonWebKey,
    ALGORITHM,
    true,
    ['verify'],
  );
  return { privateKey, publicKey };
}
