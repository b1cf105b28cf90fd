import { createTransport } from 'nodemailer';
import { type CallLimits, OutboundError } from '../../platform/http/outbound.js';
import { inSpan } from '../../platform/tracing.js';

const party = 'Mail server';
/** As many as worker slots, so that no mail waits for a connection. */
const maxConnections = 100;
const idleTimeoutMs = 30_000;

export interface SmtpSettings {
  host: string;
  port: number;
  user?: string | undefined;
  password?: string | undefined;
  requireTls: boolean;
  from: string;
}

interface Mail {
  /** Equal for every attempt; mailboxes show one copy. */
  messageId: string;
  to: { address: string; name: string };
  subject: string;
  html: string;
  text: string;
}

/** SMTP reply: accepted, deferred (4yz) or rejected (5yz). */
type MailVerdict = 'accepted' | { deferred: number } | { rejected: number };

export type MailClient = ReturnType<typeof createMailClient>;

export function createMailClient({ host, port, user, password, requireTls, from }: SmtpSettings) {
  const transport = createTransport({
    pool: true,
    maxConnections,
    // The workflow retries after a broken connection; a retry here could send a second copy.
    maxRequeues: 0,
    idleTimeout: idleTimeoutMs,
    host,
    port,
    secure: port === 465,
    requireTLS: requireTls,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === undefined || user === '' ? {} : { auth: { user, pass: password ?? '' } }),
  });
  return {
    /** @throws OutboundError without a reply within the limits */
    async send({ to, ...content }: Mail, { timeoutMs, signal }: CallLimits): Promise<MailVerdict> {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        await inSpan(party, { kind: 'client' }, () =>
          transport.sendMail({
            ...content,
            from,
            // nodemailer would parse a text for more addresses.
            to: [to],
            headers: { 'Auto-Submitted': 'auto-generated' },
            signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
          }),
        );
        return 'accepted';
      } catch (error) {
        const { responseCode, code } = error as { responseCode?: number; code?: string };
        if (responseCode !== undefined)
          return isFinal(responseCode) ? { rejected: responseCode } : { deferred: responseCode };
        if (timeout.aborted) throw new OutboundError(party, { kind: 'timeout', timeoutMs });
        throw new OutboundError(party, { kind: 'network', code: code ?? 'unknown' });
      }
    },
    close: () => transport.close(),
  };
}

/** 5yz is a rejection (RFC 5321), except 503, which is about the session. */
const isFinal = (replyCode: number): boolean => replyCode >= 500 && replyCode !== 503;
