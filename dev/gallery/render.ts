import type { Sql } from '../../db/client.js';
import { listTemplateVersions } from '../../db/notification/templates.js';
import { previewOf } from '../../domain/notification/notification-channels.js';
import { notificationTypes } from '../../domain/notification/notification-types.js';
import { galleryPage, type Rendered } from './page.js';
import { sampleVariables } from './samples.js';

/** Renders the installed version of each template; versions that admins have added do not show. */
export async function renderGallery(sql: Sql): Promise<string> {
  const notifications: Rendered[] = [];
  for (const type of notificationTypes) {
    const shipped = (await listTemplateVersions(sql, type)).find(({ createdBy }) => createdBy === null);
    const preview = shipped && previewOf(shipped, sampleVariables(type));
    if (!preview) throw new Error(`The type ${type} came without a template`);
    notifications.push({ type, ...preview });
  }
  return galleryPage(notifications);
}
