/** What came of activating a hostname. */
export interface Activation {
  /** Why not; null when the hostname is active now. */
  refused: string | null;
}

export const domainStates = ['pending_dns', 'pending_tls', 'active', 'deactivated'] as const;
export type DomainState = (typeof domainStates)[number];
export const isPending = (state: DomainState): boolean => state === 'pending_dns' || state === 'pending_tls';

/** A hostname has two labels or more, is no IP address, and is in lower case, because DNS ignores case. */
export function isHostname(text: string): boolean {
  const labels = text.split('.');
  return (
    text.length <= 253 - '_verify.'.length &&
    labels.length >= 2 &&
    labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label)) &&
    /[a-z]/.test(labels.at(-1) ?? '')
  );
}

/** The owner of a hostname puts this into its DNS zone (D78). */
export interface DnsRecord {
  type: 'TXT';
  name: string;
  value: string;
}
export const dnsRecordOf = (hostname: string, token: string): DnsRecord => ({
  type: 'TXT',
  name: `_verify.${hostname}`,
  value: token,
});

/** A look at the DNS found these values where the record should be, or a fault where no answer came. */
export interface DnsObservation {
  values: string[];
  fault: string | null;
}
export const provesOwnership = ({ values }: DnsObservation, token: string): boolean =>
  values.some((value) => value.trim() === token);

/** Why a hostname is still pending, for its owner and for operators; null once the record is there. */
export function dnsReason(record: DnsRecord, seen: DnsObservation): string | null {
  if (provesOwnership(seen, record.value)) return null;
  if (seen.fault !== null) return `DNS could not be asked for ${record.name} (${seen.fault})`;
  if (seen.values.length === 0) return `No TXT record at ${record.name}`;
  return `The TXT record at ${record.name} has another value`;
}

/** A TLS handshake with a hostname has shown this. */
export interface TlsObservation {
  isValid: boolean;
  /** Why not. */
  fault: string | null;
}
export const tlsReason = (hostname: string, { isValid, fault }: TlsObservation): string =>
  isValid
    ? `${hostname} presents a valid certificate and can be activated`
    : `No valid certificate at ${hostname} (${fault ?? 'unknown'})`;

const firstPauseMs = 60_000;
const longestPauseMs = 60 * 60_000;
/** A hostname is looked at by itself for this long in one state (D78). */
export const patienceMs = 72 * 60 * 60_000;

/** The plan for watching a pending hostname. Times are epoch milliseconds. */
export interface DomainWatch {
  state: DomainState;
  /** Looks that came up by the clock since then. */
  checks: number;
  watchedSince: number;
  /** Null: not looked at any more, or not until somebody asks. */
  nextCheckAt: number | null;
}

export const newWatch = (state: DomainState, now: number): DomainWatch => ({
  state,
  checks: 0,
  watchedSince: now,
  nextCheckAt: isPending(state) ? now + firstPauseMs : null,
});

/**
 * How it goes on after a look. One that came up by the clock is followed by the next, each pause twice as long; one
 * that was asked for leaves the clock alone, or winds it up again when it has run out.
 * @param isMet of `pending_dns`, that the record is there; `pending_tls` ends with an activation only
 */
export function afterLook(
  watch: DomainWatch,
  { isMet, isAsked, now }: { isMet: boolean; isAsked: boolean; now: number },
): DomainWatch {
  if (watch.state === 'pending_dns' && isMet) return newWatch('pending_tls', now);
  if (!isPending(watch.state)) return { ...watch, nextCheckAt: null };
  if (isAsked) return watch.nextCheckAt === null ? newWatch(watch.state, now) : watch;
  const end = watch.watchedSince + patienceMs;
  const checks = watch.checks + 1;
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** checks);
  return { ...watch, checks, nextCheckAt: now >= end ? null : Math.min(end, now + pauseMs) };
}
