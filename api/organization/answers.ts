import { findAdminByEmail } from '../../db/organization/admin-users.js';
import { findDomain } from '../../db/organization/custom-domains.js';
import { tlsReason } from '../../domain/organization/custom-domains.js';
import { verifyDomain } from '../../starts/organization.js';
import type { ServiceContext } from '../context.js';
import { type AnswerHandlers, answerWithinMs } from '../plugins/work-items.js';
import { unavailable } from '../http-errors.js';

const unknownAdminId = '00000000-0000-0000-0000-000000000000';

/** Handles the answers to this service's work items (D109). */
export const answersOf = ({ sql, temporal }: ServiceContext): AnswerHandlers => ({
  domain_unverified: {
    /** Looks the record up now and watches it for another 72 h. The item closes once the record is there. */
    verify: async ({ item: { refersTo, organizationId, reason }, by }) => {
      const { hostname = '' } = refersTo;
      const key = { scope: 'all' as const, organizationId: organizationId ?? '', hostname };
      const admin = await findAdminByEmail(sql, by);
      const actor = { adminId: admin?.id ?? unknownAdminId, ip: 'worklist', userAgent: null };
      const answer = await verifyDomain(temporal, key, actor, answerWithinMs);
      if (answer.state !== 'completed') throw unavailable('The hostname could not be looked at in time');
      const domain = await findDomain(sql, key);
      if (!domain || domain.state === 'deactivated') return 'The custom domain is deactivated';
      const isThere =
        domain.state === 'active' ||
        (domain.state === 'pending_tls' &&
          (reason === 'no_record' || domain.reason === tlsReason(hostname, { isValid: true, fault: null })));
      return isThere ? null : (domain.reason ?? 'It is not there');
    },
  },
});
