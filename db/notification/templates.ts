import type { Template } from '../../domain/notification/notification-channels.js';
import type { NotificationType } from '../../domain/notification/notification-types.js';
import { first, type Changes, type Queryable, type Sql } from '../client.js';

export interface TemplateVersion extends Template {
  version: number;
  createdAt: Date;
  /** The admin's id; null for a built-in version. */
  createdBy: string | null;
}

export interface TemplateRecord extends TemplateVersion {
  type: NotificationType;
}

/** The current templates by type. */
export const listTemplates = (sql: Queryable) =>
  sql<TemplateRecord[]>`
    select type, version, email_subject, email_html, email_text, sms_body, created_at, created_by
    from notification.template
    join notification.template_version using (type, version)
    order by type
  `;

/** The current version. */
export const findTemplate = (sql: Queryable, type: NotificationType) =>
  first(sql<TemplateRecord[]>`
    select type, version, email_subject, email_html, email_text, sms_body, created_at, created_by
    from notification.template
    join notification.template_version using (type, version)
    where type = ${type}
  `);

/** Newest first. */
export const listTemplateVersions = (sql: Queryable, type: NotificationType) =>
  sql<TemplateVersion[]>`
    select version, email_subject, email_html, email_text, sms_body, created_at, created_by
    from notification.template_version
    where type = ${type}
    order by version desc
  `;

/**
 * Stores a new current version with the given parts. The lock serializes concurrent changes. Without a difference,
 * stores nothing.
 */
export const changeTemplate = (
  sql: Sql,
  type: NotificationType,
  changes: Changes<Template>,
  changedBy: string,
): Promise<TemplateRecord | undefined> =>
  sql.begin(async (sql) => {
    await sql`select version from notification.template where type = ${type} for update`;
    const current = await findTemplate(sql, type);
    if (!current) return undefined;
    const next = {
      emailSubject: changes.emailSubject ?? current.emailSubject,
      emailHtml: changes.emailHtml ?? current.emailHtml,
      emailText: changes.emailText ?? current.emailText,
      smsBody: changes.smsBody ?? current.smsBody,
    };
    const parts = Object.keys(next) as (keyof Template)[];
    if (parts.every((part) => next[part] === current[part])) return current;

    const version = current.version + 1;
    await sql`
      insert into notification.template_version ${sql({ type, version, ...next, createdBy: changedBy })}
    `;
    await sql`update notification.template set version = ${version} where type = ${type}`;
    return findTemplate(sql, type);
  });
