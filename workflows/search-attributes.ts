import { defineSearchAttributeKey } from '@temporalio/common';
import { searchAttributeTypes } from '../domain/search-attributes.js';

export const rxTask = defineSearchAttributeKey('RxTask', searchAttributeTypes.RxTask);
export const rxSubmission = defineSearchAttributeKey('RxSubmission', searchAttributeTypes.RxSubmission);
export const rxPharmacy = defineSearchAttributeKey('RxPharmacy', searchAttributeTypes.RxPharmacy);
export const rxState = defineSearchAttributeKey('RxState', searchAttributeTypes.RxState);
export const rxMedication = defineSearchAttributeKey('RxMedication', searchAttributeTypes.RxMedication);
export const rxOrganization = defineSearchAttributeKey('RxOrganization', searchAttributeTypes.RxOrganization);
export const rxStep = defineSearchAttributeKey('RxStep', searchAttributeTypes.RxStep);
export const rxWaiting = defineSearchAttributeKey('RxWaiting', searchAttributeTypes.RxWaiting);
export const rxStuck = defineSearchAttributeKey('RxStuck', searchAttributeTypes.RxStuck);
export const rxStuckSince = defineSearchAttributeKey('RxStuckSince', searchAttributeTypes.RxStuckSince);
export const rxNextTry = defineSearchAttributeKey('RxNextTry', searchAttributeTypes.RxNextTry);
export const rxOutcome = defineSearchAttributeKey('RxOutcome', searchAttributeTypes.RxOutcome);
export const rxWarnings = defineSearchAttributeKey('RxWarnings', searchAttributeTypes.RxWarnings);
