import { findSignature } from '../../db/registry/physicians.js';
import { addRoutingRule, listRoutingRules, updateRoutingRule } from '../../db/registry/routing-rules.js';
import { businessDay } from '../../platform/business-day.js';
import type { App, ServiceContext } from '../context.js';
import { allowedEvent } from '../plugins/access.js';
import { answeredOnce, answerOnce } from '../plugins/answer-once.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { found, idOf, isUuid, issueErrors, httpError } from '../http-errors.js';
import { officeKeysOnly, shownTo } from './authorize.js';
import * as contract from './contract.js';
import { withConstraintErrors } from './constraint-errors.js';
import { authorizePhysician, routePatients } from './route-patients.js';

const { common, errors, bodyErrors, notFoundError } = contract;
const forAdmins = { ...common, description: 'For keys with scope `admin`.' };
const noPhysician = { 404: httpError.describe('No such rule, or no such physician') };

/** Routing of a platform's patients to physicians by state, and its rules (page 1, Registry endpoints; D54). */
export function routingRoutes(signed: App, { sql, config }: ServiceContext): void {
  const today = () => businessDay(config.BUSINESS_TIMEZONE);
  const preValidation = [officeKeysOnly, adminKeysOnly];

  async function changeRule(id: string, changes: Parameters<typeof updateRoutingRule>[2]) {
    const changed = await withConstraintErrors(updateRoutingRule(sql, idOf(id, 'Routing rule'), changes));
    return found(changed, 'Routing rule');
  }

  signed.get(
    '/route',
    {
      config: { access: { action: 'physician.route' } },
      schema: {
        ...common,
        summary: 'Find the physician for a platform and state',
        description: 'With `physicianId`: checks whether that physician may prescribe in the state.',
        querystring: contract.routeQuery,
        response: { 200: contract.routeAnswer, ...issueErrors(400), ...errors },
      },
    },
    async (request) => {
      const { platform, state, physicianId, withSignature } = request.query;
      if (physicianId !== undefined) {
        const id = isUuid(physicianId) ? physicianId : undefined;
        if (id !== undefined) request.accessed.records = [id];
        return authorizePhysician(sql, id, state, today());
      }
      const routed = await routePatients(sql, platform, state, today(), allowedEvent(request));
      request.accessed.isNoted = true;
      if (!routed.physician) return routed;
      const { physician } = routed;
      const signed = withSignature
        ? { ...physician, signatureImage: await findSignature(sql, physician.id) }
        : physician;
      return { ...routed, physician: shownTo(request, signed) };
    },
  );

  signed.get(
    '/routing-rules',
    {
      config: { access: { action: 'rule.list' } },
      preValidation: adminKeysOnly,
      schema: {
        ...forAdmins,
        summary: 'List the rules in the order in which routing tries them',
        querystring: contract.rulesQuery,
        response: { 200: contract.rulesAnswer, ...errors, ...issueErrors(400) },
      },
    },
    async ({ query }) => ({ rules: await listRoutingRules(sql, query.active) }),
  );

  signed.post(
    '/routing-rules',
    {
      config: { access: { action: 'rule.create' } },
      preValidation,
      schema: {
        ...forAdmins,
        summary: 'Add a rule',
        description: `${forAdmins.description} ${answeredOnce}`,
        body: contract.newRule,
        response: { 201: contract.ruleAnswer, ...bodyErrors, ...noPhysician },
      },
    },
    ({ accessed, body }, reply) =>
      answerOnce({ sql, service: 'registry', status: 201 }, reply, async (sql) => {
        const rule = await withConstraintErrors(addRoutingRule(sql, body));
        accessed.records = [rule.id];
        return { rule };
      }),
  );

  signed.put(
    '/routing-rules/:id',
    {
      config: { access: { action: 'rule.update', record: 'id' } },
      preValidation,
      schema: {
        ...forAdmins,
        summary: 'Change a rule',
        params: contract.idParams,
        body: contract.ruleChanges,
        response: { 200: contract.ruleAnswer, ...bodyErrors, ...noPhysician },
      },
    },
    async ({ params, body }) => ({ rule: await changeRule(params.id, body) }),
  );

  signed.delete(
    '/routing-rules/:id',
    {
      config: { access: { action: 'rule.revoke', record: 'id' } },
      preValidation,
      schema: {
        ...forAdmins,
        summary: 'Deactivate a rule',
        params: contract.idParams,
        response: { 200: contract.ruleEnded, ...bodyErrors, ...notFoundError },
      },
    },
    async ({ params }) => ({
      success: true as const,
      rule: await changeRule(params.id, { isActive: false }),
    }),
  );
}
