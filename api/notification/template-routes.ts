import { randomUUID } from 'node:crypto';
import {
  findChannelConfig,
  listChannelConfigs,
  replaceChannelConfig,
} from '../../db/notification/channels.js';
import {
  changeTemplate,
  findTemplate,
  listTemplates,
  listTemplateVersions,
  type TemplateRecord,
} from '../../db/notification/templates.js';
import { healthDataFlags, previewOf, tooLongText } from '../../domain/notification/notification-channels.js';
import {
  healthVariables,
  isNotificationType,
  type NotificationType,
  requiredVariables,
} from '../../domain/notification/notification-types.js';
import type { App, ServiceContext } from '../context.js';
import { InvalidField, issueErrors, notFound } from '../http-errors.js';
import * as contract from './contract.js';
import { notificationOf, sendByRun } from './send.js';

const config = { policy: { allows: 'superadmin' as const } };
const common = { tags: ['Templates'], security: [{ adminToken: [] }] };
const { typeParams: params } = contract;

/** The templates and channels of each notification type (page 2, Notification endpoints; D69). */
export function templateRoutes(admin: App, { sql, temporal }: ServiceContext): void {
  admin.get(
    '/notify/templates',
    {
      config: { ...config, access: { none: 'templates' } },
      schema: {
        ...common,
        summary: 'List the templates of all types',
        response: { 200: contract.templateList, ...issueErrors(401, 403, 429) },
      },
    },
    async () => ({ templates: (await listTemplates(sql)).map(presented) }),
  );

  admin.get(
    '/notify/templates/:type',
    {
      config: { ...config, access: { none: 'templates' } },
      schema: {
        ...common,
        summary: 'Get the template of a type',
        params,
        response: { 200: contract.oneTemplate, ...issueErrors(401, 403, 404, 429) },
      },
    },
    async ({ params: { type } }) => ({ template: presented(await templateOf(type)) }),
  );

  admin.put(
    '/notify/templates/:type',
    {
      config: { ...config, access: { action: 'template.update' } },
      schema: {
        ...common,
        summary: 'Change the template of a type',
        description:
          'Parts that are left out do not change. Creates a new version, which the next notification uses. A body that changes nothing creates none.',
        params,
        body: contract.templateChanges,
        response: { 200: contract.oneTemplate, ...issueErrors(400, 401, 403, 404, 413, 415, 429) },
      },
    },
    async ({ admin: { sub }, params: { type }, body }) => {
      const template = await changeTemplate(sql, typeOf(type), body, sub);
      if (!template) throw unknownType(type);
      return { template: presented(template) };
    },
  );

  admin.get(
    '/notify/templates/:type/versions',
    {
      config: { ...config, access: { none: 'templates' } },
      schema: {
        ...common,
        summary: 'List the versions of a template, newest first',
        params,
        response: { 200: contract.versionList, ...issueErrors(401, 403, 404, 429) },
      },
    },
    async ({ params: { type } }) => ({ versions: await listTemplateVersions(sql, typeOf(type)) }),
  );

  admin.post(
    '/notify/templates/:type/preview',
    {
      config: { ...config, access: { none: 'templates, with values from the caller' } },
      schema: {
        ...common,
        summary: 'Render a template without sending it',
        description:
          'Returns the messages as they would be sent, and each channel that would reveal health data.',
        params,
        body: contract.previewRequest,
        response: { 200: contract.preview, ...issueErrors(400, 401, 403, 404, 413, 415, 429) },
      },
    },
    async ({ params: { type }, body: { variables } }) => {
      const template = await templateOf(type);
      const preview = previewOf(template, variables);
      if (!preview) throw new InvalidField('variables', tooLongText);
      const healthData = healthDataFlags(template, await channelsOf(template.type));
      return { ...preview, ...(healthData.length === 0 ? {} : { healthData }) };
    },
  );

  admin.post(
    '/notify/templates/:type/test',
    {
      config: { errorCodes: ['not_delivered'], ...config, access: { action: 'notification.send' } },
      schema: {
        ...common,
        summary: 'Send a test notification',
        description: 'Uses the channels configured for the type. Answers and logs as `POST /notify/send`.',
        params,
        body: contract.testRequest,
        response: {
          200: contract.sendAnswer,
          ...issueErrors(400, 401, 403, 404, 413, 415, 429, 503),
          502: contract.sendFailure,
        },
      },
    },
    async (request) => {
      const { admin, params, body } = request;
      const type = typeOf(params.type);
      const sender = { clientId: `admin:${admin.sub}`, logId: randomUUID() };
      return (await sendByRun({ temporal }, request, notificationOf(sender, { ...body, type }))).answer;
    },
  );

  admin.get(
    '/notify/channels',
    {
      config: { ...config, access: { none: 'settings' } },
      schema: {
        ...common,
        tags: ['Channels'],
        summary: 'List the channels of every type',
        response: { 200: contract.channelConfigList, ...issueErrors(401, 403, 429) },
      },
    },
    async () => ({ channels: await listChannelConfigs(sql) }),
  );

  admin.put(
    '/notify/channels/:type',
    {
      config: { ...config, access: { action: 'channel.update' } },
      schema: {
        ...common,
        tags: ['Channels'],
        summary: 'Set the channels of a type',
        description:
          'Takes effect with the next notification. Without any channel, nothing is sent, which counts as success.',
        params,
        body: contract.channelSettings,
        response: { 200: contract.oneChannelConfig, ...issueErrors(400, 401, 403, 404, 413, 415, 429) },
      },
    },
    async ({ admin: { sub }, params, body }) => {
      const channel = await replaceChannelConfig(sql, typeOf(params.type), body, sub);
      if (!channel) throw unknownType(params.type);
      return { channel };
    },
  );

  async function channelsOf(type: TemplateRecord['type']) {
    const config = await findChannelConfig(sql, type);
    if (!config) throw unknownType(type);
    return config;
  }

  async function templateOf(text: string): Promise<TemplateRecord> {
    const template = await findTemplate(sql, typeOf(text));
    if (!template) throw unknownType(text);
    return template;
  }
}

/** @throws HttpError 404 for an unknown type (D69) */
function typeOf(text: string): NotificationType {
  if (!isNotificationType(text)) throw unknownType(text);
  return text;
}

const unknownType = (text: string) => notFound(`Unknown notification type: ${text}`);

const presented = (template: TemplateRecord) => ({
  ...template,
  requiredVariables: [...requiredVariables[template.type]],
  healthVariables: requiredVariables[template.type].filter((name) => healthVariables.has(name)),
});
