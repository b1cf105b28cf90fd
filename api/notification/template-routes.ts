import { randomUUID } from 'node:crypto';
import { findChannelConfig } from '../../db/notification/channels.js';
import {
  changeTemplate,
  findTemplate,
  listTemplates,
  listTemplateVersions,
  type TemplateRecord,
  type TemplateVersion,
} from '../../db/notification/templates.js';
import { healthDataFlags, previewOf, tooLongText } from '../../domain/notification/notification-channels.js';
import { healthVariables, requiredVariables } from '../../domain/notification/notification-types.js';
import type { App, ServiceContext } from '../context.js';
import { InvalidField, issueErrors } from '../http-errors.js';
import * as contract from './contract.js';
import { requireType, unrequireType } from './require-type.js';
import { notificationOf, sendByRun } from './send.js';

const config = { policy: { allows: 'superadmin' as const } };
const common = { tags: ['Templates'], security: [{ adminToken: [] }] };
const { typeParams: params } = contract;

/** Looking at templates, changing them, and trying them out (page 2, Notification endpoints; D69). */
export function templateRoutes(admin: App, { sql, temporal }: ServiceContext): void {
  admin.get(
    '/notify/templates',
    {
      config: { ...config, access: { none: 'templates' } },
      schema: {
        ...common,
        summary: 'The templates of all types',
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
        summary: 'The template of a type',
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
          'Parts that are left out stay. Makes a new version, which the next notification uses; a body that changes nothing makes none.',
        params,
        body: contract.templateChanges,
        response: { 200: contract.oneTemplate, ...issueErrors(400, 401, 403, 404, 413, 415, 429) },
      },
    },
    async ({ admin: { sub }, params: { type }, body }) => {
      const template = await changeTemplate(sql, requireType(type), body, sub);
      if (!template) throw unrequireType(type);
      return { template: presented(template) };
    },
  );

  admin.get(
    '/notify/templates/:type/versions',
    {
      config: { ...config, access: { none: 'templates' } },
      schema: {
        ...common,
        summary: 'Every version of a template, newest first',
        params,
        response: { 200: contract.versionList, ...issueErrors(401, 403, 404, 429) },
      },
    },
    async ({ params: { type } }) => ({
      versions: (await listTemplateVersions(sql, requireType(type))).map(dated),
    }),
  );

  admin.post(
    '/notify/templates/:type/preview',
    {
      config: { ...config, access: { none: 'templates, with values of the caller’s' } },
      schema: {
        ...common,
        summary: 'Render a template without sending it',
        description:
          'As it would be sent, with a flag for each channel that would tell health data where it does not belong.',
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
      config: { ...config, access: { action: 'notification.send' } },
      schema: {
        ...common,
        summary: 'Send a template to somebody, to see how it arrives',
        description: 'Over the channels configured for the type; answers and logs as `POST /notify/send`.',
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
      const type = requireType(params.type);
      const sender = { clientId: `admin:${admin.sub}`, logId: randomUUID() };
      return (await sendByRun({ temporal }, request, notificationOf(sender, { ...body, type }))).answer;
    },
  );

  async function channelsOf(type: TemplateRecord['type']) {
    const config = await findChannelConfig(sql, type);
    if (!config) throw unrequireType(type);
    return config;
  }

  async function templateOf(text: string): Promise<TemplateRecord> {
    const template = await findTemplate(sql, requireType(text));
    if (!template) throw unrequireType(text);
    return template;
  }
}

const presented = (template: TemplateRecord) => ({
  ...dated(template),
  requiredVariables: [...requiredVariables[template.type]],
  healthVariables: requiredVariables[template.type].filter((name) => healthVariables.has(name)),
});

const dated = <T extends TemplateVersion>(version: T) => ({
  ...version,
  createdAt: version.createdAt.toISOString(),
});
