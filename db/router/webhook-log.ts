import { type PharmacySystem, pharmacySystems } from '../../domain/pharmacies.js';
import type { Queryable } from '../client.js';

/** A webhook as an operator reads it (D155). */
export interface LoggedWebhook {
  id: string;
  pharmacy: PharmacySystem;
  receivedAt: Date;
  accepted: boolean;
  /** The order that it changed; null for a rejected one. */
  submissionId: string | null;
  status: number;
  error: string | null;
  /** As received. */
  body: string;
  /** Set when the body is not text. */
  bodyEncoding: 'base64' | null;
}

/** Logs a rejected webhook, byte for byte. */
export async function logRefusedWebhook(
  sql: Queryable,
  refused: { webhook: PharmacySystem; body: Buffer; status: number; error: string },
): Promise<void> {
  const { webhook, body, status, error } = refused;
  const text = textOf(body);
  await sql`
    insert into router.webhook_log (webhook, submission_id, accepted, status, error, body, encoding)
    values (
      ${webhook}, null, false, ${status}, ${error}, ${text ?? body.toString('base64')},
      ${text === undefined ? 'base64' : null}
    )
  `;
}

/** The text of these bytes; undefined if a text column cannot hold them unchanged. */
function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  return text.includes('\0') || !Buffer.from(text).equals(bytes) ? undefined : text;
}

/** Bodies have up to 1 MiB; a page ends early rather than hold more than this. */
const maxPageBytes = 8 * 1024 * 1024;

/** The webhooks of pharmacies, newest first, and whether more follow. */
export async function listWebhooks(
  sql: Queryable,
  filter: {
    pharmacy?: PharmacySystem | undefined;
    accepted?: boolean | undefined;
    /** The id of the last entry on the previous page. */
    before?: string | undefined;
    limit: number;
  },
): Promise<{ webhooks: LoggedWebhook[]; hasMore: boolean }> {
  const { pharmacy, accepted, before, limit } = filter;
  const webhooks = pharmacy === undefined ? [...pharmacySystems] : [pharmacy];
  const rows = await sql<(LoggedWebhook & { found: number })[]>`
    with page as (
      select *
      from router.webhook_log
      where source = 'webhook' and webhook = any(${webhooks})
        ${accepted === undefined ? sql`` : sql`and accepted = ${accepted}`}
        ${before === undefined ? sql`` : sql`and id < ${before}`}
      order by id desc
      limit ${limit + 1}
    ), measured as (
      select page.*, row_number() over newest as position, (count(*) over ())::int as found,
        sum(octet_length(body)) over newest - octet_length(body) as bytes_before
      from page
      window newest as (order by id desc)
    )
    select id::text, webhook as pharmacy, received_at, accepted, submission_id, coalesce(status, 200) as status, error, body,
      encoding as body_encoding, found
    from measured
    where position <= ${limit} and bytes_before < ${maxPageBytes}
    order by measured.id desc
  `;
  return { webhooks: rows, hasMore: (rows[0]?.found ?? 0) > rows.length };
}
