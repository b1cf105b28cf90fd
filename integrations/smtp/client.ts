import { createTransport } from 'nodemailer';
import { OutboundError } from '../../platform/http/outbound.js';
import { inSpan } from '../../platform/tracing.js';

const party = 'Mail server';
/** There are as many as the worker has slots, so that no mail queues for a connection. */
const maxConnections = 100;
const idleTimeoutMs = 30_000;

export interface SmtpSettings {
  host: string;
  port: number;
  user?: string | undefined;
  password?: string | undefined;
  /** Refuse to send over a connection that is not encrypted. */
  requireTls: boolean;
  from: string;
}

interface Mail {
  /** Stays the same however often the mail is tried; receivers show one of a kind. */
  messageId: string;
  to: { address: string; name: string };
  subject: string;
  html: string;
  text: string;
}

/** The server's answer: it has the mail, wants it later (4yz), or never (5yz). */
type MailVerdict = 'accepted' | { deferred: number } | { refused: number };

export interface MailClient {
  /** Hands over one mail. @throws OutboundError when the server gave no verdict within the limits */
  send: (mail: Mail, limits: { timeoutMs: number; signal: AbortSignal }) => Promise<MailVerdict>;
  close: () => void;
}

export function createMailClient({ host, port, user, password, requireTls, from }: SmtpSettings): MailClient {
  const transport = createTransport({
    pool: true,
    maxConnections,
    // A mail whose connection broke is the workflow's to try again: here it could go out twice unseen.
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
    async send({ to, ...content }, { timeoutMs, signal }) {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        await inSpan(party, { kind: 'client' }, () =>
          transport.sendMail({
            ...content,
            from,
            // An object, never a text: it is not parsed for further addresses.
            to: [to],
            headers: { 'Auto-Submitted': 'auto-generated' },
            signal: AbortSignal.any([timeout, signal]),
          }),
        );
        return 'accepted';
      } catch (error) {
        const { responseCode, code } = error as { responseCode?: number; code?: string };
        if (responseCode !== undefined)
          return isFinal(responseCode) ? { refused: responseCode } : { deferred: responseCode };
        if (timeout.aborted) throw new OutboundError(party, { kind: 'timeout', timeoutMs });
        throw new OutboundError(party, { kind: 'network', code: code ?? 'unknown' });
      }
    },
    close: () => transport.close(),
  };
}

/** 5yz is a refusal (RFC 5321), save 503, which is about the session and not the mail. */
const isFinal = (replyCode: number): boolean => replyCode >= 500 && replyCode !== 503;
