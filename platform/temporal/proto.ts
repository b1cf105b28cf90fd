// The package is CommonJS with names that Node cannot see: they are taken off the default export once, here.
import proto from '@temporalio/proto';

export const { temporal } = proto;
