// Node cannot see the named exports of this CommonJS package.
import proto from '@temporalio/proto';

export const { temporal } = proto;
