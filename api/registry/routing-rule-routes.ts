import { addRoutingRule, listRoutingRules, updateRoutingRule } from '../../db/registry/routing-rules.js';
import type { App, ServiceContext } from '../context.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { officeKeysOnly } from './access.js';
import {
  bodyRefusals,
  common,
  idParams,
  invalid,
  newRule,
  refusal,
  refusals,
  ruleAnswer,
  ruleChanges,
  ruleEnded,
  rulesAnswer,
  rulesQuery,
} from './contract.js';
import { isUuid, ruleNotFound, writing } from './refusals.js';

const forAdmins = { ...common, description: 'For keys with scope `admin`.' };
const noPhysician = { 404: refusal.describe('No such rule, or no such physician') };

/** Which physicians a platform's patients are sent to, state by state (D54). */
export function routingRules(signed: App, { sql }: ServiceContext): void {
  const preValidation = [officeKeysOnly, adminKeysOnly];

  async function changeRule(id: string, changes: Parameters<typeof updateRoutingRule>[2]) {
    const rule = isUuid(id) ? await writing(updateRoutingRule(sql, id, changes)) : undefined;
    if (!rule) throw ruleNotFound();
    return rule;
  }

  signed.get(
    '/routing-rules',
    {
      preValidation: adminKeysOnly,
      schema: {
        ...forAdmins,
        summary: 'The rules, in the order in which routing tries them',
        querystring: rulesQuery,
        response: { 200: rulesAnswer, ...refusals, 400: invalid },
      },
    },
    async ({ query }) => ({ rules: await listRoutingRules(sql, query.active) }),
  );

  signed.post(
    '/routing-rules',
    {
      preValidation,
      schema: {
        ...forAdmins,
        summary: 'Add a rule',
        body: newRule,
        response: { 201: ruleAnswer, ...bodyRefusals, ...noPhysician },
      },
    },
    async ({ body }, reply) => reply.code(201).send({ rule: await writing(addRoutingRule(sql, body)) }),
  );

  signed.put(
    '/routing-rules/:id',
    {
      preValidation,
      schema: {
        ...forAdmins,
        summary: 'Change a rule',
        params: idParams,
        body: ruleChanges,
        response: { 200: ruleAnswer, ...bodyRefusals, ...noPhysician },
      },
    },
    async ({ params, body }) => ({ rule: await changeRule(params.id, body) }),
  );

  signed.delete(
    '/routing-rules/:id',
    {
      preValidation,
      schema: {
        ...forAdmins,
        summary: 'Take a rule out of use',
        params: idParams,
        response: { 200: ruleEnded, ...refusals, 404: refusal },
      },
    },
    async ({ params }) => ({
      success: true as const,
      rule: await changeRule(params.id, { isActive: false }),
    }),
  );
}
