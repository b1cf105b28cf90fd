/**
 * Failure messages and stacks are plain text in a history by default; encoded, they pass through the payload codec
 * like everything else. CommonJS, because the SDK loads it by `require` and bundles it for the workflow sandbox.
 */
const { DefaultFailureConverter } = require('@temporalio/common');

module.exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
