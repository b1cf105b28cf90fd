export interface Activation {
  /** The reason for a failure; null if the hostname is active now. */
  refused: string | null;
}

export const domainStates = ['pending_dns', 'pending_tls', 'active', 'deactivated'] as const;
export type DomainState = (typeof domainStates)[number];
export const isPending = (state: DomainState): boolean => state === 'pending_dns' || state === 'pending_tls';

/** A hostname in lower case with at least two labels, and no IP address. */
export function isHostname(text: string): boolean {
  const labels = text.split('.');
  return (
    text.length <= 253 - '_verify.'.length &&
    labels.length >= 2 &&
    labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label)) &&
    /[a-z]/.test(labels.at(-1) ?? '')
  );
}

/** The record that the owner of a hostname adds to its DNS zone (D78). */
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

/** The TXT values found at the record's name, or the fault if DNS did not answer. */
export interface DnsObservation {
  values: string[];
  fault: string | null;
}
export const provesOwnership = ({ values }: DnsObservation, token: string): boolean =>
  values.some((value) => value.trim() === token);

/** The reason why a hostname is still pending, for its owner and operators; null once the record is there. */
export function dnsReason(record: DnsRecord, seen: DnsObservation): string | null {
  if (provesOwnership(seen, record.value)) return null;
  if (seen.fault !== null) return `DNS could not be asked for ${record.name} (${seen.fault})`;
  if (seen.values.length === 0) return `No TXT record at ${record.name}`;
  return `The TXT record at ${record.name} has another value`;
}

export interface TlsObservation {
  isValid: boolean;
  fault: string | null;
}
export const tlsReason = (hostname: string, { isValid, fault }: TlsObservation): string =>
  isValid
    ? `${hostname} presents a valid certificate and can be activated`
    : `No valid certificate at ${hostname} (${fault ?? 'unknown'})`;

const firstPauseMs = 60_000;
const longestPauseMs = 60 * 60_000;
/** The scheduled checks of a hostname in one state end after this time (D78). */
export const patienceMs = 72 * 60 * 60_000;

/** The schedule of checks for a pending hostname. Times are epoch milliseconds. */
export interface DomainWatch {
  state: DomainState;
  /** Scheduled checks since `watchedSince`. */
  checks: number;
  watchedSince: number;
  /** null: no further scheduled check. */
  nextCheckAt: number | null;
}

export const newWatch = (state: DomainState, now: number): DomainWatch => ({
  state,
  checks: 0,
  watchedSince: now,
  nextCheckAt: isPending(state) ? now + firstPauseMs : null,
});

/**
 * The schedule after a check. The pause doubles after each scheduled check. A requested check leaves the schedule
 * alone, or starts it again if it has ended.
 * @param isMet the DNS record is there; `pending_tls` ends with an activation only
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
