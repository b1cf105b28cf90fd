import type { Template } from '../../domain/notification-channels.js';
import type { NotificationType } from '../../domain/notification-types.js';
import type { Queryable } from '../client.js';

/** The version in force. */
export async function findTemplate(sql: Queryable, type: NotificationType): Promise<Template | undefined> {
  const [template] = await sql<Template[]>`
    select email_subject, email_html, email_text, sms_body
    from notification.template_version
    where type = ${type}
    order by version desc
    limit 1
  `;
  return template;
}
