import { listChannelConfigs, replaceChannelConfig } from '../../db/notification/channels.js';
import type { App, ServiceContext } from '../context.js';
import { issueErrors } from '../http-errors.js';
import { channelConfigList, channelSettings, oneChannelConfig, typeParams } from './contract.js';
import { requireType, unrequireType } from './require-type.js';

const config = { policy: { allows: 'superadmin' as const } };
const common = { tags: ['Channels'], security: [{ adminToken: [] }] };

/** Over which channels a type goes when its sender names none (page 2, Channels; D69). */
export function channelRoutes(admin: App, { sql }: ServiceContext): void {
  admin.get(
    '/notify/channels',
    {
      config: { ...config, access: { none: 'settings' } },
      schema: {
        ...common,
        summary: 'The channels of every type',
        response: { 200: channelConfigList, ...issueErrors(401, 403, 429) },
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
        summary: 'Set the channels of a type',
        description: 'Counts for the next notification. With none, nothing is sent, and that is a success.',
        params: typeParams,
        body: channelSettings,
        response: { 200: oneChannelConfig, ...issueErrors(400, 401, 403, 404, 413, 415, 429) },
      },
    },
    async ({ admin: { sub }, params, body }) => {
      const channel = await replaceChannelConfig(sql, requireType(params.type), body, sub);
      if (!channel) throw unrequireType(params.type);
      return { channel };
    },
  );
}
